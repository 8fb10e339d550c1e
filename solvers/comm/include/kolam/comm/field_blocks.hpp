// SPDX-License-Identifier: Apache-2.0
// A field of a grid that is stored as blocks, one for each subdomain.
#pragma once

#include <array>
#include <kolam/comm/communicator.hpp>
#include <kolam/comm/decomposition.hpp>
#include <kolam/core/index.hpp>
#include <string>
#include <vector>

namespace kolam::comm {

/// The distances, in points, from one row to the next and (N = 3) from one plane to the next.
template <int N>
using Pitches = std::array<index_t, static_cast<std::size_t>(N - 1)>;

/// The points of one subdomain in host memory.
template <class T, int N>
struct FieldBlock {
  Box<N> box;          ///< the points, in global indices; not empty
  const T* data;       ///< the value of the first point; x is contiguous
  Pitches<N> pitches;  ///< at least the extents of the box
};

/// A named field, as blocks.
template <class T, int N>
struct FieldBlocks {
  std::string name;                      ///< 1 to 255 bytes, none of which is '/' or zero; not "."
  std::vector<FieldBlock<T, N>> blocks;  ///< the blocks of this process
};

/// Throws InvalidArgument, naming `what` and the first wrong box, unless each of `boxes` is a part
/// of the grid of `extents` points and not empty, and each point of the grid is in exactly one box.
/// Cost: n log n for n boxes.
template <int N>
void require_tiling(const std::string& what, const Extents<N>& extents,
                    const std::vector<Box<N>>& boxes);

/// Throws InvalidArgument, naming the field, unless its name is allowed, its pitches are large
/// enough, and no block has a null pointer.
template <class T, int N>
void require_blocks(const FieldBlocks<T, N>& field);

///@{
/// Returns a 2D block as a 3D block of one layer; 3D blocks unchanged.
inline Box<3> spatial(const Box<2>& box) { return {box[0], box[1], Range{0, 1}}; }
inline Box<3> spatial(const Box<3>& box) { return box; }
inline Pitches<3> spatial(const Pitches<2>& row) { return {row[0], 0}; }
inline Pitches<3> spatial(const Pitches<3>& both) { return both; }
///@}

/// Returns the whole field on rank 0, x fastest, from the blocks of all processes; nothing
/// elsewhere. T is float or double. All processes call it.
template <class T>
std::vector<T> gather(const Communicator& communicator, const Extents<3>& extents,
                      const std::vector<FieldBlock<T, 3>>& blocks);

}  // namespace kolam::comm
