// SPDX-License-Identifier: Apache-2.0
// A run on a grid in words and numbers.
#pragma once

#include <kolam/grid/grid_run.hpp>
#include <kolam/io/run_report.hpp>
#include <string>

namespace kolam::app {

/// What was written; empty if it was not.
struct Files {
  std::string image;
  std::string output;
  std::string checkpoint;
  std::string deck;  ///< that was read, see GridRequest
};

/// A few aligned lines for a person.
std::string summary(const grid::GridOptions& options, const RunReport& report, const Files& files);

/// One line of comma-separated values; `kolam jacobi --help` lists the columns.
std::string csv_line(const grid::GridOptions& options, const RunReport& report);

/// Why `report` is no success, in one line with the remedy.
std::string failure_text(const grid::GridOptions& options, const RunReport& report);

}  // namespace kolam::app
