// SPDX-License-Identifier: Apache-2.0
// Boxes of points of a field: in place, as one line, and packed.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <kolam/comm/decomposition.hpp>
#include <kolam/core/for_each.hpp>
#include <kolam/core/reshape.hpp>
#include <utility>

namespace kolam::grid::detail {

template <class View, std::size_t... D>
auto part(const View& view, const Box<sizeof...(D)>& box, std::index_sequence<D...>) {
  return Kokkos::subview(view, std::pair(box[D].begin, box[D].end)...);
}

/// Returns the points of a field that are in `box`.
template <int N, class View>
auto part(const View& view, const Box<N>& box) {
  return part(view, box, std::make_index_sequence<static_cast<std::size_t>(N)>{});
}

/// Returns contiguous values as one line, which is copied without a kernel.
template <class View>
auto as_line(const View& view) {
  using Value = typename View::value_type;
  return Kokkos::View<Value*, typename View::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
      view.data(), view.size());
}

template <class View, std::size_t... D>
auto packed_like(const View& view, char* bytes, std::index_sequence<D...>) {
  using Value = typename View::value_type;
  return Kokkos::View<typename kolam::detail::AddPointers<Value, sizeof...(D)>::type,
                      Kokkos::LayoutLeft, typename View::memory_space,
                      Kokkos::MemoryTraits<Kokkos::Unmanaged>>(reinterpret_cast<Value*>(bytes),
                                                               view.extent(D)...);
}

/// Returns the bytes as values of the shape of `view`.
template <class View>
auto packed_like(const View& view, char* bytes) {
  return packed_like(view, bytes, std::make_index_sequence<View::rank()>{});
}

/// Copies rows of contiguous values; the steps are the distances from one index to the next, in all
/// dimensions but x.
template <int N, class T>
struct CopyRows {
  const T* from;
  T* to;
  index_t from_step[N - 1], to_step[N - 1];

  KOKKOS_FUNCTION void operator()(index_t i, index_t j) const {
    to[i + j * to_step[0]] = from[i + j * from_step[0]];
  }
  KOKKOS_FUNCTION void operator()(index_t i, index_t j, index_t k) const {
    to[i + j * to_step[0] + k * to_step[N - 2]] = from[i + j * from_step[0] + k * from_step[N - 2]];
  }
};

/// Launches a copy on `exec`, without a kernel if both are contiguous.
template <class Exec, class To, class From>
void copy_box(const Exec& exec, const To& to, const From& from) {
  if (to.span_is_contiguous() && from.span_is_contiguous()) {
    Kokkos::deep_copy(exec, as_line(to), as_line(from));
    return;
  }
  constexpr int N = To::rank();
  Box<N> all{};
  for (std::size_t d = 0; d < N; ++d) all[d] = {0, static_cast<index_t>(to.extent(d))};
  CopyRows<N, typename To::value_type> copy{from.data(), to.data(), {}, {}};
  for (int d = 1; d < N; ++d) {
    copy.from_step[d - 1] = static_cast<index_t>(from.stride(d));
    copy.to_step[d - 1] = static_cast<index_t>(to.stride(d));
  }
  for_each(exec, "kolam::copy_box", all, copy);
}

}  // namespace kolam::grid::detail
