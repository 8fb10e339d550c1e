// SPDX-License-Identifier: Apache-2.0
// The division of a field's blocks into chunks, each with a checksum.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <kolam/comm/field_blocks.hpp>
#include <kolam/core/index.hpp>
#include <string>
#include <utility>
#include <vector>

namespace kolam::chunks {

inline index_t length(const Range& range) { return range.end - range.begin; }
inline index_t length(const Box<3>& box, std::size_t d) { return length(box[d]); }

/// The largest chunk in bytes: it stays in a cache between checksum and file.
inline constexpr index_t largest_chunk = index_t{1} << 20;

/// The chunks of all blocks, one block after the other. The points of a block, x fastest, are cut
/// into chunks of `points` points; the last chunk is padded.
struct Layout {
  index_t points;  ///< points of a chunk
  std::vector<Box<3>> boxes;
  std::vector<index_t> first;  ///< first chunk of each box, then their total

  Layout(std::vector<Box<3>> all, index_t points_of_chunk)
      : points(points_of_chunk), boxes(std::move(all)), first{0} {
    for (const Box<3>& box : boxes) {
      first.push_back(first.back() + (size<3>(box) - 1) / points + 1);
    }
  }
  index_t count() const { return first.back(); }
};

/// A field's place in a checkpoint, with a checksum for each of its chunks.
struct StoredField {
  std::string name;
  Layout layout;
  std::vector<std::uint32_t> checksums;
};

/// Returns the points of a chunk: as many as fit, at most those of the largest block.
inline index_t points_of_chunk(const std::vector<Box<3>>& boxes, std::size_t bytes_of_point) {
  index_t largest = 1;
  for (const Box<3>& box : boxes) largest = std::max(largest, size<3>(box));
  return std::min(largest, largest_chunk / static_cast<index_t>(bytes_of_point));
}

/// Calls copy(y, z, x, point, length) for each run of points in a row that belong both to points
/// begin ... end-1 of `box`, x fastest, and to `wanted`. y, z, x are global indices; `point` counts
/// from `begin`.
template <class F>
void for_each_run(const Box<3>& box, index_t begin, index_t end, const Box<3>& wanted, F copy) {
  const index_t nx = length(box, 0), ny = length(box, 1);
  for (index_t row = begin / nx; row * nx < end; ++row) {
    const index_t y = box[1].begin + row % ny, z = box[2].begin + row / ny;
    if (y < wanted[1].begin || y >= wanted[1].end) continue;
    if (z < wanted[2].begin || z >= wanted[2].end) continue;
    const index_t row_begin = row * nx - box[0].begin;  // point number of x = 0 in the box
    const index_t x = std::max({box[0].begin, wanted[0].begin, begin - row_begin});
    const index_t x_end = std::min({box[0].end, wanted[0].end, end - row_begin});
    if (x < x_end) copy(y, z, x, row_begin + x - begin, x_end - x);
  }
}

/// Returns whether two boxes have a point in common.
inline bool overlap(const Box<3>& a, const Box<3>& b) {
  for (std::size_t d = 0; d < 3; ++d) {
    if (a[d].begin >= b[d].end || b[d].begin >= a[d].end) return false;
  }
  return true;
}

/// Copies points begin ... end-1 of the block at `data` with `pitches` to `chunk`.
template <class T>
void pack(const Box<3>& box, const T* data, const std::array<index_t, 2>& pitches, index_t begin,
          index_t end, T* chunk) {
  for_each_run(box, begin, end, box, [&](index_t y, index_t z, index_t x, index_t at, index_t n) {
    const T* const from = data + (z - box[2].begin) * pitches[1] + (y - box[1].begin) * pitches[0] +
                          (x - box[0].begin);
    std::copy_n(from, n, chunk + at);
  });
}

/// Copies the points of `chunk`, which holds points begin ... end-1 of `box`, that lie in `wanted`
/// to the memory of `wanted`.
template <class T>
void unpack(const Box<3>& box, index_t begin, index_t end, const T* chunk, const Box<3>& wanted,
            T* to, const std::array<index_t, 2>& pitches) {
  for_each_run(box, begin, end, wanted,
               [&](index_t y, index_t z, index_t x, index_t at, index_t n) {
                 std::copy_n(chunk + at, n,
                             to + (z - wanted[2].begin) * pitches[1] +
                                 (y - wanted[1].begin) * pitches[0] + (x - wanted[0].begin));
               });
}

/// Returns whether unpack would copy anything.
inline bool has_wanted(const Box<3>& box, index_t begin, index_t end, const Box<3>& wanted) {
  bool any = false;
  for_each_run(box, begin, end, wanted,
               [&](index_t, index_t, index_t, index_t, index_t) { any = true; });
  return any;
}

}  // namespace kolam::chunks
