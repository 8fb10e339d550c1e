// SPDX-License-Identifier: Apache-2.0
// Host stores that bypass the cache. A plain store first reads the line that it overwrites; on
// large arrays that read is a third of a copy's traffic, so leaving it out is worth a detour:
// kernels compute a few KiB into a buffer that stays in the first-level cache, and store the
// buffer out.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#ifdef __SSE2__
#include <immintrin.h>
#endif

namespace kolam {

namespace detail {

/// Calls f(line) for every cache line that has one of `bytes` bytes from `data` on, with an address
/// in it.
template <class F>
void for_each_cache_line(const void* data, std::ptrdiff_t bytes, const F& f) {
  constexpr std::ptrdiff_t line = 64;
  if (bytes <= 0) return;
  const char* const first = static_cast<const char*>(data);
  const auto past = static_cast<std::ptrdiff_t>(reinterpret_cast<std::uintptr_t>(data) % line);
  for (std::ptrdiff_t b = 0; b < past + bytes; b += line) f(first + (b == 0 ? 0 : b - past));
}

}  // namespace detail

/// Asks for the cache lines of [data, data + count) to be fetched for reading.
template <class T>
inline void prefetch_to_cache(const T* data, std::ptrdiff_t count) {
  detail::for_each_cache_line(data, count * static_cast<std::ptrdiff_t>(sizeof(T)),
                              [](const char* line) { __builtin_prefetch(line); });
}

/// Copies `count` values to `to`, which should not be read again soon, past the cache where the
/// processor can (x86-64), else plainly. Before another thread reads them, call
/// non_temporal_fence().
template <class T>
inline void store_non_temporal(T* to, const T* from, std::ptrdiff_t count) {
  static_assert(std::is_trivially_copyable_v<T>);
#ifdef __SSE2__
#if defined(__AVX512F__)
  using Register = __m512i;
  const auto move = [](T* t, const T* f) {
    _mm512_stream_si512(reinterpret_cast<Register*>(t), _mm512_loadu_si512(f));
  };
#elif defined(__AVX__)
  using Register = __m256i;
  const auto move = [](T* t, const T* f) {
    _mm256_stream_si256(reinterpret_cast<Register*>(t),
                        _mm256_loadu_si256(reinterpret_cast<const Register*>(f)));
  };
#else
  using Register = __m128i;
  const auto move = [](T* t, const T* f) {
    _mm_stream_si128(reinterpret_cast<Register*>(t),
                     _mm_loadu_si128(reinterpret_cast<const Register*>(f)));
  };
#endif
  // Whole cache lines only. A line that is stored so in part and stored to in part is written to
  // memory several times.
  constexpr auto width = static_cast<std::ptrdiff_t>(sizeof(Register) / sizeof(T));
  constexpr auto line = static_cast<std::ptrdiff_t>(64 / sizeof(T));
  const auto past =
      static_cast<std::ptrdiff_t>(reinterpret_cast<std::uintptr_t>(to) % 64 / sizeof(T));
  const std::ptrdiff_t head = std::min(count, (line - past) % line);
  std::copy_n(from, head, to);
  std::ptrdiff_t i = head;
  for (; i + line <= count; i += line)
    for (std::ptrdiff_t k = i; k < i + line; k += width) move(to + k, from + k);
  std::copy_n(from + i, count - i, to + i);
#else
  std::copy_n(from, count, to);
#endif
}

/// Whether `bytes` exceed the host's last-level cache, so that non-temporal stores pay; below, it
/// costs.
bool exceeds_cache(std::uint64_t bytes);

/// Makes what this thread stored so visible to others, as ordinary stores are.
inline void non_temporal_fence() {
#ifdef __SSE2__
  _mm_sfence();
#endif
}

}  // namespace kolam
