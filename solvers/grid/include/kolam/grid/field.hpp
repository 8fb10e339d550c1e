// SPDX-License-Identifier: Apache-2.0
// An array of the values of one subdomain and its ghosts.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <kolam/core/index_box.hpp>
#include <kolam/core/reshape.hpp>
#include <kolam/core/source_location.hpp>
#include <kolam/kernels/stencil/field_layout.hpp>
#include <kolam/memory/array.hpp>
#include <memory>
#include <string>

namespace kolam::grid {
namespace detail {

template <int N>
Extents<N> extents_of(const Box<N>& box) {
  Extents<N> extents{};
  for (std::size_t d = 0; d < N; ++d) extents[d] = box[d].end - box[d].begin;
  return extents;
}

}  // namespace detail

/// An Array of T for the points of a subdomain, the ghosts around them and the padding of its
/// FieldLayout. Intents are those of Array and return Views of all these values:
/// \code
///   kolam::grid::Field<double, 2> u("u", kolam::field_layout<2>({nx, ny}, 1, sizeof(double)));
///   auto all = u.write(exec);                                 // View<double*>: [layout.size]
///   auto points = kolam::grid::with_ghosts(u.layout(), all);  // View<double**, LayoutLeft>
/// \endcode
/// Allocates at the first intent, whose instance determines the device.
template <class T, int N>
class Field {
 public:
  /// Makes a field without memory. `number`: a different number, from 0, for each field of one host
  /// loop, so that their addresses end differently. (A load waits for an earlier store whose
  /// address has the same last 12 bits.)
  Field(const std::string& label, const FieldLayout<N>& layout, int number = 0)
      : layout_(layout),
        shift_(number * static_cast<index_t>(1152 / sizeof(T))),
        values_(kolam::detail::ArrayAccess::make<T, 1>(
            std::make_shared<kolam::detail::Storage>(
                label, static_cast<std::size_t>(shift_ + layout.size) * sizeof(T),
                kolam::detail::ValueType{sizeof(T), page}, default_memory_kind()),
            {0, {shift_ + layout.size}, {}})) {}

  /// Returns the layout of points and ghosts in the Views.
  const FieldLayout<N>& layout() const { return layout_; }
  /// Returns the array, with its counters and its policy.
  const Array<T>& array() const { return values_; }

  ///@{
  /// Returns a View of layout().size values, as the intent of Array does.
  template <kolam::detail::NamesSide Where>
  auto read(const Where& where, SourceLocation place = SourceLocation::current()) const {
    return from_shift(values_.read(where, place));
  }
  template <kolam::detail::NamesSide Where>
  auto write(const Where& where, SourceLocation place = SourceLocation::current()) {
    return from_shift(values_.write(where, place));
  }
  template <kolam::detail::NamesSide Where>
  auto read_write(const Where& where, SourceLocation place = SourceLocation::current()) {
    return from_shift(values_.read_write(where, place));
  }
  ///@}
  /// Synchronises a side, as Array::sync does.
  template <kolam::detail::NamesSide Where>
  void sync(const Where& where, SourceLocation place = SourceLocation::current()) const {
    values_.sync(where, place);
  }

 private:
  static constexpr std::size_t page = 4096;

  template <class View>
  View from_shift(const View& all) const {
    return View(all.data() + shift_, static_cast<std::size_t>(layout_.size));
  }

  FieldLayout<N> layout_;
  index_t shift_;  // in values, from the beginning of a page
  Array<T> values_;
};

/// Returns the points of `view`, which an intent on a Field returned, with all their ghosts: a View
/// with N indices from the first ghost. Rows extend into the padding.
template <int N, class View>
auto with_ghosts(const FieldLayout<N>& layout, const View& view) {
  using Result =
      Kokkos::View<typename kolam::detail::AddPointers<typename View::value_type,
                                                       static_cast<std::size_t>(N)>::type,
                   Kokkos::LayoutLeft, typename View::memory_space>;
  auto* first = view.data() + layout.origin - layout.depth;
  for (std::size_t d = 1; d < N; ++d) first -= layout.depth * layout.stride[d];
  const auto extent = [&](std::size_t d) {
    return static_cast<std::size_t>(layout.own[d] + 2 * layout.depth);
  };
  const auto row = static_cast<std::size_t>(layout.stride[1]);
  if constexpr (N == 2) {
    return Result(first, row, extent(1));
  } else {
    return Result(first, row, extent(1), extent(2));
  }
}

/// Returns the own points of `view`, which an intent on a Field returned, without ghosts: a View of
/// their extents with N indices from 0 and Kokkos::LayoutStride, for Kokkos' algorithms and loops
/// over boxes.
/// \code
///   auto u_points = kolam::grid::interior(u.layout(), u.read_write(exec));
///   kolam::for_each(exec, "scale", u.layout().all(), Scale{u_points});
///   auto last_row = kolam::grid::row(u.layout(), u.read(kolam::host), ny - 1);  // View<const double*>: [nx]
/// \endcode
template <int N, class View>
auto interior(const FieldLayout<N>& layout, const View& view) {
  using Result =
      Kokkos::View<typename kolam::detail::AddPointers<typename View::value_type,
                                                       static_cast<std::size_t>(N)>::type,
                   Kokkos::LayoutStride, typename View::memory_space>;
  const auto size = [](index_t n) { return static_cast<std::size_t>(n); };
  if constexpr (N == 2) {
    return Result(
        view.data() + layout.origin,
        Kokkos::LayoutStride(size(layout.own[0]), 1, size(layout.own[1]), size(layout.stride[1])));
  } else {
    return Result(
        view.data() + layout.origin,
        Kokkos::LayoutStride(size(layout.own[0]), 1, size(layout.own[1]), size(layout.stride[1]),
                             size(layout.own[2]), size(layout.stride[2])));
  }
}

/// Returns the own points of one row of a Field's View, as a View of one dimension. `index`: j, or
/// j and k, from 0; ghost rows have indices below 0 or from the extent on.
template <int N, class View, class... Index>
  requires(sizeof...(Index) == N - 1)
auto row(const FieldLayout<N>& layout, const View& view, Index... index) {
  const index_t indices[] = {static_cast<index_t>(index)...};
  auto* first = view.data() + layout.origin;
  for (std::size_t d = 1; d < N; ++d) first += indices[d - 1] * layout.stride[d];
  return Kokkos::View<typename View::value_type*, typename View::memory_space>(
      first, static_cast<std::size_t>(layout.own[0]));
}

}  // namespace kolam::grid
