// SPDX-License-Identifier: Apache-2.0
// Command-line tokens in the form that the option parser reads.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kolam::app {

/// An option of any command: `--name` and, if common in the field, its single-dash form.
struct OptionName {
  std::string_view name;
  std::string_view alias;  ///< "-nx"; or empty
  bool takes_value;
  bool repeats = false;  ///< whether it may be given several times
};

/// Returns all options of the program but --help and --version.
std::span<const OptionName> option_names();

/// Returns the single-dash form of `--name`, or nothing.
std::string_view alias_of(std::string_view name);

/// The command line, sorted.
struct Arguments {
  /// Commands and options, the latter as `--name` or `--name=value`.
  std::vector<std::string> program;
  /// `--kokkos-*`, checked, in their order.
  std::vector<std::string> kokkos;
  /// Maps option names to their spelling by the user: {"--nx", "-nx"}.
  std::map<std::string, std::string, std::less<>> spelling;

  /// Returns the option `--name` as the user typed it, else as the program names it.
  std::string spelled(std::string_view name) const;
  /// Returns whether Kokkos is asked to print its own help and end.
  bool wants_kokkos_help() const;
};

/// Sorts the tokens after the program's name. It joins options and values (`-niter -1` is an option
/// with a value), because CLI11 has no long names with a single dash.
/// Throws InvalidArgument for an option without its value, a flag with a value, an option given
/// twice, and a --kokkos-* option that would make Kokkos abort.
Arguments sort_arguments(std::span<const char* const> tokens);

/// Throws InvalidArgument unless Kokkos has the option `token` and can read its value, because
/// Kokkos itself would call abort(). Needs no device.
void check_kokkos_argument(const std::string& token);

/// Checks the KOKKOS_* environment variables for these options in the same way.
void check_kokkos_environment();

}  // namespace kolam::app
