// SPDX-License-Identifier: Apache-2.0
// 16 bytes of adjacent values: the widest access of one GPU thread.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <type_traits>

namespace kolam {

/// N values of T, moved by one load or store of 16 bytes. Memory must be aligned to 16 bytes.
template <class T, int N = static_cast<int>(16 / sizeof(T))>
struct alignas(N * sizeof(T)) ShortVector {
  static constexpr int size = N;  ///< number of values
  T values[N];                    ///< in memory order

  ///@{
  /// Returns value i, 0 to N - 1.
  KOKKOS_FORCEINLINE_FUNCTION constexpr T& operator[](int i) { return values[i]; }
  KOKKOS_FORCEINLINE_FUNCTION constexpr const T& operator[](int i) const { return values[i]; }
  ///@}
};

namespace detail {

// nvcc splits the copy of a struct into scalar stores when there is control flow around it, so on
// NVIDIA's devices the vector store is explicit.
#ifdef KOKKOS_ENABLE_CUDA
template <class T>
__device__ inline void store_on_device(T* address, const ShortVector<T>& p) {
  *reinterpret_cast<ShortVector<T>*>(address) = p;
}
__device__ inline void store_on_device(float* address, const ShortVector<float>& p) {
  __stwb(reinterpret_cast<float4*>(address), float4{p[0], p[1], p[2], p[3]});
}
__device__ inline void store_on_device(double* address, const ShortVector<double>& p) {
  __stwb(reinterpret_cast<double2*>(address), double2{p[0], p[1]});
}
#else
template <class T>
KOKKOS_FORCEINLINE_FUNCTION void store_on_device(T* address, const ShortVector<T>& p) {
  *reinterpret_cast<ShortVector<T>*>(address) = p;
}
#endif

}  // namespace detail

/// Returns the values at `address`, which must be aligned to their total size.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION ShortVector<std::remove_const_t<T>> load_short_vector(T* address) {
  return *reinterpret_cast<const ShortVector<std::remove_const_t<T>>*>(address);
}
/// Stores values at `address`, which must be aligned to their total size.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION void store_short_vector(T* address, const ShortVector<T>& values) {
  KOKKOS_IF_ON_DEVICE((detail::store_on_device(address, values);))
  KOKKOS_IF_ON_HOST((*reinterpret_cast<ShortVector<T>*>(address) = values;))
}

}  // namespace kolam
