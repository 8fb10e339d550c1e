// SPDX-License-Identifier: Apache-2.0
// Mathematical functions of Simd and scalars under common names, so that one formula serves both:
//
//   template <class V>  // double, or Simd of it
//   KOKKOS_FUNCTION V viscosity(V shear) {
//     return kolam::select(shear > 1e-6, kolam::pow(shear, -0.3), 60.0);
//   }
#pragma once

#include <Kokkos_Core.hpp>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <kolam/core/simd.hpp>
#include <limits>
#include <type_traits>

namespace kolam {

/// The result of a comparison of Simd: a truth value in each lane.
template <class T, int N>
class SimdMask {
 public:
  /// An integer of the size of T: all bits of a lane are set, or none.
  using Bits = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;
  using Register = typename detail::SimdRegister<Bits, N>::type;  ///< the bits of all lanes

  /// Wraps the bits of all lanes.
  KOKKOS_FORCEINLINE_FUNCTION explicit SimdMask(const Register& bits) : bits_(bits) {}

  /// Returns whether the mask holds in one lane, 0 to N - 1.
  KOKKOS_FORCEINLINE_FUNCTION bool operator[](int lane) const { return bits_[lane] != 0; }
  /// Returns the bits: all bits of a lane are set if the mask holds there.
  KOKKOS_FORCEINLINE_FUNCTION const Register& bits() const { return bits_; }

 private:
  Register bits_;
};

// (Device code never runs these: there, Simd is a plain array.)
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define KOLAM_ON_HOST(expression) \
  {                               \
  }
#else
#define KOLAM_ON_HOST(expression) (expression)
#endif

///@{
/// Compares lane by lane; a scalar stands for N equal lanes.
#define KOLAM_COMPARE(OP)                                                             \
  template <class T, int N>                                                           \
  KOKKOS_FORCEINLINE_FUNCTION SimdMask<T, N> operator OP(const Simd<T, N>& a,         \
                                                         const Simd<T, N>& b) {       \
    return SimdMask<T, N>(                                                            \
        typename SimdMask<T, N>::Register KOLAM_ON_HOST(a.values() OP b.values()));   \
  }                                                                                   \
  template <class T, int N>                                                           \
  KOKKOS_FORCEINLINE_FUNCTION SimdMask<T, N> operator OP(const Simd<T, N>& a,         \
                                                         std::type_identity_t<T> b) { \
    return a OP Simd<T, N>(b);                                                        \
  }                                                                                   \
  template <class T, int N>                                                           \
  KOKKOS_FORCEINLINE_FUNCTION SimdMask<T, N> operator OP(std::type_identity_t<T> a,   \
                                                         const Simd<T, N>& b) {       \
    return Simd<T, N>(a) OP b;                                                        \
  }
KOLAM_COMPARE(<)
KOLAM_COMPARE(<=)
KOLAM_COMPARE(>)
KOLAM_COMPARE(>=)
KOLAM_COMPARE(==)
KOLAM_COMPARE(!=)
#undef KOLAM_COMPARE
///@}

///@{
/// Logic lane by lane. Both sides are evaluated.
template <class T, int N>
KOKKOS_FORCEINLINE_FUNCTION SimdMask<T, N> operator&(const SimdMask<T, N>& a,
                                                     const SimdMask<T, N>& b) {
  return SimdMask<T, N>(typename SimdMask<T, N>::Register KOLAM_ON_HOST(a.bits() & b.bits()));
}
template <class T, int N>
KOKKOS_FORCEINLINE_FUNCTION SimdMask<T, N> operator|(const SimdMask<T, N>& a,
                                                     const SimdMask<T, N>& b) {
  return SimdMask<T, N>(typename SimdMask<T, N>::Register KOLAM_ON_HOST(a.bits() | b.bits()));
}
template <class T, int N>
KOKKOS_FORCEINLINE_FUNCTION SimdMask<T, N> operator!(const SimdMask<T, N>& a) {
  return SimdMask<T, N>(typename SimdMask<T, N>::Register KOLAM_ON_HOST(~a.bits()));
}
///@}

///@{
/// Returns `a` in lanes that `mask` selects, `b` in the others. Both are evaluated, and either may
/// be a scalar.
template <class T, int N>
KOKKOS_FORCEINLINE_FUNCTION Simd<T, N> select(
    [[maybe_unused]] const SimdMask<T, N>& mask, const std::type_identity_t<Simd<T, N>>& a,
    [[maybe_unused]] const std::type_identity_t<Simd<T, N>>& b) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return a;
#else
  return Simd<T, N>(mask.bits() ? a.values() : b.values());
#endif
}
template <std::floating_point T>
KOKKOS_FORCEINLINE_FUNCTION T select(bool mask, T a, std::type_identity_t<T> b) {
  return mask ? a : b;
}
///@}

