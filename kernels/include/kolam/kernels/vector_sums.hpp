// SPDX-License-Identifier: Apache-2.0
// Sums over the entries of vectors, several at once. The order of additions depends only on the
// vectors' length.
#pragma once

#include <Kokkos_Core.hpp>
#include <array>
#include <kolam/core/detail/allocate.hpp>
#include <kolam/core/detail/simd_loop.hpp>
#include <kolam/core/forall_blocks.hpp>
#include <string>

namespace kolam {
namespace detail {

// Largest number of entries that one block adds up.
inline constexpr index_t entries_of_block = 4096;

// Returns the entries per block for vectors of `entries`: on devices fewer for short vectors, so
// that all multiprocessors have blocks.
template <ExecutionSpace Exec>
index_t entries_of_block_in(index_t entries) {
  constexpr index_t wanted_blocks = 1024;
  if (!has_block_threads<Exec>) return entries_of_block;
  index_t each = 256;
  while (each < entries_of_block && each * wanted_blocks < entries) each *= 2;
  return each;
}

template <ExecutionSpace Exec>
using SumShape = StaticShape<block_threads<Exec, 256>>;

// Number of independent sums of a thread: on hosts several, which the compiler may put into SIMD
// lanes.
template <ExecutionSpace Exec>
inline constexpr int sums_side_by_side = has_block_threads<Exec> ? 1 : 8;

template <int N, ExecutionSpace Exec, class Body>
struct PartialSums {
  index_t entries;
  index_t of_block;
  Body body;
  Kokkos::View<double* [N], Kokkos::LayoutLeft, typename Exec::memory_space> partial;

  KOKKOS_FUNCTION void operator()(const kolam::Block<Exec, SumShape<Exec>>& block,
                                  index_t b) const {
    constexpr int width = sums_side_by_side<Exec>;
    const index_t first = b * of_block;
    const index_t count = Kokkos::min(of_block, entries - first);
    double sums[width][N] = {};
    if constexpr (width == 1) {
      block.foreach_x(count, [&](index_t i) { body(first + i, sums[0]); });
    } else {
      KOKKOS_IF_ON_HOST((add_in_lanes(first, count, sums);))
    }
    for (int k = 0; k < N; ++k) {
      const double sum = block.sum(sums[0][k]);
      block.once([&] { partial(b, k) = sum; });
    }
  }

 private:
  template <int Width>
  void add_in_lanes(index_t first, index_t count, double (&sums)[Width][N]) const {
    for (index_t i = 0; i + Width <= count; i += Width)
      simd_loop(0, Width, [&](index_t w) { body(first + i + w, sums[w]); });
    for (index_t i = count / Width * Width; i < count; ++i) body(first + i, sums[0]);
    for (int w = 1; w < Width; ++w)
      for (int k = 0; k < N; ++k) sums[0][k] += sums[w][k];
  }
};

template <int N, ExecutionSpace Exec, class Then>
struct FinishSums {
  Kokkos::View<const double* [N], Kokkos::LayoutLeft, typename Exec::memory_space> partial;
  index_t count;
  Then then;

  KOKKOS_FUNCTION void operator()(const kolam::Block<Exec, SumShape<Exec>>& block, index_t) const {
    double sums[N] = {};
    block.foreach_x(count, [&](index_t b) {
      for (int k = 0; k < N; ++k) sums[k] += partial(b, k);
    });
    for (int k = 0; k < N; ++k) sums[k] = block.sum(sums[k]);
    block.once([&] { then(sums); });
  }
};

// A number in device memory for later kernels, such as one computed from sums.
template <class T>
struct DeviceNumber {
  const double* at;
  KOKKOS_FORCEINLINE_FUNCTION operator T() const { return static_cast<T>(*at); }
};

template <int N>
struct StoreSums {
  Kokkos::View<double[N], Kokkos::SharedHostPinnedSpace> result;
  KOKKOS_FUNCTION void operator()(const double (&sums)[N]) const {
    for (int k = 0; k < N; ++k) result(k) = sums[k];
  }
};

// The N partial sums of each block, and their totals.
template <int N, ExecutionSpace Exec>
class SumsOfBlocks {
 public:
  SumsOfBlocks(const Exec& exec, index_t blocks)
      : exec_(exec),
        partial_(allocate_view<Partial>(exec, "kolam::partial sums", blocks)),
        result_("kolam::sums") {}

