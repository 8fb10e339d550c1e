// SPDX-License-Identifier: Apache-2.0
// Values of options. Each error reads "OPTION VALUE: what is wrong; what is right".
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <kolam/core/error.hpp>
#include <optional>
#include <string>

namespace kolam::app {

/// Calls `f`; an error in it that concerns what the user gave names `option` and `value` first.
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

/// `text` as a whole decimal number; `option` is named in the InvalidArgument.
std::int64_t parse_integer(const std::string& option, const std::string& text);

/// `text` as a whole number from 1 to 2^31 - 1; `option` is named in the InvalidArgument.
int parse_count(const std::string& option, const std::string& text);

/// parse_integer, but not zero, which some options take for "none"; `option` is named.
std::int64_t parse_size(const std::string& option, const std::string& text);

/// `text` as a real number, which may be NaN or Inf; `option` is named in the InvalidArgument.
double parse_real(const std::string& option, const std::string& text);

/// `text` as a finite number above zero; `option` is named in the InvalidArgument.
double parse_positive(const std::string& option, const std::string& text);

/// `text` as a positive number of seconds ("30s"), minutes ("10m") or hours ("2h"), in seconds;
/// `option` is named in the InvalidArgument. Nothing for a text that ends with none of the letters.
std::optional<double> parse_duration(const std::string& option, const std::string& text);

/// Throws FileError, naming `option`, unless the file `path` can be written ("-": stdout).
void check_output(const std::string& option, const std::string& path);

/// check_output, and InvalidArgument if the name ends like a picture that is no PNG.
void check_picture(const std::string& option, const std::string& path);

/// Throws InvalidArgument if both options name the same file.
void check_distinct(const std::string& option_a, const std::string& path_a,
                    const std::string& option_b, const std::string& path_b);

}  // namespace kolam::app
