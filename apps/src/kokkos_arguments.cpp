// SPDX-License-Identifier: Apache-2.0
// Options on which Kokkos 4.7 to 5.0 would abort, or which it would ignore as typing errors.
#include <fmt/format.h>

#include <array>
#include <cctype>
#include <cstdlib>
#include <kolam/core/error.hpp>
#include <regex>
#include <string>
#include <string_view>

#include "arguments.hpp"

namespace kolam::app {
namespace {

struct KokkosOption {
  std::string_view name;
  const char* value;  // a regular expression for the text after the name
  std::string_view allowed;
};

constexpr const char* boolean = "(=(true|1|yes|false|0|no))?";
constexpr std::string_view boolean_allowed = "nothing, =yes or =no";

bool matches(const std::string& text, const KokkosOption& option) {
  return std::regex_match(text, std::regex(option.value, std::regex::extended | std::regex::icase));
}

// Returns the environment variable of an option: KOKKOS_NUM_THREADS of --kokkos-num-threads.
std::string variable_of(const KokkosOption& option) {
  std::string name(option.name.substr(2));
  for (char& c : name) c = c == '-' ? '_' : static_cast<char>(std::toupper(c));
  return name;
}

constexpr std::array options{
    KokkosOption{"--kokkos-help", "", "no value"},
    KokkosOption{"--kokkos-tools-help", "", "no value"},
    KokkosOption{"--kokkos-num-threads", "=0*[1-9][0-9]{0,8}", "=INT with INT >= 1"},
    KokkosOption{"--kokkos-device-id", "=[0-9]{1,9}", "=INT with INT >= 0"},
    KokkosOption{"--kokkos-map-device-id-by", "=(random|mpi_rank)", "=random or =mpi_rank"},
    KokkosOption{"--kokkos-tools-libs", "=.+", "=LIBRARY"},
    KokkosOption{"--kokkos-tools-args", "=.+", "=TEXT"},
    KokkosOption{"--kokkos-disable-warnings", boolean, boolean_allowed},
    KokkosOption{"--kokkos-print-configuration", boolean, boolean_allowed},
    KokkosOption{"--kokkos-tune-internals", boolean, boolean_allowed},
};

}  // namespace

void check_kokkos_argument(const std::string& token) {
  const std::string name = token.substr(0, token.find('='));
  for (const KokkosOption& option : options) {
    if (option.name != name) continue;
    if (matches(token.substr(name.size()), option)) return;
    throw InvalidArgument(fmt::format("{}: write {} after {}", token, option.allowed, name));
  }
  throw InvalidArgument(
      fmt::format("{}: Kokkos has no such option; see kolam --kokkos-help", token));
}

void check_kokkos_environment() {
  for (const KokkosOption& option : options) {
    if (*option.value == '\0') continue;  // help options
    const std::string name = variable_of(option);
    const char* const value = std::getenv(name.c_str());
    if (value == nullptr || matches(fmt::format("={}", value), option)) continue;
    throw InvalidArgument(
        fmt::format("{}='{}' in the environment: write {} after the name, or unset it", name, value,
                    option.allowed));
  }
}

}  // namespace kolam::app
