// SPDX-License-Identifier: Apache-2.0
#include "arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <kolam/core/error.hpp>

namespace kolam::app {
namespace {

constexpr std::array names{
    OptionName{"--nx", "-nx", true},
    OptionName{"--ny", "-ny", true},
    OptionName{"--niter", "-niter", true},
    OptionName{"--tol", "-tol", true},
    OptionName{"--nccheck", "-nccheck", true},
    OptionName{"--backend", "", true},
    OptionName{"--precision", "", true},
    OptionName{"--json", "", true},
    OptionName{"--output-parts", "", true},
    OptionName{"--image", "", true},
    OptionName{"--progress", "", true},
    OptionName{"--t-peak", "", true},
    OptionName{"--csv", "-csv", false},
    OptionName{"--quiet", "", false},
    OptionName{"--trace", "", false},
    OptionName{"--bandwidth", "", false},
    OptionName{"--nz", "-nz", true},
    OptionName{"--subdomains", "", true},
    OptionName{"--decomposition", "", true},
    OptionName{"--steps-per-pass", "", true},
    OptionName{"--transport", "", true},
    OptionName{"--gpu-aware-mpi", "", true},
    OptionName{"--checkpoint", "", true},
    OptionName{"--checkpoint-every", "", true},
    OptionName{"--restart", "", true},
    OptionName{"--output", "", true},
    OptionName{"--check-every", "", true},
    OptionName{"--deck", "", true},
    OptionName{"--dt", "", true},
    OptionName{"--time-scheme", "", true},
    OptionName{"--solver", "", true},
    OptionName{"--inner-steps", "", true},
    OptionName{"--order", "-order", true},
    OptionName{"--n", "-n", true},
    OptionName{"--dim", "", true},
    OptionName{"--operator", "", true},
    OptionName{"--map", "", true},
    OptionName{"--rhs", "", true},
    OptionName{"--rtol", "", true},
    OptionName{"--max-iter", "", true},
    OptionName{"--precond", "", true},
    OptionName{"--coarse-solver", "", true},
    OptionName{"--deterministic", "", false},
    OptionName{"--refine", "", true},
    OptionName{"--mesh", "", true},
    OptionName{"--geometry-order", "", true},
    OptionName{"--dirichlet", "", true},
    OptionName{"--coefficient", "", true},
    OptionName{"--robin", "", true},
    OptionName{"--material", "", true, true},
    OptionName{"--fix", "", true, true},
    OptionName{"--traction", "", true, true},
    OptionName{"--body-force", "", true},
    OptionName{"--partition", "", true},
    OptionName{"--parts", "", true},
};

const OptionName* find(std::string_view typed) {
  const auto* const found = std::find_if(names.begin(), names.end(), [typed](const OptionName& o) {
    return typed == o.name || (!o.alias.empty() && typed == o.alias);
  });
  return found == names.end() ? nullptr : found;
}

bool is_for_kokkos(std::string_view token) {
  return token.starts_with("--kokkos") || token.starts_with("-kokkos");
}

// The token after `-nx` is its value unless it is clearly the next option.
bool can_be_value(std::string_view token) {
  return !token.empty() && !token.starts_with("--") && !is_for_kokkos(token) &&
         find(token.substr(0, token.find('='))) == nullptr;
}

}  // namespace

std::span<const OptionName> option_names() { return names; }

std::string_view alias_of(std::string_view name) {
  const OptionName* const option = find(name);
  return option == nullptr ? std::string_view{} : option->alias;
}

std::string Arguments::spelled(std::string_view name) const {
  const auto found = spelling.find(name);
  return found == spelling.end() ? std::string(name) : found->second;
}

bool Arguments::wants_kokkos_help() const {
  return std::find(kokkos.begin(), kokkos.end(), "--kokkos-help") != kokkos.end();
}

Arguments sort_arguments(std::span<const char* const> tokens) {
  Arguments arguments;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::string token = tokens[i];
    if (is_for_kokkos(token)) {
      check_kokkos_argument(token);
      arguments.kokkos.push_back(token);
      continue;
    }
    if (token == "--") {  // CLI11 would swallow it
      throw InvalidArgument("unknown option '--'; see kolam --help");
    }
    const std::size_t equals = token.find('=');
    const std::string typed = token.substr(0, equals);
    const OptionName* const option = find(typed);
    if (option == nullptr) {
      arguments.program.push_back(token);
      continue;
    }
    const std::string name(option->name);
    if (!arguments.spelling.emplace(name, typed).second && !option->repeats) {
      throw InvalidArgument(fmt::format("{}: given more than once; give it once", typed));
    }
    if (!option->takes_value) {
      if (equals != std::string::npos) {
        throw InvalidArgument(
            fmt::format("{}: takes no value, but '{}' is given", typed, token.substr(equals + 1)));
      }
      arguments.program.push_back(name);
      continue;
    }
    std::string value;
    if (equals != std::string::npos) {
      value = token.substr(equals + 1);
    } else if (i + 1 < tokens.size() && can_be_value(tokens[i + 1])) {
      value = tokens[++i];
    }
    if (value.empty()) {
      throw InvalidArgument(fmt::format(
          "{}: its value is missing{}", typed,
          equals == std::string::npos && i + 1 < tokens.size()
              ? fmt::format(" before '{}'; give {} VALUE or {}=VALUE", tokens[i + 1], typed, typed)
              : fmt::format("; give {} VALUE", typed)));
    }
    arguments.program.push_back(fmt::format("{}={}", name, value));
  }
  return arguments;
}

}  // namespace kolam::app
