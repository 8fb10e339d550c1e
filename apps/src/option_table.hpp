// SPDX-License-Identifier: Apache-2.0
// Options of several commands, and functions that add and check options.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <initializer_list>
#include <kolam/core/backend.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "values.hpp"

namespace kolam::app {

inline void add(CLI::App& command, const char* name, std::string& target, const char* value,
                const std::string& description) {
  command.add_option(name, target, description)->option_text(value);
}

inline void add_backend(CLI::App& command, std::string& target) {
  std::string present;
  for (const Backend b : backends()) present.append(present.empty() ? "" : ", ").append(name(b));
  add(command, "--backend", target, "NAME",
      fmt::format("One of {} [{}]", present, name(default_backend())));
}

/// Returns the backend that `text` names, or the default backend. Throws, naming --backend.
inline Backend backend_of_text(const std::string& text) {
  return text.empty() ? default_backend()
                      : naming("--backend", text, [&] { return parse_backend(text); });
}

/// Returns the value of the word that the user typed. Throws InvalidArgument, listing the words.
template <class Value>
Value choose(const std::string& option, const std::string& text,
             std::initializer_list<std::pair<std::string_view, Value>> choices) {
  std::string known;
  for (const auto& [word, value] : choices) {
    if (word == text) return value;
    known.append(known.empty() ? "" : ", ").append(word);
  }
  throw InvalidArgument(fmt::format("{} {}: unknown; choose one of {}", option, text, known));
}

/// Sets `value` to what `parse` makes of the user's word, if there is one. Errors name the option.
template <class Value, class Parse>
void set_word(const char* option, const std::string& text, Value& value, const Parse& parse) {
  if (!text.empty()) value = naming(option, text, [&] { return parse(text); });
}

/// Throws InvalidArgument if `file` is not empty and this build has no HDF5.
void require_hdf5(const std::string& option, const std::string& file);
/// Throws InvalidArgument if two options name the same file; empty names are ignored.
void check_all_distinct(const std::vector<std::pair<const char*, std::string>>& files);

}  // namespace kolam::app
