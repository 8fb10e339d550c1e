// SPDX-License-Identifier: Apache-2.0
// The values of an allocation that an array covers, and Views of them.
#pragma once

#include <Kokkos_Core.hpp>
#include <array>
#include <cstddef>
#include <kolam/core/index.hpp>
#include <kolam/core/reshape.hpp>
#include <kolam/memory/detail/byte_ranges.hpp>
#include <type_traits>
#include <utility>
#include <vector>

namespace kolam::detail {

/// The values of an array in an allocation: N extents, first index fastest, from value `begin` on,
/// with `strides` if Layout is LayoutStride, else adjacent.
template <int N, class Layout>
struct Section {
  static constexpr bool strided = std::is_same_v<Layout, Kokkos::LayoutStride>;
  struct None {};
  using Extents = std::array<index_t, static_cast<std::size_t>(N)>;

  index_t begin = 0;
  Extents extents{};
  std::conditional_t<strided, Extents, None> strides{};

  index_t size() const {
    index_t product = 1;
    for (const index_t extent : extents) product *= extent;
    return product;
  }
  index_t stride(std::size_t dimension) const {
    if constexpr (strided) return strides[dimension];
    index_t product = 1;
    for (std::size_t d = 0; d < dimension; ++d) product *= extents[d];
    return product;
  }

  /// Returns the range from the first byte to the last.
  ByteRange hull(std::size_t value_bytes) const {
    index_t values = size();
    if constexpr (strided) {
      if (values > 0) {
        values = 1;
        for (std::size_t d = 0; d < N; ++d) values += (extents[d] - 1) * strides[d];
      }
    }
    return {static_cast<std::size_t>(begin) * value_bytes,
            static_cast<std::size_t>(begin + values) * value_bytes};
  }

  /// Returns the bytes: one range, or an ascending range for each stretch of adjacent values.
  auto bytes(std::size_t value_bytes) const {
    if constexpr (!strided) {
      return std::array<ByteRange, 1>{hull(value_bytes)};
    } else {
      std::vector<ByteRange> ranges;
      if (size() > 0) append(ranges, begin, N - 1, value_bytes);
      return ranges;
    }
  }

  // Rank 1 has Kokkos' default layout, so that its type is View<T*, Space>.
  template <class T, class... Space>
  using View = std::conditional_t<
      N == 1 && !strided, Kokkos::View<T*, Space...>,
      Kokkos::View<typename AddPointers<T, static_cast<std::size_t>(N)>::type, Layout, Space...>>;

  /// Returns a View of the values in memory that starts at `memory`; of null if `memory` is null.
  template <class T, class... Space>
  View<T, Space...> view(void* memory) const {
    return view_at<T, Space...>(memory == nullptr ? nullptr : static_cast<T*>(memory) + begin);
  }
  /// Returns a View of the values, the first of which is at `values`.
  template <class T, class... Space>
  View<T, Space...> view_at(T* values) const {
    return view_of<View<T, Space...>>(values,
                                      std::make_index_sequence<static_cast<std::size_t>(N)>{});
  }

 private:
  template <class View, class T, std::size_t... D>
  View view_of(T* values, std::index_sequence<D...>) const {
    if constexpr (strided) {
      Kokkos::LayoutStride layout;
      ((layout.dimension[D] = static_cast<std::size_t>(extents[D])), ...);
      ((layout.stride[D] = static_cast<std::size_t>(strides[D])), ...);
      return View(values, layout);
    } else {
      return View(values, static_cast<std::size_t>(extents[D])...);
    }
  }

  void append(std::vector<ByteRange>& ranges, index_t from, int dimension,
              std::size_t value_bytes) const {
    const auto d = static_cast<std::size_t>(dimension);
    if (dimension < 0 || (dimension == 0 && stride(d) == 1)) {
      const std::size_t first = static_cast<std::size_t>(from) * value_bytes;
      const std::size_t size =
          dimension < 0 ? value_bytes : static_cast<std::size_t>(extents[d]) * value_bytes;
      if (!ranges.empty() && ranges.back().end == first) {
        ranges.back().end += size;
      } else {
        ranges.push_back({first, first + size});
      }
      return;
    }
    for (index_t i = 0; i < extents[d]; ++i) {
      append(ranges, from + i * stride(d), dimension - 1, value_bytes);
    }
  }
};

}  // namespace kolam::detail
