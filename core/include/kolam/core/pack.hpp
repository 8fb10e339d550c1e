// SPDX-License-Identifier: Apache-2.0
// 16 bytes of neighbouring values: the widest access of one GPU thread.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <type_traits>

namespace kolam {

/// N values of T, moved by one load or store of 16 bytes. Memory must be aligned to 16 bytes.
template <class T, int N = static_cast<int>(16 / sizeof(T))>
struct alignas(N * sizeof(T)) Pack {
  static constexpr int size = N;
  T values[N];

  KOKKOS_FORCEINLINE_FUNCTION constexpr T& operator[](int i) { return values[i]; }
  KOKKOS_FORCEINLINE_FUNCTION constexpr const T& operator[](int i) const { return values[i]; }
};

/// The pack at `address`, which is a multiple of its size.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION Pack<std::remove_const_t<T>> load_pack(T* address) {
  return *reinterpret_cast<const Pack<std::remove_const_t<T>>*>(address);
}
template <class T>
KOKKOS_FORCEINLINE_FUNCTION void store_pack(T* address, const Pack<T>& pack) {
  *reinterpret_cast<Pack<T>*>(address) = pack;
}

}  // namespace kolam
