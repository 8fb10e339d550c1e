// SPDX-License-Identifier: Apache-2.0
// Reports of a run on a grid as text.
#pragma once

#include <kolam/grid/grid_run.hpp>
#include <kolam/io/run_report.hpp>
#include <string>

namespace kolam::app {

/// Names of the files written; empty if not written.
struct Files {
  std::string image;
  std::string output;
  std::string checkpoint;
  std::string deck;  ///< the deck that was read, see GridRequest
};

/// Returns a few aligned lines for people.
std::string summary(const grid::GridOptions& options, const RunReport& report, const Files& files);

/// Returns one line of comma-separated values; `kolam jacobi --help` lists the columns.
std::string csv_line(const grid::GridOptions& options, const RunReport& report);

/// Returns one line about why a run failed, with the remedy.
std::string failure_text(const grid::GridOptions& options, const RunReport& report);

}  // namespace kolam::app
