// SPDX-License-Identifier: Apache-2.0
// Exit codes, and one line on stderr for every failure.
#pragma once

#include <exception>
#include <string>
#include <string_view>

namespace kolam::app {

/// The exit codes of the program.
enum ExitCode : int {
  done = 0,              ///< done, and converged if a tolerance was given
  not_converged = 1,     ///< done, but not converged
  bad_input = 2,         ///< bad usage or input, or a file that cannot be written
  out_of_resources = 3,  ///< out of memory, or no device
  internal_error = 4     ///< anything else: a bug
};

/// The text on exit codes for --help.
inline constexpr std::string_view exit_code_help =
    "Exit codes:\n"
    "  0  done, and converged if a tolerance was asked for\n"
    "  1  done, but not converged: the tolerance was not met, values are not finite, or a\n"
    "     signal stopped the run, which is in its --checkpoint\n"
    "  2  bad usage or input, or a file that cannot be written\n"
    "  3  out of resources: not enough memory, or no device\n"
    "  4  internal error\n";

/// An exit code and its message, in one line without a line break.
struct Failure {
  ExitCode code;
  std::string text;
};

/// Returns the exit code and the message for any exception.
Failure describe(const std::exception_ptr& exception);

/// Prints "kolam: `text`" as one line on stderr.
void complain(std::string_view text);

}  // namespace kolam::app
