// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Kokkos_Core.hpp>
#include <cstring>
#include <kolam/core/index.hpp>
#include <kolam/core/simd.hpp>
#include <type_traits>

namespace kolam::detail {

template <class V, class T>
KOKKOS_FORCEINLINE_FUNCTION V load_simd(const T* from) {
  if constexpr (std::is_same_v<V, T>) {
    return *from;
  } else {
    typename V::Register values;
    std::memcpy(&values, from, sizeof(values));
    return V(values);
  }
}
template <class V, class T>
KOKKOS_FORCEINLINE_FUNCTION void store_simd(T* to, const V& value) {
  if constexpr (std::is_same_v<V, T>) {
    *to = value;
  } else {
    std::memcpy(to, &value.values(), sizeof(value.values()));
  }
}

// How elements address a vector: through a map, or as a vector with a value for every node of every
// element, in the order of their layout. `either` decides at run time, for kernels that are not
// compiled for each form (with registers for both: up to a fifth slower on devices).
enum class VectorForm { map, elements, either };

// The vectors of an operator, addressed by its elements.
template <class T, ExecutionSpace Exec, VectorForm A>
struct ElementVectors {
  using V = SimdValue<Exec, T>;
  static constexpr int lanes = simd_width<Exec, T>;

  const int* from;  // entry of x for each node, negative if the field is zero there; or null
  const T* x;
  const int* to;  // likewise for y; nothing is added for negative entries
  T* y;
  index_t x_component;  // distance from one component of an entry to the next
  index_t y_component;

  KOKKOS_FORCEINLINE_FUNCTION static bool by_elements([[maybe_unused]] const int* map) {
    if constexpr (A == VectorForm::either) return map == nullptr;
    return A == VectorForm::elements;
  }

  // The entries of N nodes, all read before the loads that depend on them. (Hosts read entries when
  // they need them: one for each lane.)
  template <int N>
  struct Entries {
    int of[lanes == 1 ? N : 1];
  };
  template <int N>
  KOKKOS_FORCEINLINE_FUNCTION static Entries<N> entries(const int* map, index_t node, int step) {
    Entries<N> result{};
    if constexpr (lanes == 1) {
      if (!by_elements(map)) {
        KOLAM_UNROLL
        for (int i = 0; i < N; ++i) result.of[i] = map[node + i * step];
      }
    }
    return result;
  }

  // Reads the values of N nodes from `node` on, `step` apart.
  template <int N>
  KOKKOS_FORCEINLINE_FUNCTION void read(const Entries<N>& entries, index_t node, int step,
                                        int component, V (&result)[N]) const {
    const T* const values = x + component * x_component;
    if (by_elements(from)) {
      KOLAM_UNROLL
      for (int i = 0; i < N; ++i) result[i] = load_simd<V>(values + node + i * step);
    } else if constexpr (lanes == 1) {
      KOLAM_UNROLL
      for (int i = 0; i < N; ++i) result[i] = entries.of[i] < 0 ? T(0) : values[entries.of[i]];
    } else {
      KOLAM_UNROLL
      for (int i = 0; i < N; ++i) {
        V value(T(0));
        KOLAM_UNROLL
        for (int lane = 0; lane < lanes; ++lane) {
          const int entry = from[node + i * step + lane];
          if (entry >= 0) value.set(lane, values[entry]);
        }
        result[i] = value;
      }
    }
  }

  // (On hosts no other thread adds to the same entry at the same time: see ElementColours.)
  template <int N>
  KOKKOS_FORCEINLINE_FUNCTION void add(const Entries<N>& entries, index_t node, int step,
                                       int component, const V (&result)[N]) const {
    T* const values = y + component * y_component;
    if (by_elements(to)) {
      KOLAM_UNROLL
      for (int i = 0; i < N; ++i) store_simd(values + node + i * step, result[i]);
    } else if constexpr (lanes == 1) {
      KOLAM_UNROLL
      for (int i = 0; i < N; ++i)
        if (entries.of[i] >= 0) Kokkos::atomic_add(values + entries.of[i], result[i]);
    } else {
      KOLAM_UNROLL
      for (int i = 0; i < N; ++i) {
        KOLAM_UNROLL
        for (int lane = 0; lane < lanes; ++lane) {
          const int entry = to[node + i * step + lane];
          if (entry >= 0) values[entry] += result[i][lane];
        }
      }
    }
  }
};

}  // namespace kolam::detail
