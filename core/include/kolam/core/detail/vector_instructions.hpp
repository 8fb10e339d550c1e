// SPDX-License-Identifier: Apache-2.0
// Instructions of x86-64 on the compiler's vectors, as builtins of GCC and Clang, and loops that
// stand for them elsewhere. (<immintrin.h> takes a fifth of the time of all headers to compile.)
#pragma once

#include <cmath>
#include <cstddef>
#include <cstring>

#ifdef __clang__
#define KOLAM_HAS_BUILTIN(name) __has_builtin(name)
#else
#define KOLAM_HAS_BUILTIN(name) 0
#endif

namespace kolam::detail {

template <class T, int bytes>
struct VectorOfBytes {
  typedef T type __attribute__((vector_size(bytes)));
};

inline constexpr int current_rounding = 4;  // _MM_FROUND_CUR_DIRECTION

// (Results are arguments: the binary interface for a returned vector depends on -march.)

/// result = a * b + c for vectors V of T, rounded once if there is an instruction for it.
template <class T, class V>
[[gnu::always_inline]] inline void multiply_add_lanes(V& result, const V& a, const V& b,
                                                      const V& c) {
  result = a * b + c;
#if KOLAM_HAS_BUILTIN(__builtin_elementwise_fma) && (defined(__FMA__) || defined(__AVX512F__))
  if constexpr (sizeof(V) >= 32) result = __builtin_elementwise_fma(a, b, c);
#else
#ifdef __AVX512F__
  if constexpr (sizeof(V) == 64 && sizeof(T) == 8)
    result = __builtin_ia32_vfmaddpd512_mask(a, b, c, -1, current_rounding);
  if constexpr (sizeof(V) == 64 && sizeof(T) == 4)
    result = __builtin_ia32_vfmaddps512_mask(a, b, c, -1, current_rounding);
#endif
#ifdef __FMA__
  if constexpr (sizeof(V) == 32 && sizeof(T) == 8) result = __builtin_ia32_vfmaddpd256(a, b, c);
  if constexpr (sizeof(V) == 32 && sizeof(T) == 4) result = __builtin_ia32_vfmaddps256(a, b, c);
#endif
#endif
}

/// result = the square roots of a vector V of T: one instruction with AVX, a call per lane without
/// it (and with AVX-512 for Clang before version 17).
template <class T, class V>
[[gnu::always_inline]] inline void square_roots(V& result, const V& a) {
#if KOLAM_HAS_BUILTIN(__builtin_elementwise_sqrt)
  result = __builtin_elementwise_sqrt(a);
#else
#if defined(__AVX512F__) && !defined(__clang__)
  if constexpr (sizeof(V) == 64 && sizeof(T) == 8) {
    result = __builtin_ia32_sqrtpd512_mask(a, V{}, -1, current_rounding);
    return;
  }
  if constexpr (sizeof(V) == 64 && sizeof(T) == 4) {
    result = __builtin_ia32_sqrtps512_mask(a, V{}, -1, current_rounding);
    return;
  }
#endif
#ifdef __AVX__
  if constexpr (sizeof(V) == 32 && sizeof(T) == 8) {
    result = __builtin_ia32_sqrtpd256(a);
    return;
  }
  if constexpr (sizeof(V) == 32 && sizeof(T) == 4) {
    result = __builtin_ia32_sqrtps256(a);
    return;
  }
#endif
  for (std::size_t i = 0; i < sizeof(V) / sizeof(T); ++i) result[i] = std::sqrt(a[i]);
#endif
}

/// result = the next values of an array, as doubles.
template <class V>
[[gnu::always_inline]] inline void load_as_double(V& result, const double* values) {
  std::memcpy(&result, values, sizeof(V));
}
// (Written out where it is one instruction: from a register of floats a processor widens only the
// lower half, from memory either half, but compilers take the register and first move its upper
// half down.)
template <class V>
[[gnu::always_inline]] inline void load_as_double(V& result, const float* values) {
  typename VectorOfBytes<float, int(sizeof(V) / 2)>::type floats;
  std::memcpy(&floats, values, sizeof(floats));
#ifdef __clang__
  result = __builtin_convertvector(floats, V);
#else
#ifdef __AVX512F__
  if constexpr (sizeof(V) == 64) {
    result = __builtin_ia32_cvtps2pd512_mask(floats, V{}, -1, current_rounding);
    return;
  }
#endif
#ifdef __AVX__
  if constexpr (sizeof(V) == 32) {
    result = __builtin_ia32_cvtps2pd256(floats);
    return;
  }
#endif
  for (std::size_t i = 0; i < sizeof(V) / sizeof(double); ++i) result[i] = double(floats[i]);
#endif
}

#ifdef __SSE2__
#if defined(__AVX512F__)
inline constexpr int non_temporal_bytes = 64;
#elif defined(__AVX__)
inline constexpr int non_temporal_bytes = 32;
#else
inline constexpr int non_temporal_bytes = 16;
#endif

/// Copies non_temporal_bytes bytes past the cache; `to` is a multiple of that. (Values of any type,
/// because these builtins store untyped bytes.)
[[gnu::always_inline]] inline void move_past_cache(void* to, const void* from) {
  using Register = VectorOfBytes<long long, non_temporal_bytes>::type;
  Register values;
  std::memcpy(&values, from, sizeof(values));
#if defined(__clang__)
  __builtin_nontemporal_store(values, static_cast<Register*>(to));
#elif defined(__AVX512F__)
  __builtin_ia32_movntdq512(static_cast<Register*>(to), values);
#elif defined(__AVX__)
  __builtin_ia32_movntdq256(static_cast<Register*>(to), values);
#else
  __builtin_ia32_movntdq(static_cast<Register*>(to), values);
#endif
}
#endif

}  // namespace kolam::detail

#undef KOLAM_HAS_BUILTIN
