// SPDX-License-Identifier: Apache-2.0
#include "values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <initializer_list>
#include <kolam/io/file.hpp>
#include <limits>
#include <string_view>
#include <system_error>

namespace kolam::app {
namespace {

template <class Number>
Number parse(const std::string& option, const std::string& text, std::string_view kind,
             std::string_view example) {
  Number value{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc::result_out_of_range && stop == end) {
    throw InvalidArgument(fmt::format("{} {}: beyond the range of 64-bit numbers", option, text));
  }
  if (error != std::errc{} || stop != end) {
    throw InvalidArgument(
        fmt::format("{} {}: not a {}, such as {} {}", option, text, kind, option, example));
  }
  return value;
}

}  // namespace

std::int64_t parse_integer(const std::string& option, const std::string& text) {
  return parse<std::int64_t>(option, text, "whole number in digits", "1000");
}

std::int64_t parse_size(const std::string& option, const std::string& text) {
  const std::int64_t value = parse_integer(option, text);
  if (value == 0) {
    throw InvalidArgument(
        fmt::format("{} 0: must be at least 3; leave it out for two dimensions", option));
  }
  return value;
}

int parse_count(const std::string& option, const std::string& text) {
  const std::int64_t value = parse_integer(option, text);
  if (value < 1 || value > std::numeric_limits<int>::max()) {
    throw InvalidArgument(
        fmt::format("{} {}: must be at least 1, and less than 2^31", option, text));
  }
  return static_cast<int>(value);
}

double parse_real(const std::string& option, const std::string& text) {
  return parse<double>(option, text, "number", "1e-6");
}

double parse_positive(const std::string& option, const std::string& text) {
  const double value = parse_real(option, text);
  if (!(value > 0 && std::isfinite(value))) {
    throw InvalidArgument(fmt::format("{} {}: must be a finite number above zero", option, text));
  }
  return value;
}

std::optional<double> parse_duration(const std::string& option, const std::string& text) {
  if (text.empty()) return std::nullopt;
  const auto seconds = text.back() == 's'   ? 1.0
                       : text.back() == 'm' ? 60.0
                       : text.back() == 'h' ? 3600.0
                                            : 0.0;
  if (seconds == 0) return std::nullopt;
  return naming(option, text, [&] {
    double number = 0;
    try {
      number = parse_positive("", text.substr(0, text.size() - 1));
    } catch (const InvalidArgument&) {
      throw InvalidArgument("no duration; it is a number above zero and s, m or h, as in 30s");
    }
    return seconds * number;
  });
}

void check_output(const std::string& option, const std::string& path) {
  if (path != "-") naming(option, path, [&] { require_writable(path); });
}

namespace {

// Throws InvalidArgument with the advice if `path` has an extension other than the endings.
void check_ending(const std::string& option, const std::string& path,
                  std::initializer_list<std::string_view> endings, const char* advice) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (!ending.empty() && std::find(endings.begin(), endings.end(), ending) == endings.end())
    throw InvalidArgument(fmt::format("{} {}: {}", option, path, advice));
}

}  // namespace

void check_picture(const std::string& option, const std::string& path) {
  check_ending(option, path, {".png", ".PNG"}, "pictures are PNG files; end the name in .png");
  if (path == "-") {
    throw InvalidArgument(fmt::format("{} -: a picture needs a file; name one", option));
  }
  check_output(option, path);
}

void check_fields(const std::string& option, const std::string& path) {
  check_ending(option, path, {".vtkhdf", ".hdf", ".h5"},
               "fields are VTKHDF files; end the name in .vtkhdf");
  check_output(option, path);
}

void check_distinct(const std::string& option_a, const std::string& path_a,
                    const std::string& option_b, const std::string& path_b) {
  if (std::filesystem::weakly_canonical(path_a) == std::filesystem::weakly_canonical(path_b)) {
    throw InvalidArgument(fmt::format("{} {}: {} {} is the same file; name another", option_a,
                                      path_a, option_b, path_b));
  }
}

}  // namespace kolam::app
