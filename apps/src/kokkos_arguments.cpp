// SPDX-License-Identifier: Apache-2.0
// What Kokkos 4.7 to 5.0 would abort on, or would take for a typing error and ignore.
#include <fmt/format.h>

#include <array>
#include <kolam/core/error.hpp>
#include <regex>
#include <string>
#include <string_view>

#include "arguments.hpp"

namespace kolam::app {
namespace {

struct KokkosOption {
  std::string_view name;
  const char* value;  // a regular expression for what follows the name
  std::string_view allowed;
};

constexpr const char* boolean = "(=(true|1|yes|false|0|no))?";
constexpr std::string_view boolean_allowed = "nothing, =yes or =no";

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
    if (std::regex_match(token.substr(name.size()),
                         std::regex(option.value, std::regex::extended | std::regex::icase))) {
      return;
    }
    throw InvalidArgument(fmt::format("{}: write {} after {}", token, option.allowed, name));
  }
  throw InvalidArgument(
      fmt::format("{}: Kokkos has no such option; see kolam --kokkos-help", token));
}

}  // namespace kolam::app
