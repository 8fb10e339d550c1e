// SPDX-License-Identifier: Apache-2.0
// Non-temporal stores on hosts, which bypass the cache. A plain store first reads the line that
// it overwrites; on large arrays this read is a third of a copy's traffic. To avoid it, kernels
// compute a few KiB into a buffer in the first-level cache, and store the buffer from there.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <kolam/core/detail/vector_instructions.hpp>
#include <type_traits>
#ifdef __SSE2__
#include <xmmintrin.h>
#endif

namespace kolam {

namespace detail {

/// Calls f(address) with an address in every cache line that holds one of the `bytes` bytes from
/// `data` on.
template <class F>
void for_each_cache_line(const void* data, std::ptrdiff_t bytes, const F& f) {
  constexpr std::ptrdiff_t line = 64;
  if (bytes <= 0) return;
  const char* const first = static_cast<const char*>(data);
  const auto past = static_cast<std::ptrdiff_t>(reinterpret_cast<std::uintptr_t>(data) % line);
  for (std::ptrdiff_t b = 0; b < past + bytes; b += line) f(first + (b == 0 ? 0 : b - past));
}

}  // namespace detail

/// Prefetches the cache lines of [data, data + count) for reading.
template <class T>
inline void prefetch_to_cache(const T* data, std::ptrdiff_t count) {
  detail::for_each_cache_line(data, count * static_cast<std::ptrdiff_t>(sizeof(T)),
                              [](const char* line) { __builtin_prefetch(line); });
}

/// Copies `count` values to `to`, with non-temporal stores if the processor has them (x86-64). Use
/// it for values not read again soon. Call non_temporal_fence() before another thread reads them.
template <class T>
inline void store_non_temporal(T* to, const T* from, std::ptrdiff_t count) {
  static_assert(std::is_trivially_copyable_v<T>);
#ifdef __SSE2__
  // Whole cache lines only: a line that receives both non-temporal and plain stores is written to
  // memory several times.
  constexpr auto width = static_cast<std::ptrdiff_t>(detail::non_temporal_bytes / sizeof(T));
  constexpr auto line = static_cast<std::ptrdiff_t>(64 / sizeof(T));
  const auto past =
      static_cast<std::ptrdiff_t>(reinterpret_cast<std::uintptr_t>(to) % 64 / sizeof(T));
  const std::ptrdiff_t head = std::min(count, (line - past) % line);
  std::copy_n(from, head, to);
  std::ptrdiff_t i = head;
  for (; i + line <= count; i += line)
    for (std::ptrdiff_t k = i; k < i + line; k += width) detail::move_past_cache(to + k, from + k);
  std::copy_n(from + i, count - i, to + i);
#else
  std::copy_n(from, count, to);
#endif
}

/// Returns whether `bytes` exceed the host's last-level cache. Non-temporal stores are faster above
/// this size and slower below it.
bool exceeds_cache(std::uint64_t bytes);

/// Makes this thread's non-temporal stores visible to other threads, like ordinary stores.
inline void non_temporal_fence() {
#ifdef __SSE2__
  _mm_sfence();
#endif
}

}  // namespace kolam
