// SPDX-License-Identifier: Apache-2.0
// A grid of points, cut into one box per subdomain.
#pragma once

#include <array>
#include <kolam/core/index_box.hpp>
#include <optional>
#include <string_view>
#include <vector>

namespace kolam::comm {

/// Numbers of subdomains in each dimension, x first.
template <int N>
using Parts = std::array<int, static_cast<std::size_t>(N)>;

/// Returns the number of parts that `text` cuts each dimension into. `text` is
/// - `auto`: the parts with the cheapest halos: small surfaces, most of them across the slowest
///   dimension, whose layers are contiguous in memory;
/// - `stripes` or `tiles` (2D), `slabs`, `pencils` or `blocks` (3D): cuts of the one, two or three
///   slowest dimensions, into numbers of parts as equal as possible;
/// - `PxQ` or `PxQxR`: the numbers of parts along x, y (and z).
/// `subdomains`: the number of parts in all; may be left out with `PxQ`. Throws InvalidArgument,
/// listing the allowed values, for other texts, for products that differ from `subdomains`, and if
/// a dimension has fewer points than parts.
template <int N>
Parts<N> parse_decomposition(std::string_view text, const Extents<N>& extents,
                             std::optional<int> subdomains);

/// A grid cut into boxes; N is 2 or 3. Subdomains are numbered with x fastest; each owns a
/// non-empty box.
template <int N>
class Decomposition {
 public:
  /// A flag for each dimension, x first.
  using Flags = std::array<bool, static_cast<std::size_t>(N)>;

  /// Cuts the grid so that the extents of two boxes differ by one at most in each dimension. Throws
  /// InvalidArgument if a dimension has no points, no parts or fewer points than parts, and for
  /// 2^31 subdomains or more.
  Decomposition(const Extents<N>& extents, const Parts<N>& parts, const Flags& periodic = {});

  /// Returns the points of the whole grid in each dimension.
  const Extents<N>& extents() const { return extents_; }
  /// Returns the number of subdomains in each dimension.
  const Parts<N>& parts() const { return parts_; }
  /// Returns whether a dimension, counted from 0, is periodic.
  bool periodic(int dimension) const { return periodic_[static_cast<std::size_t>(dimension)]; }
  /// Returns the number of subdomains.
  int subdomains() const;

  /// Returns the decomposition of the points with even indices in the flagged dimensions; each
  /// point stays in its subdomain. Throws InvalidArgument if a subdomain would own none.
  Decomposition coarser(const Flags& dimensions) const;

  /// Returns the points that a subdomain owns, in global indices.
  Box<N> own(int subdomain) const;
  /// Returns the subdomain next to `subdomain` in `direction` (-1 or 1), or nothing at a boundary
  /// that is not periodic. A subdomain alone in a periodic dimension is its own neighbour.
  std::optional<int> neighbour(int subdomain, int dimension, int direction) const;

 private:
  Parts<N> place(int subdomain) const;

  Extents<N> extents_;
  Parts<N> parts_;
  Flags periodic_;
  // By dimension: the first index of each part, then the end of the dimension.
  std::array<std::vector<index_t>, static_cast<std::size_t>(N)> begins_;
};

/// The memory layout of a subdomain: the points that it owns, and around them `depth` layers of
/// ghosts, which belong to its neighbours or to the boundary. The first ghost has local index 0.
template <int N>
class LocalGrid {
 public:
  /// Lays out `subdomain` with `depth` layers. Throws InvalidArgument if depth is negative.
  LocalGrid(const Decomposition<N>& decomposition, int subdomain, int depth);

  /// Returns the number of ghost layers.
  int depth() const { return depth_; }
  /// Returns the points in each dimension, ghosts included.
  Extents<N> extents() const;
  ///@{
  /// Returns the own points, in global or local indices.
  const Box<N>& own_global() const { return own_; }
  Box<N> own_local() const;
  ///@}
  ///@{
  /// Returns the layers at one end (direction -1) or the other (1) of a dimension, in local
  /// indices: the own points that the neighbour there needs, or the ghosts beyond them that it
  /// fills. Dimensions below `corners` include their ghosts.
  Box<N> shared_own(int dimension, int direction, int corners = 0) const;
  Box<N> shared_ghost(int dimension, int direction, int corners = 0) const;
  ///@}

 private:
  Box<N> across(int dimension, Range along, int corners) const;

  Box<N> own_;
  int depth_;
};

}  // namespace kolam::comm
