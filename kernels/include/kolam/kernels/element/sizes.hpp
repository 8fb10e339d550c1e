// SPDX-License-Identifier: Apache-2.0
// The element sizes that kernels are compiled for.
#pragma once

#include <kolam/core/execution.hpp>
#include <kolam/kernels/element/detail/listed_sizes.hpp>
#include <string>
#include <type_traits>
#include <vector>

namespace kolam {

/// An element size: d1d nodes and q1d points in each direction.
template <int D1d, int Q1d, bool Collocated>
struct ElementSize {
  static constexpr int d1d = D1d;                 ///< nodes
  static constexpr int q1d = Q1d;                 ///< points
  static constexpr bool collocated = Collocated;  ///< points are nodes, as in lobatto_element
};

/// Sizes for which kernels of an integrand are compiled: see Integrand.
template <class... Sizes>
struct ElementSizeList {};

namespace detail {

using ListedElementSizes = ElementSizeList<KOLAM_LISTED_ELEMENT_SIZES>;

// HostTeams is for tests, which use two sizes.
template <class Exec>
using ElementSizesFor =
    std::conditional_t<std::same_as<Exec, HostTeams>,
                       ElementSizeList<ElementSize<3, 4, false>, ElementSize<4, 4, true>>,
                       ListedElementSizes>;

// The sizes for which kernels of integrand F are compiled: its own list, or that of the build.
template <class F, class Exec>
struct SizesOf {
  using type = ElementSizesFor<Exec>;
};
template <class F, class Exec>
  requires requires { typename F::sizes; }
struct SizesOf<F, Exec> {
  using type = typename F::sizes;
};

}  // namespace detail

/// Returns the sizes in the order of the list, as CMake's KOLAM_ELEMENT_SIZES spells them: "3x4",
/// or "4x4c" for points that are nodes.
std::vector<std::string> element_sizes();

}  // namespace kolam
