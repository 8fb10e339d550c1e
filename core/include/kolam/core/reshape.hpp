// SPDX-License-Identifier: Apache-2.0
// Flat memory as an N-dimensional array, first index fastest (MFEM's Reshape).
#pragma once

#include <Kokkos_Core.hpp>
#include <concepts>
#include <kolam/core/detail/checked.hpp>
#include <kolam/core/error.hpp>
#include <kolam/core/index.hpp>
#include <string>
#include <type_traits>

namespace kolam {

/// An extent known at compile time: `reshape(x, fixed<4>, fixed<4>, n)`.
template <int N>
inline constexpr std::integral_constant<int, N> fixed{};

namespace detail {

template <class Extent>
inline constexpr bool is_fixed = !std::is_integral_v<Extent>;

template <class Extent>
KOKKOS_FUNCTION constexpr std::size_t static_extent() {
  if constexpr (is_fixed<Extent>) {
    return static_cast<std::size_t>(Extent::value);
  } else {
    return Kokkos::dynamic_extent;
  }
}

// (The conversion of std::integral_constant is not a device function.)
template <class Extent>
KOKKOS_FUNCTION constexpr index_t extent_value(Extent extent) {
  if constexpr (is_fixed<Extent>) {
    return Extent::value;
  } else {
    return static_cast<index_t>(extent);
  }
}

}  // namespace detail

/// A view of memory with an mdspan's extents, some of them known at compile time, first index
/// fastest. It converts to that mdspan. It is not an mdspan itself because nvcc (13.0) lays out the
/// arguments of a kernel wrongly if two mdspans are adjacent.
template <class T, class Extents>
class FixedView {
 public:
  using Mapping = Kokkos::layout_left::mapping<Extents>;  ///< from indices to offsets
  using element_type = T;                                 ///< const if the memory is read-only
  using extents_type = Extents;                           ///< a Kokkos::extents of index_t

  /// Refers to the memory at `data`, which the caller owns.
  KOKKOS_FUNCTION FixedView(T* data, const Extents& extents) : data_(data), mapping_(extents) {}

  /// Returns the value at the indices, one per dimension. (The results of reshape check them in
  /// builds with Kokkos' bounds check.)
  template <std::integral... Indices>
  KOKKOS_FORCEINLINE_FUNCTION T& operator()(Indices... indices) const {
    static_assert(sizeof...(Indices) == Extents::rank());
    return data_[mapping_(static_cast<index_t>(indices)...)];
  }
  /// Returns the address of the first value.
  KOKKOS_FUNCTION T* data() const { return data_; }
  /// Returns the number of dimensions.
  KOKKOS_FUNCTION static constexpr std::size_t rank() { return Extents::rank(); }
  /// Returns the extent, or Kokkos::dynamic_extent if it is known only at run time.
  KOKKOS_FUNCTION static constexpr std::size_t static_extent(std::size_t dimension) {
    return Extents::static_extent(dimension);
  }
  /// Returns the extent of a dimension, from 0.
  KOKKOS_FUNCTION index_t extent(std::size_t dimension) const {
    return mapping_.extents().extent(dimension);
  }
  /// Returns the number of values: the product of all extents.
  KOKKOS_FUNCTION index_t size() const { return mapping_.required_span_size(); }
  /// Converts to an mdspan of the same memory.
  KOKKOS_FUNCTION operator Kokkos::mdspan<T, Extents, Kokkos::layout_left>() const {
    return {data_, mapping_};
  }

 private:
  T* data_;
  Mapping mapping_;
};

namespace detail {

template <class View>
void require_adjacent(const std::string& what, const View& view) {
  if (view.extent(0) > 1 && view.stride(0) != 1) {
    throw InvalidArgument(what + ": the values of the View are " + std::to_string(view.stride(0)) +
                          " apart; copy them into an array of their own first");
  }
}

template <class T, std::size_t Rank>
struct AddPointers {
  using type = typename AddPointers<T*, Rank - 1>::type;
};
template <class T>
struct AddPointers<T, 0> {
  using type = T;
};

template <class T, class Space, class... Extents>
KOKKOS_FUNCTION auto reshaped(const char* label, T* data, Extents... extents) {
  if constexpr ((is_fixed<Extents> || ...)) {
    using FixedExtents = Kokkos::extents<index_t, static_extent<Extents>()...>;
    return checked(label, FixedView<T, FixedExtents>(data, FixedExtents(extent_value(extents)...)));
  } else {
    using View = Kokkos::View<typename AddPointers<T, sizeof...(Extents)>::type, Kokkos::LayoutLeft,
                              Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    return checked(label, View(data, static_cast<std::size_t>(extents)...));
  }
}

}  // namespace detail

/// Returns `data` as an array of `extents`, first index fastest, indexed as `a(i, j, ...)`: an
/// unmanaged LayoutLeft View, or a FixedView if some extents are `fixed`. It owns nothing and costs
/// nothing. Builds with Kokkos' bounds check (Debug) abort on an out-of-range index, on host and
/// device, with a message that names the label, the index and the extent. `Space` is the memory
/// space of `data`.
template <class Space = Kokkos::AnonymousSpace, class T, class... Extents>
KOKKOS_FUNCTION auto reshape(T* data, Extents... extents) {
  static_assert(sizeof...(Extents) > 0 && sizeof...(Extents) <= 8, "reshape takes 1 to 8 extents");
  return detail::reshaped<T, Space>("reshape", data, extents...);
}

/// Returns a contiguous rank-1 View as an array of `extents`, with the View's label and space. Host
/// only. Throws InvalidArgument, naming label and sizes, if the extents ask for more values than
/// the View holds or its values are not adjacent.
template <class T, class... Properties, class... Extents>
auto reshape(const Kokkos::View<T*, Properties...>& view, Extents... extents) {
  static_assert(sizeof...(Extents) > 0 && sizeof...(Extents) <= 8, "reshape takes 1 to 8 extents");
  using Space = typename Kokkos::View<T*, Properties...>::memory_space;
  const index_t size =
      checked_product("reshape of " + view.label(), {static_cast<index_t>(extents)...});
  if (size > static_cast<index_t>(view.extent(0))) {
    throw InvalidArgument("reshape of " + view.label() + ": the extents ask for " +
                          std::to_string(size) + " values, but there are " +
                          std::to_string(view.extent(0)) + "; use smaller extents");
  }
  detail::require_adjacent("reshape of " + view.label(), view);
  return detail::reshaped<T, Space>(view.label().c_str(), view.data(), extents...);
}

}  // namespace kolam
