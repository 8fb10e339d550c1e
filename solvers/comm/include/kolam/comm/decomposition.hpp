// SPDX-License-Identifier: Apache-2.0
// A grid of points cut into boxes, one for each subdomain.
#pragma once

#include <array>
#include <kolam/core/index_box.hpp>
#include <optional>
#include <string_view>
#include <vector>

namespace kolam::comm {

/// Subdomains in each dimension, x first.
template <int N>
using Parts = std::array<int, static_cast<std::size_t>(N)>;

/// How many parts each dimension is cut into. `text` is
/// - `auto`: the parts with the cheapest halos: small surfaces, most of them across the slowest
///   dimension, whose layers lie together in memory;
/// - `stripes` or `tiles` (2D), `slabs`, `pencils` or `blocks` (3D): the one, two or three slowest
///   dimensions, into numbers of parts that are as equal as can be;
/// - `PxQ` or `PxQxR`: so many along x, y (and z).
/// `subdomains`: how many parts in all; may be left out with `PxQ`. Throws InvalidArgument, saying
/// what is allowed, for other texts, for products that differ from `subdomains`, and where a
/// dimension has fewer points than parts.
template <int N>
Parts<N> parse_decomposition(std::string_view text, const Extents<N>& extents,
                             std::optional<int> subdomains);

/// N is 2 or 3. Subdomains are numbered with x fastest; each owns a box that is not empty.
template <int N>
class Decomposition {
 public:
  /// For each dimension, x first.
  using Flags = std::array<bool, static_cast<std::size_t>(N)>;

  /// The extents of two boxes differ by one at most in each dimension. Throws InvalidArgument if a
  /// dimension has no points, fewer than it has parts, or no parts, and if there are 2^31 subdomains or
  /// more.
  Decomposition(const Extents<N>& extents, const Parts<N>& parts, const Flags& periodic = {});

  /// Points of the whole grid.
  const Extents<N>& extents() const { return extents_; }
  /// Subdomains in each dimension.
  const Parts<N>& parts() const { return parts_; }
  /// Whether a dimension, from 0, begins again after its end.
  bool periodic(int dimension) const { return periodic_[static_cast<std::size_t>(dimension)]; }
  /// Subdomains in all.
  int subdomains() const;

  /// In the dimensions named every second point, those of even indices, each in the subdomain that
  /// has it here. Throws InvalidArgument if a subdomain would own none.
  Decomposition coarser(const Flags& dimensions) const;

  /// The points that a subdomain owns, by their global indices.
  Box<N> own(int subdomain) const;
  /// The subdomain next to this one, where a periodic dimension begins again after its end:
  /// itself, if it is alone there. None at a boundary that is not periodic.
  std::optional<int> neighbour(int subdomain, int dimension, int direction) const;

 private:
  Parts<N> place(int subdomain) const;

  Extents<N> extents_;
  Parts<N> parts_;
  Flags periodic_;
  // Of each dimension: where its parts begin, and its end.
  std::array<std::vector<index_t>, static_cast<std::size_t>(N)> begins_;
};

/// The memory of a subdomain: the points that it owns (Own), and around them `depth` layers of
/// Ghosts, which belong to its neighbours or to the boundary. Local indices begin at 0 with the
/// first ghost.
template <int N>
class LocalGrid {
 public:
  /// Throws InvalidArgument if depth is negative.
  LocalGrid(const Decomposition<N>& decomposition, int subdomain, int depth);

  /// Layers of ghosts.
  int depth() const { return depth_; }
  /// Of the points with their ghosts.
  Extents<N> extents() const;
  ///@{
  /// The own points, by their global and by their local indices.
  const Box<N>& own_global() const { return own_; }
  Box<N> own_local() const;
  ///@}
  ///@{
  /// The layers of own points at one end (direction -1) or the other (1) of a dimension, which the
  /// neighbour there wants; and the ghosts beyond them, which it gives. By local indices.
  /// Dimensions below `corners` are taken with their ghosts.
  Box<N> shared_own(int dimension, int direction, int corners = 0) const;
  Box<N> shared_ghost(int dimension, int direction, int corners = 0) const;
  ///@}

 private:
  Box<N> across(int dimension, Range along, int corners) const;

  Box<N> own_;
  int depth_;
};

}  // namespace kolam::comm
