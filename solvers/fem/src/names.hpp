// SPDX-License-Identifier: Apache-2.0
// Conversion between enumerators and the names that programs take and print.
#pragma once

#include <fmt/format.h>

#include <kolam/core/error.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace kolam::fem::detail {

template <class E>
using Names = std::span<const std::pair<E, std::string_view>>;

template <class E>
std::string_view name_of(Names<E> names, E value) {
  for (const auto& [key, text] : names)
    if (key == value) return text;
  return "";
}

// Returns the enumerator of a name. Throws InvalidArgument, listing the names.
template <class E>
E parse(Names<E> names, std::string_view text) {
  std::string known;
  for (const auto& [value, word] : names) {
    if (word == text) return value;
    known.append(known.empty() ? "" : ", ").append(word);
  }
  throw InvalidArgument(fmt::format("{} is unknown; choose one of {}", text, known));
}

}  // namespace kolam::fem::detail
