// SPDX-License-Identifier: Apache-2.0
// Memory that the threads of one block share while the block runs (MFEM_SHARED).
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <kolam/core/index.hpp>
#include <type_traits>

// A body may be a host lambda where only host blocks run it; nvcc would warn of the device's half.
#ifdef __CUDACC__
#define KOLAM_HOST_OR_DEVICE_BODY _Pragma("nv_exec_check_disable")
#else
#define KOLAM_HOST_OR_DEVICE_BODY
#endif

namespace kolam {
namespace detail {

// Block scratch starts at a multiple of this many bytes.
inline constexpr int scratch_alignment = 16;

template <class T>
inline constexpr bool is_raw =
    std::is_trivially_default_constructible_v<T> && std::is_trivially_destructible_v<T> &&
    alignof(T) <= scratch_alignment;

/// The calling thread's scratch of at least `bytes`, aligned to 64 bytes, valid until its next
/// call.
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

/// One `S`, a struct of plain arrays; the body takes an `S&`. Uninitialised when a block starts.
template <class S>
struct Scratch {
  static_assert(detail::is_raw<S>,
                "block scratch is raw memory, aligned to 16 bytes: use a struct of plain arrays");

  /// \cond
  // (For the loops over blocks.)
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

/// What the body takes of a ScratchArray.
template <class T>
using ScratchView =
    Kokkos::View<T*, Kokkos::AnonymousSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

/// `count` values of T, known at run time; the body takes a `ScratchView<T>`. Uninitialised when a
/// block starts.
template <class T>
struct ScratchArray {
  static_assert(detail::is_raw<T>,
                "block scratch is raw memory, aligned to 16 bytes: use plain values");
  /// \cond
  static constexpr int alignment = detail::scratch_alignment;
  /// \endcond
  int count;  ///< of values, at least 0; less is InvalidArgument at the launch

  /// \cond
  // (For the loops over blocks.)
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
