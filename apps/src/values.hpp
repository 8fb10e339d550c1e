// SPDX-License-Identifier: Apache-2.0
// Values of options. Each error reads "OPTION VALUE: error; remedy".
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <kolam/core/error.hpp>
#include <optional>
#include <string>

namespace kolam::app {

/// Calls `f`, and puts `option` and `value` in front of the text of its errors about user input.
template <class F>
auto naming(const std::string& option, const std::string& value, F&& f) {
  const auto text = [&](const Error& e) {
    return fmt::format("{} {}: {}", option, value, e.what());
  };
  try {
    return f();
  } catch (const InvalidArgument& e) {
    throw InvalidArgument(text(e));
  } catch (const BackendUnavailable& e) {
    throw BackendUnavailable(text(e));
  } catch (const FileError& e) {
    throw FileError(text(e));
  }
}

/// Returns `text` as a whole decimal number. Throws InvalidArgument, naming `option`.
std::int64_t parse_integer(const std::string& option, const std::string& text);

/// Returns `text` as a whole number from 1 to 2^31 - 1. Throws InvalidArgument, naming `option`.
int parse_count(const std::string& option, const std::string& text);

/// Returns parse_integer, but refuses zero, which means "none" in some options.
std::int64_t parse_size(const std::string& option, const std::string& text);

/// Returns `text` as a real number, also NaN or Inf. Throws InvalidArgument, naming `option`.
double parse_real(const std::string& option, const std::string& text);

/// Returns `text` as a finite number above zero. Throws InvalidArgument, naming `option`.
double parse_positive(const std::string& option, const std::string& text);

/// Returns a positive number of seconds ("30s"), minutes ("10m") or hours ("2h") in seconds;
/// nothing if `text` ends with none of these letters. Throws InvalidArgument, naming `option`.
std::optional<double> parse_duration(const std::string& option, const std::string& text);

/// Throws FileError, naming `option`, unless the file `path` can be written ("-": stdout).
void check_output(const std::string& option, const std::string& path);

/// Calls check_output. Throws InvalidArgument if `path` is "-" or has an extension but .png.
void check_picture(const std::string& option, const std::string& path);

/// Calls check_output. Throws InvalidArgument if `path` has an extension but .vtkhdf, .hdf or .h5.
void check_fields(const std::string& option, const std::string& path);

/// Throws InvalidArgument if both options name the same file.
void check_distinct(const std::string& option_a, const std::string& path_a,
                    const std::string& option_b, const std::string& path_b);

}  // namespace kolam::app
