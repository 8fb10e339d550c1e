// SPDX-License-Identifier: Apache-2.0
// Sums over the entries of vectors, several at once, in an order that depends on nothing but their
// length.
#pragma once

#include <Kokkos_Core.hpp>
#include <array>
#include <kolam/core/detail/allocate.hpp>
#include <kolam/core/forall_blocks.hpp>
#include <string>

namespace kolam {
namespace detail {

// Entries that a block adds up.
inline constexpr index_t entries_of_block = 4096;

template <ExecutionSpace Exec>
using SumShape = StaticShape<block_threads<Exec, 256>>;

// What a thread adds: on hosts as many sums side by side as the compiler may put into lanes.
template <ExecutionSpace Exec>
inline constexpr int sums_side_by_side = has_block_threads<Exec> ? 1 : 8;

template <int N, ExecutionSpace Exec, class Body>
struct PartialSums {
  index_t entries;
  Body body;
  Kokkos::View<double* [N], Kokkos::LayoutLeft, typename Exec::memory_space> partial;

  KOKKOS_FUNCTION void operator()(const kolam::Block<Exec, SumShape<Exec>>& block,
                                  index_t b) const {
    constexpr int width = sums_side_by_side<Exec>;
    constexpr index_t most = entries_of_block;
    const index_t first = b * most;
    const index_t count = Kokkos::min(most, entries - first);
    double sums[width][N] = {};
    block.foreach_x(count / width, [&](index_t i) {
      for (int w = 0; w < width; ++w) body(first + i * width + w, sums[w]);
    });
    if constexpr (width > 1) {
      for (index_t i = count / width * width; i < count; ++i) body(first + i, sums[0]);
      for (int w = 1; w < width; ++w)
        for (int k = 0; k < N; ++k) sums[0][k] += sums[w][k];
    }
    for (int k = 0; k < N; ++k) {
      const double sum = block.sum(sums[0][k]);
      block.once([&] { partial(b, k) = sum; });
    }
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

template <int N>
struct StoreSums {
  Kokkos::View<double[N], Kokkos::SharedHostPinnedSpace> result;
  KOKKOS_FUNCTION void operator()(const double (&sums)[N]) const {
    for (int k = 0; k < N; ++k) result(k) = sums[k];
  }
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
/// Entries are added in blocks, blocks in their order: the bits of a sum do not depend on the
/// number of threads (but on the kind of backend).
template <int N, ExecutionSpace Exec>
class VectorSums {
 public:
  /// Takes 8 N bytes for every 4096 entries. Throws OutOfMemory.
  VectorSums(const Exec& exec, index_t entries)
      : exec_(exec),
        entries_(entries),
        blocks_((entries + detail::entries_of_block - 1) / detail::entries_of_block),
        partial_(detail::allocate_view<decltype(partial_)>(exec, "kolam::partial sums", blocks_)),
        result_("kolam::sums") {}

  /// Calls body(i, sums) for every entry, and then, once on Exec, then(sums) with double (&)[N].
  /// Asynchronous.
  template <class Body, class Then>
  void start(const std::string& label, const Body& body, const Then& then) const {
    forall(exec_, label, blocks_, detail::SumShape<Exec>{},
           detail::PartialSums<N, Exec, Body>{entries_, body, partial_});
    forall(exec_, label + ", in all", 1, detail::SumShape<Exec>{},
           detail::FinishSums<N, Exec, Then>{partial_, blocks_, then});
  }

  /// The sums. Waits.
  template <class Body>
  std::array<double, N> of(const std::string& label, const Body& body) const {
    start(label, body, detail::StoreSums<N>{result_});
    exec_.fence(label);
    std::array<double, N> sums;
    for (int k = 0; k < N; ++k) sums[static_cast<std::size_t>(k)] = result_(k);
    return sums;
  }

 private:
  Exec exec_;
  index_t entries_;
  index_t blocks_;
  Kokkos::View<double* [N], Kokkos::LayoutLeft, typename Exec::memory_space> partial_;
  Kokkos::View<double[N], Kokkos::SharedHostPinnedSpace> result_;
};

}  // namespace kolam
