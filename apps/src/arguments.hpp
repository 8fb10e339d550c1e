// SPDX-License-Identifier: Apache-2.0
// Command-line tokens, brought into the one form that the option parser reads.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kolam::app {

/// An option of any command: `--name` and, where the field has one, its single-dash form.
struct OptionName {
  std::string_view name;
  std::string_view alias;  ///< "-nx"; empty where there is none
  bool takes_value;
  bool repeats = false;  ///< whether it may be given several times
};

/// All options of the program but --help and --version.
std::span<const OptionName> option_names();

/// The single-dash form of `--name`, or nothing.
std::string_view alias_of(std::string_view name);

/// The command line, sorted.
struct Arguments {
  /// Commands and options, the latter as `--name` or `--name=value`.
  std::vector<std::string> program;
  /// `--kokkos-*`, checked, in their order.
  std::vector<std::string> kokkos;
  /// Option name to what the user typed: {"--nx", "-nx"}.
  std::map<std::string, std::string, std::less<>> spelling;

  /// The option `--name` as the user typed it, or as we name it.
  std::string spelled(std::string_view name) const;
  /// Whether Kokkos is asked to print its own help and end.
  bool wants_kokkos_help() const;
};

/// Sorts the tokens after the program's name. Values belong to their options here (`-niter -1` is
/// an option with a value), because CLI11 knows no long names with a single dash.
/// Throws InvalidArgument for an option without its value, a flag with one, an option given twice,
/// and a --kokkos-* option that would make Kokkos abort.
Arguments sort_arguments(std::span<const char* const> tokens);

/// Throws InvalidArgument unless Kokkos knows the option `token` and can read its value: Kokkos
/// itself calls abort(). Needs no device.
void check_kokkos_argument(const std::string& token);

/// The same of the KOKKOS_* variables that stand for such options.
void check_kokkos_environment();

}  // namespace kolam::app