///@{
/// Returns the smaller or the larger value, lane by lane; `a` if one of them is NaN, like std::min
/// and std::max.
template <class T, int N>
KOKKOS_FORCEINLINE_FUNCTION Simd<T, N> min(const Simd<T, N>& a,
                                           const std::type_identity_t<Simd<T, N>>& b) {
  return select(b < a, b, a);
}
template <class T, int N>
KOKKOS_FORCEINLINE_FUNCTION Simd<T, N> max(const Simd<T, N>& a,
                                           const std::type_identity_t<Simd<T, N>>& b) {
  return select(a < b, b, a);
}
template <std::floating_point T>
KOKKOS_FORCEINLINE_FUNCTION T min(T a, std::type_identity_t<T> b) {
  return b < a ? b : a;
}
template <std::floating_point T>
KOKKOS_FORCEINLINE_FUNCTION T max(T a, std::type_identity_t<T> b) {
  return a < b ? b : a;
}
///@}

///@{
/// Returns the magnitude; the magnitude of -0 is 0.
template <class T, int N>
KOKKOS_FORCEINLINE_FUNCTION Simd<T, N> abs(const Simd<T, N>& a) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return a;
#else
  using Bits = typename SimdMask<T, N>::Bits;
  using Register = typename SimdMask<T, N>::Register;
  const Register magnitude =
      Register{} + std::numeric_limits<Bits>::max();  // all bits but the sign
  return Simd<T, N>((typename Simd<T, N>::Register)((Register)a.values() & magnitude));
#endif
}
template <std::floating_point T>
KOKKOS_FORCEINLINE_FUNCTION T abs(T a) {
  return Kokkos::fabs(a);
}
///@}

///@{
/// Returns the square root: one instruction with AVX, a call per lane without.
template <class T, int N>
KOKKOS_FORCEINLINE_FUNCTION Simd<T, N> sqrt(const Simd<T, N>& a) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return a;
#else
  typename Simd<T, N>::Register result;
  detail::square_roots<T>(result, a.values());
  return Simd<T, N>(result);
#endif
}
template <std::floating_point T>
KOKKOS_FORCEINLINE_FUNCTION T sqrt(T a) {
  return Kokkos::sqrt(a);
}
///@}

///@{
/// The functions exp, log, sin, cos and tanh of the C library; for Simd one call per lane.
#define KOLAM_FUNCTION(NAME)                                         \
  template <class T, int N>                                          \
  KOKKOS_FORCEINLINE_FUNCTION Simd<T, N> NAME(const Simd<T, N>& a) { \
    Simd<T, N> result(T(0));                                         \
    for (int i = 0; i < N; ++i) result.set(i, Kokkos::NAME(a[i]));   \
    return result;                                                   \
  }                                                                  \
  template <std::floating_point T>                                   \
  KOKKOS_FORCEINLINE_FUNCTION T NAME(T a) {                          \
    return Kokkos::NAME(a);                                          \
  }
KOLAM_FUNCTION(exp)
KOLAM_FUNCTION(log)
KOLAM_FUNCTION(sin)
KOLAM_FUNCTION(cos)
KOLAM_FUNCTION(tanh)
#undef KOLAM_FUNCTION
///@}

///@{
/// Returns base to the power exponent; for Simd one call per lane.
template <class T, int N>
KOKKOS_FORCEINLINE_FUNCTION Simd<T, N> pow(const Simd<T, N>& base,
                                           const std::type_identity_t<Simd<T, N>>& exponent) {
  Simd<T, N> result(T(0));
  for (int i = 0; i < N; ++i) result.set(i, Kokkos::pow(base[i], exponent[i]));
  return result;
}
template <std::floating_point T>
KOKKOS_FORCEINLINE_FUNCTION T pow(T base, std::type_identity_t<T> exponent) {
  return Kokkos::pow(base, exponent);
}
///@}

#undef KOLAM_ON_HOST

}  // namespace kolam
