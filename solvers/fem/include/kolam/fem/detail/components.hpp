// SPDX-License-Identifier: Apache-2.0
// Functions that return one value per component of a field, or one value for all.
#pragma once

#include <Kokkos_Core.hpp>
#include <type_traits>
#include <utility>

namespace kolam::fem::detail {

// Returns component c of a result that is one number for all components, or one for each.
template <class V>
KOKKOS_FORCEINLINE_FUNCTION double component_of(const V& value, [[maybe_unused]] int c) {
  if constexpr (requires { value[0]; }) {
    return static_cast<double>(value[c]);
  } else {
    return static_cast<double>(value);
  }
}

// Whether f(point) returns one value per component.
template <class F, class Point>
inline constexpr bool has_components = requires(const F& f, const Point& point) { f(point)[0]; };

// Component c of f.
template <class F>
struct ComponentOf {
  F f;
  int c;
  template <class Point>
  KOKKOS_FUNCTION double operator()(const Point& point) const {
    return component_of(f(point), c);
  }
};

}  // namespace kolam::fem::detail
