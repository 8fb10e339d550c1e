// SPDX-License-Identifier: Apache-2.0
// Boxes of points of a field: in place and packed, and copies between them.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <kolam/comm/decomposition.hpp>
#include <kolam/core/any_instance.hpp>
#include <kolam/core/for_each.hpp>
#include <kolam/core/reshape.hpp>
#include <optional>
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

/// Copies of boxes, all with the same extents. Steps are the distances from one index to the next,
/// in all dimensions but x. On devices a loop body, whose k goes through all planes of one box after
/// the other.
template <int N, class T>
struct CopyBoxes {
  struct Copy {
    const T* from;
    T* to;
    index_t from_step[N - 1], to_step[N - 1];

    KOKKOS_FUNCTION void operator()(index_t i, index_t j, index_t k) const {
      to[i + j * to_step[0] + k * to_step[N - 2]] =
          from[i + j * from_step[0] + k * from_step[N - 2]];
    }
  };
  static constexpr std::size_t capacity = 16;  // (A launch passes all copies: less than 1 KiB.)

  Copy copies[capacity];
  int planes;  // of a box: 1 in 2D

  KOKKOS_FUNCTION void operator()(index_t i, index_t j, index_t k) const {
    const int plane = static_cast<int>(k);
    if constexpr (N == 2) copies[plane](i, j, 0);
    if constexpr (N == 3) copies[plane / planes](i, j, plane % planes);
  }
};

/// The loop body on hosts. Row r of copy c has the number r * count + c, and each part takes
/// successive numbers: different threads rarely write to a line of the cache that another reads,
/// because the ghosts at a side and the points that are sent from there are adjacent.
template <int N, class T>
struct CopyRows {
  CopyBoxes<N, T> boxes;
  index_t count, points, rows;  // of copies, of a row, of a plane
  index_t parts;

  void operator()(index_t part) const {
    const Range mine = kolam::detail::share_of(count * rows * boxes.planes, parts, part);
    // (A few rows of all copies, then the next, so that lines are still in the cache.)
    for (index_t first = mine.begin; first < mine.end; first += 64 * count) {
      const index_t end = std::min(mine.end, first + 64 * count);
      for (index_t c = 0; c < count; ++c) {
        const auto before = [&](index_t number) { return (number + count - 1 - c) / count; };
        copy(boxes.copies[c], before(first), before(end));
      }
    }
  }
  void copy(const typename CopyBoxes<N, T>::Copy one, index_t row, index_t end) const {
    while (row < end) {
      const index_t k = row / rows, first = row % rows, stop = std::min(rows, first + end - row);
      row += stop - first;
      if (points < 8) {  // Short rows are an outer loop.
        for (index_t i = 0; i < points; ++i)
          for (index_t j = first; j < stop; ++j) one(i, j, k);
      } else {
        for (index_t j = first; j < stop; ++j)
          for (index_t i = 0; i < points; ++i) one(i, j, k);
      }
    }
  }
};

/// Copies between boxes of fields. One launch makes successive copies of equal extents on one
/// instance, because small copies take no longer than a launch.
template <int N, class T, class Exec>
class BoxCopies {
 public:
  /// Adds a copy; it is launched at the latest by launch(). No copy may read what another writes.
  template <class To, class From>
  void add(const Exec& exec, const To& to, const From& from) {
    Box<N> box{};
    for (std::size_t d = 0; d < N; ++d) box[d] = {0, static_cast<index_t>(to.extent(d))};
    const bool fits = count_ < body_.capacity && box == box_ &&
                      (count_ == 0 || AnyInstance(exec) == AnyInstance(*exec_));
    if (!fits) launch();
    box_ = box;
    exec_ = exec;
    auto& copy = body_.copies[count_++];
    copy = {from.data(), to.data(), {}, {}};
    for (int d = 1; d < N; ++d) {
      copy.from_step[d - 1] = static_cast<index_t>(from.stride(d));
      copy.to_step[d - 1] = static_cast<index_t>(to.stride(d));
    }
    contiguous_ = to.span_is_contiguous() && from.span_is_contiguous();
  }

  void launch() {
    const auto count = static_cast<index_t>(std::exchange(count_, 0));
    if (count == 0) return;
    if (count == 1 && contiguous_) {  // without a kernel
      const auto points = static_cast<std::size_t>(size(box_));
      Kokkos::deep_copy(*exec_, Line<T>(body_.copies[0].to, points),
                        Line<const T>(body_.copies[0].from, points));
      return;
    }
    body_.planes = N == 2 ? 1 : static_cast<int>(box_[N - 1].end);
    const index_t planes = count * body_.planes;
    if constexpr (has_block_threads<Exec>) {
      for_each(*exec_, label, Box<3>{box_[0], box_[1], {0, planes}}, body_);
    } else {
      using Rows = CopyRows<N, T>;
      const index_t rows = box_[1].end;
      const auto parts = std::min<index_t>(rows * planes, exec_->concurrency());
      Kokkos::parallel_for(label, kolam::detail::FlatPolicy<Exec, Rows>(*exec_, 0, parts),
                           Rows{body_, count, box_[0].end, rows, parts});
    }
  }

 private:
  template <class Value>
  using Line =
      Kokkos::View<Value*, typename Exec::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  static constexpr const char* label = "kolam::copy_boxes";
  CopyBoxes<N, T> body_{};
  std::size_t count_ = 0;
  std::optional<Exec> exec_;
  Box<N> box_{};             // of each copy
  bool contiguous_ = false;  // whether the last copy is
};

}  // namespace kolam::grid::detail
