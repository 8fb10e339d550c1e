// SPDX-License-Identifier: Apache-2.0
// Values that one host thread processes together, one element per lane.
#pragma once

#include <Kokkos_Core.hpp>
#include <cmath>
#include <cstring>
#include <kolam/core/detail/registers.hpp>
#include <kolam/core/detail/vector_instructions.hpp>
#include <kolam/core/execution.hpp>

// Unrolls the next loop: a few iterations, known at compile time, over values that should stay in
// registers. (On hosts only GCC needs this; nvcc's front end would pass GCC's pragma on to a
// compiler that does not know it.)
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define KOLAM_UNROLL _Pragma("unroll")
#elif defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#define KOLAM_UNROLL _Pragma("GCC unroll 32")
#else
#define KOLAM_UNROLL
#endif

namespace kolam {
namespace detail {

// (Device code has no vector types and never runs this: there, the type is a plain array.)
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
template <class T, int N>
struct SimdRegister {
  struct type {
    T values[N];
    KOKKOS_FUNCTION T& operator[](int i) { return values[i]; }
    KOKKOS_FUNCTION const T& operator[](int i) const { return values[i]; }
  };
};
#define KOLAM_SIMD_OF(expression) Simd()
#else
template <class T, int N>
struct SimdRegister {
  using type = typename VectorOfBytes<T, N* int(sizeof(T))>::type;
};
#define KOLAM_SIMD_OF(expression) Simd(expression)
#endif

}  // namespace detail

/// N values of T in a register, with arithmetic lane by lane. A scalar stands for N equal lanes.
template <class T, int N>
class Simd {
 public:
  using Register = typename detail::SimdRegister<T, N>::type;  ///< the compiler's vector of N T
  static constexpr int size = N;                               ///< number of lanes

  /// Leaves the values uninitialised.
  Simd() = default;
  /// Sets all lanes to `value`.
  KOKKOS_FORCEINLINE_FUNCTION Simd(T value) { *this = of(value); }
  /// Takes the values of a register, lane by lane.
  KOKKOS_FORCEINLINE_FUNCTION explicit Simd(const Register& values) : values_(values) {}

  /// Returns the value of one lane, 0 to N - 1.
  KOKKOS_FORCEINLINE_FUNCTION T operator[](int lane) const { return values_[lane]; }
  /// Replaces the value of one lane, 0 to N - 1.
  KOKKOS_FORCEINLINE_FUNCTION void set(int lane, T value) { values_[lane] = value; }
  /// Returns the register, for intrinsics.
  KOKKOS_FORCEINLINE_FUNCTION const Register& values() const { return values_; }

  ///@{
  /// Arithmetic lane by lane.
  friend KOKKOS_FORCEINLINE_FUNCTION Simd operator+(const Simd& a, const Simd& b) {
    return KOLAM_SIMD_OF(a.values_ + b.values_);
  }
  friend KOKKOS_FORCEINLINE_FUNCTION Simd operator-(const Simd& a, const Simd& b) {
    return KOLAM_SIMD_OF(a.values_ - b.values_);
  }
  friend KOKKOS_FORCEINLINE_FUNCTION Simd operator*(const Simd& a, const Simd& b) {
    return KOLAM_SIMD_OF(a.values_ * b.values_);
  }
  friend KOKKOS_FORCEINLINE_FUNCTION Simd operator/(const Simd& a, const Simd& b) {
    return KOLAM_SIMD_OF(a.values_ / b.values_);
  }
  KOKKOS_FORCEINLINE_FUNCTION Simd operator-() const { return KOLAM_SIMD_OF(-values_); }
  KOKKOS_FORCEINLINE_FUNCTION Simd& operator+=(const Simd& b) { return *this = *this + b; }
  KOKKOS_FORCEINLINE_FUNCTION Simd& operator-=(const Simd& b) { return *this = *this - b; }
  KOKKOS_FORCEINLINE_FUNCTION Simd& operator*=(const Simd& b) { return *this = *this * b; }
  ///@}

 private:
  KOKKOS_FORCEINLINE_FUNCTION static Simd of([[maybe_unused]] T value) {
    return KOLAM_SIMD_OF(value - Register{});
  }

  Register values_;
};
#undef KOLAM_SIMD_OF

///@{
/// Returns a * b + c, rounded once if the processor has a fused operation; for Simd lane by lane.
template <class T>
  requires std::is_floating_point_v<T>
KOKKOS_FORCEINLINE_FUNCTION T multiply_add(T a, T b, T c) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__) || defined(__FP_FAST_FMA) || \
    defined(__FMA__)  // Clang defines only the last
  return Kokkos::fma(a, b, c);
#else
  return a * b + c;
#endif
}

template <class T, int N>
KOKKOS_FORCEINLINE_FUNCTION Simd<T, N> multiply_add(const Simd<T, N>& a, const Simd<T, N>& b,
                                                    const Simd<T, N>& c) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return c;
#else
  typename Simd<T, N>::Register result;
  detail::multiply_add_lanes<T>(result, a.values(), b.values(), c.values());
  return Simd<T, N>(result);
#endif
}
template <class T, int N>
KOKKOS_FORCEINLINE_FUNCTION Simd<T, N> multiply_add(T a, const Simd<T, N>& b, const Simd<T, N>& c) {
  return multiply_add(Simd<T, N>(a), b, c);
}
///@}

/// The number of elements that a thread of Exec processes together: as many as fill a register on
/// hosts, one on devices.
template <ExecutionSpace Exec, class T>
inline constexpr int simd_width =
    has_block_threads<Exec> ? 1 : static_cast<int>(detail::register_bytes / sizeof(T));

/// One value of T for each of the simd_width elements.
template <ExecutionSpace Exec, class T>
using SimdValue = std::conditional_t<has_block_threads<Exec>, T,
                                     Simd<T, static_cast<int>(detail::register_bytes / sizeof(T))>>;

}  // namespace kolam
