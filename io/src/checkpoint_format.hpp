// SPDX-License-Identifier: Apache-2.0
// Constants that every checkpoint contains.
#pragma once

#include <cstdint>
#include <type_traits>

namespace kolam::checkpoint {

inline constexpr const char* format_name = "kolam checkpoint";
inline constexpr std::int64_t format_version = 1;

template <class T>
constexpr const char* precision_name() {
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>);
  return std::is_same_v<T, float> ? "float" : "double";
}

}  // namespace kolam::checkpoint
