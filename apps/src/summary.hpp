// SPDX-License-Identifier: Apache-2.0
// A Jacobi run in words and numbers.
#pragma once

#include <kolam/io/jacobi_report.hpp>
#include <kolam/solvers/jacobi.hpp>
#include <string>

namespace kolam::app {

/// A few aligned lines for a person; `image` is the picture's file, empty if there is none.
[[nodiscard]] std::string summary(const JacobiOptions& options, const JacobiReport& report,
                                  const std::string& image);

/// One line of comma-separated values; `kolam jacobi --help` lists the columns.
[[nodiscard]] std::string csv_line(const JacobiOptions& options, const JacobiReport& report);

/// Why `report` is no success, in one line with the remedy.
[[nodiscard]] std::string failure_text(const JacobiOptions& options, const JacobiReport& report);

}  // namespace kolam::app
