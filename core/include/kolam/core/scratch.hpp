// SPDX-License-Identifier: Apache-2.0
// Memory that the threads of one block share while the block runs (MFEM_SHARED).
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <kolam/core/index.hpp>
#include <type_traits>

// Silences nvcc, which would warn about a host lambda in a body that only host blocks run.
#ifdef __CUDACC__
#define KOLAM_HOST_OR_DEVICE_BODY _Pragma("nv_exec_check_disable")
#else
#define KOLAM_HOST_OR_DEVICE_BODY
#endif

namespace kolam {
namespace detail {

// Alignment of block scratch, in bytes.
inline constexpr int scratch_alignment = 16;

template <class T>
inline constexpr bool is_raw =
    std::is_trivially_default_constructible_v<T> && std::is_trivially_destructible_v<T> &&
    alignof(T) <= scratch_alignment;

/// Returns the calling thread's scratch of at least `bytes`, aligned to 64 bytes and valid until
/// the thread's next call.
void* host_scratch(std::size_t bytes);

struct NoScratch {
  static constexpr int alignment = 1;
  KOKKOS_FUNCTION static constexpr std::size_t bytes() { return 0; }
  KOLAM_HOST_OR_DEVICE_BODY
  template <class Body, class Block, class Memory>
  KOKKOS_FORCEINLINE_FUNCTION void call(const Body& body, const Block& block, index_t e,
                                        const Memory&) const {
    body(block, e);
  }
};

}  // namespace detail

/// Block scratch for one `S`, a struct of plain arrays, uninitialised when a block starts. The body
/// takes an `S&`.
template <class S>
struct Scratch {
  static_assert(detail::is_raw<S>,
                "block scratch is raw memory, aligned to 16 bytes: use a struct of plain arrays");

  /// \cond
  // (Used by the loops over blocks.)
  static constexpr int alignment = alignof(S);
  KOKKOS_FUNCTION static constexpr std::size_t bytes() { return sizeof(S); }
  KOLAM_HOST_OR_DEVICE_BODY
  template <class Body, class Block, class Memory>
  KOKKOS_FORCEINLINE_FUNCTION void call(const Body& body, const Block& block, index_t e,
                                        const Memory& memory) const {
    body(block, *static_cast<S*>(memory()), e);
  }
  /// \endcond
};

/// The argument that a body takes for a ScratchArray.
template <class T>
using ScratchView =
    Kokkos::View<T*, Kokkos::AnonymousSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

/// Block scratch for `count` values of T, known at run time, uninitialised when a block starts. The
/// body takes a `ScratchView<T>`.
template <class T>
struct ScratchArray {
  static_assert(detail::is_raw<T>,
                "block scratch is raw memory, aligned to 16 bytes: use plain values");
  /// \cond
  static constexpr int alignment = detail::scratch_alignment;
  /// \endcond
  int count;  ///< number of values; if negative, the launch throws InvalidArgument

  /// \cond
  // (Used by the loops over blocks.)
  KOKKOS_FUNCTION std::size_t bytes() const { return static_cast<std::size_t>(count) * sizeof(T); }
  KOLAM_HOST_OR_DEVICE_BODY
  template <class Body, class Block, class Memory>
  KOKKOS_FORCEINLINE_FUNCTION void call(const Body& body, const Block& block, index_t e,
                                        const Memory& memory) const {
    body(block, ScratchView<T>(static_cast<T*>(memory()), count), e);
  }
  /// \endcond
};

}  // namespace kolam
