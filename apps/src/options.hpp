// SPDX-License-Identifier: Apache-2.0
// The command line of the program as data.
#pragma once

#include <kolam/core/backend.hpp>
#include <kolam/solvers/jacobi.hpp>
#include <optional>
#include <string>
#include <variant>

#include "arguments.hpp"

namespace kolam::app {

enum class Precision { single, full };
enum class ProgressMode { automatic, on, off };

/// `--help` and `--version`: print and end.
struct TextRequest {
  std::string text;
};

/// `kolam info`.
struct InfoRequest {
  bool bandwidth = false;
  std::string json;  ///< file, "-" for stdout, empty for none
};

/// `kolam jacobi`.
struct JacobiRequest {
  JacobiOptions options;
  Backend backend{};
  Precision precision = Precision::single;
  std::string json;   ///< file, "-" for stdout, empty for none
  std::string image;  ///< file, empty for none
  bool csv = false;
  bool quiet = false;
  bool trace = false;
  ProgressMode progress = ProgressMode::automatic;
  std::optional<double> t_peak_gbs;  ///< as the user knows it; else it is measured
  std::string grid;  ///< size and precision as typed, for the error of a grid too large
};

using Request = std::variant<TextRequest, InfoRequest, JacobiRequest>;

/// Reads the command line; works without a device. Throws InvalidArgument and BackendUnavailable,
/// each naming the option as typed and its value, and FileError for files that cannot be written.
[[nodiscard]] Request parse_request(const Arguments& arguments);

}  // namespace kolam::app