  using Partial = Kokkos::View<double* [N], Kokkos::LayoutLeft, typename Exec::memory_space>;
  const Exec& exec() const { return exec_; }
  index_t blocks() const { return static_cast<index_t>(partial_.extent(0)); }
  // [block, sum]
  const Partial& partial() const { return partial_; }

  // Adds the partial sums in a fixed order and calls then(sums) once on Exec. Asynchronous.
  template <class Then>
  void finish(const std::string& label, const Then& then) const {
    forall(exec_, label + ", in all", 1, SumShape<Exec>{},
           FinishSums<N, Exec, Then>{partial_, blocks(), then});
  }
  // Returns a functor for `finish` that stores the sums for `wait`.
  StoreSums<N> store() const { return {result_}; }
  std::array<double, N> wait(const std::string& label) const {
    exec_.fence(label);
    std::array<double, N> sums;
    for (int k = 0; k < N; ++k) sums[static_cast<std::size_t>(k)] = result_(k);
    return sums;
  }

 private:
  Exec exec_;
  Partial partial_;
  Kokkos::View<double[N], Kokkos::SharedHostPinnedSpace> result_;
};

}  // namespace detail

/// N sums over the entries of vectors, with a workspace for partial sums:
/// \code
///   const kolam::VectorSums<2, Exec> sums(exec, n);
///   const auto [xy, xx] = sums.of("dots", KOKKOS_LAMBDA(kolam::index_t i, double (&s)[2]) {
///     s[0] += x(i) * y(i);
///     s[1] += x(i) * x(i);
///   });
/// \endcode
/// Entries are added in blocks, and blocks in a fixed order: the bits of a sum depend on the kind
/// of backend, but not on the number of threads. Each entry is visited once, so a body may change
/// vectors at its entry.
template <int N, ExecutionSpace Exec>
class VectorSums {
 public:
  /// Allocates 8 N bytes of workspace for every 4096 entries (on devices up to 16 times as much for
  /// short vectors). Throws OutOfMemory.
  VectorSums(const Exec& exec, index_t entries)
      : entries_(entries), blocks_(exec, blocks_of(entries)) {}

  /// Calls body(i, sums) for every entry and then, once on Exec, then(sums); sums is a
  /// double (&)[N]. Asynchronous.
  template <class Body, class Then>
  void start(const std::string& label, const Body& body, const Then& then) const {
    add_blocks(blocks_.exec(), label, entries_, body, blocks_.partial());
    blocks_.finish(label, then);
  }

  /// Returns the sums that body(i, sums) adds up over all entries. Waits.
  template <class Body>
  std::array<double, N> of(const std::string& label, const Body& body) const {
    start(label, body, blocks_.store());
    return blocks_.wait(label);
  }

  /// \cond
  using Partial = typename detail::SumsOfBlocks<N, Exec>::Partial;
  static index_t blocks_of(index_t entries) {
    const index_t of_block = detail::entries_of_block_in<Exec>(entries);
    return (entries + of_block - 1) / of_block;
  }
  // Sets the partial sums of the blocks.
  template <class Body>
  static void add_blocks(const Exec& exec, const std::string& label, index_t entries,
                         const Body& body, const Partial& partial) {
    forall(exec, label, blocks_of(entries), detail::SumShape<Exec>{},
           detail::PartialSums<N, Exec, Body>{entries, detail::entries_of_block_in<Exec>(entries),
                                              body, partial});
  }
  /// \endcond

 private:
  index_t entries_;
  detail::SumsOfBlocks<N, Exec> blocks_;
};

}  // namespace kolam
