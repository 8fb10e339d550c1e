// SPDX-License-Identifier: Apache-2.0
// A field of a grid that lies in memory as blocks, one for each subdomain.
#pragma once

#include <array>
#include <kolam/comm/communicator.hpp>
#include <kolam/comm/decomposition.hpp>
#include <kolam/core/index.hpp>
#include <string>
#include <vector>

namespace kolam::comm {

/// Points from one row to the next, and (N = 3) from one plane to the next.
template <int N>
using Pitches = std::array<index_t, static_cast<std::size_t>(N - 1)>;

/// The points of one subdomain in host memory.
template <class T, int N>
struct FieldBlock {
  Box<N> box;          ///< which points of the grid, by their global indices; not empty
  const T* data;       ///< the first of them; x is contiguous
  Pitches<N> pitches;  ///< at least the extents of the box
};

/// A field by its name, as blocks.
template <class T, int N>
struct FieldBlocks {
  std::string name;  ///< 1 to 255 bytes, no '/' and no zero among them, and not "."
  std::vector<FieldBlock<T, N>> blocks;  ///< those of this process
};

/// Throws InvalidArgument, naming `what` and the first box that is wrong, unless every one of
/// `boxes` is a part of the grid of `extents` points that is not empty, and each point of the grid
/// is in exactly one of them. Cost: n log n for n boxes.
template <int N>
void require_tiling(const std::string& what, const Extents<N>& extents,
                    const std::vector<Box<N>>& boxes);

/// Throws InvalidArgument, naming the field, unless its name is one, its pitches fit, and its
/// blocks lie in memory.
template <class T, int N>
void require_blocks(const FieldBlocks<T, N>& field);

///@{
/// Plane blocks as spatial ones, with one layer; spatial ones as they are.
inline Box<3> spatial(const Box<2>& box) { return {box[0], box[1], Range{0, 1}}; }
inline Box<3> spatial(const Box<3>& box) { return box; }
inline Pitches<3> spatial(const Pitches<2>& row) { return {row[0], 0}; }
inline Pitches<3> spatial(const Pitches<3>& both) { return both; }
///@}

/// The blocks of all processes, in the order of ranks; on rank 0 the whole field, x fastest, and
/// nothing elsewhere. T is float or double. All processes call it.
template <class T>
std::vector<T> gather(const Communicator& communicator, const Extents<3>& extents,
                      const std::vector<FieldBlock<T, 3>>& blocks);

}  // namespace kolam::comm
