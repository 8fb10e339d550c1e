// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <kolam/comm/field_blocks.hpp>
#include <kolam/core/error.hpp>
#include <map>
#include <span>

namespace kolam::comm {
namespace {

template <int N>
std::string text(const Box<N>& box) {
  std::string result;
  for (const Range& range : box) {
    result += fmt::format("{}[{}, {})", result.empty() ? "" : " x ", range.begin, range.end);
  }
  return result;
}

// The signed sum of the corners of boxes; each corner's sign is the product of the signs of its
// ends. The corners are the mixed derivative of the indicator function: boxes add up to another box
// exactly if their corners do. So overlaps and gaps are found even if the number of points is
// right.
template <int N>
class Corners {
 public:
  void add(const Box<N>& box, int sign) {
    for (unsigned corner = 0; corner < 1U << N; ++corner) {
      Extents<N> point;
      int value = sign;
      for (unsigned d = 0; d < N; ++d) {
        const bool far = (corner >> d & 1U) != 0;
        point[d] = far ? box[d].end : box[d].begin;
        if (far) value = -value;
      }
      const auto found = sums_.try_emplace(point, 0).first;
      found->second += value;
      if (found->second == 0) sums_.erase(found);
    }
  }
  bool cancel() const { return sums_.empty(); }

 private:
  std::map<Extents<N>, std::int64_t> sums_;
};

}  // namespace

template <int N>
void require_tiling(const std::string& what, const Extents<N>& extents,
                    const std::vector<Box<N>>& boxes) {
  Box<N> grid;
  for (std::size_t d = 0; d < N; ++d) grid[d] = {0, extents[d]};
  Corners<N> corners;
  corners.add(grid, -1);
  for (const Box<N>& box : boxes) {
    for (std::size_t d = 0; d < N; ++d) {
      if (box[d].begin < 0 || box[d].end > extents[d] || box[d].begin >= box[d].end) {
        throw InvalidArgument(fmt::format("{}: the block {} is empty or not in the grid {}", what,
                                          text<N>(box), text<N>(grid)));
      }
    }
    corners.add(box, 1);
  }
  if (!corners.cancel()) {
    throw InvalidArgument(
        fmt::format("{}: its {} blocks leave points of the grid {} out or hold some twice; every "
                    "point is to be "
                    "in exactly one",
                    what, boxes.size(), text<N>(grid)));
  }
}

template <class T, int N>
void require_blocks(const FieldBlocks<T, N>& field) {
  if (field.name.empty() || field.name == "." || field.name.size() > 255 ||
      field.name.find_first_of(std::string_view("/\0", 2)) != std::string::npos) {
    throw InvalidArgument(fmt::format(
        "'{}' is no name for a field: 1 to 255 characters, no '/' among them", field.name));
  }
  for (const FieldBlock<T, N>& block : field.blocks) {
    index_t least = 1;
    for (std::size_t d = 0; d + 1 < N; ++d) {
      least *= block.box[d].end - block.box[d].begin;
      if (block.pitches[d] < least) {
        throw InvalidArgument(
            fmt::format("field '{}': pitch {} of the block {} is {}, and must be at least {}",
                        field.name, d, text<N>(block.box), block.pitches[d], least));
      }
      least = block.pitches[d];
    }
    if (block.data == nullptr) {
      throw InvalidArgument(fmt::format("field '{}': the block {} points to no memory", field.name,
                                        text<N>(block.box)));
    }
  }
}

namespace {

// Calls f(row, place, length) for each row of a box stored at `data`: `row` is its address, `place`
// its offset in the grid, x fastest.
template <class T, class F>
void for_each_row(const Extents<3>& extents, const Box<3>& box, T* data, const Pitches<3>& pitches,
                  F f) {
  for (index_t z = box[2].begin; z < box[2].end; ++z) {
    for (index_t y = box[1].begin; y < box[1].end; ++y) {
      f(data + (z - box[2].begin) * pitches[1] + (y - box[1].begin) * pitches[0],
        (z * extents[1] + y) * extents[0] + box[0].begin, box[0].end - box[0].begin);
    }
  }
}

}  // namespace

template <class T>
std::vector<T> gather(const Communicator& communicator, const Extents<3>& extents,
                      const std::vector<FieldBlock<T, 3>>& blocks) {
  std::vector<Box<3>> boxes;
  std::vector<T> values;
  for (const FieldBlock<T, 3>& block : blocks) {
    boxes.push_back(block.box);
    for_each_row(extents, block.box, block.data, block.pitches,
                 [&](const T* row, index_t, index_t length) {
                   values.insert(values.end(), row, row + length);
                 });
  }
  const auto all_boxes = communicator.gather(std::as_bytes(std::span(boxes)));
  const auto all_values = communicator.gather(std::as_bytes(std::span(values)));
  if (communicator.rank() != 0) return {};
  std::vector<T> grid(static_cast<std::size_t>(extents[0] * extents[1] * extents[2]));
  for (std::size_t rank = 0; rank < all_boxes.size(); ++rank) {
    const auto* from = reinterpret_cast<const T*>(all_values[rank].data());
    std::vector<Box<3>> theirs(all_boxes[rank].size() / sizeof(Box<3>));
    std::memcpy(theirs.data(), all_boxes[rank].data(), all_boxes[rank].size());
    for (const Box<3>& box : theirs) {
      const index_t row = box[0].end - box[0].begin;
      for_each_row(extents, box, from, {row, row * (box[1].end - box[1].begin)},
                   [&](const T* values_of_row, index_t place, index_t length) {
                     std::copy_n(values_of_row, length, grid.begin() + place);
                   });
      from += size<3>(box);
    }
  }
  return grid;
}

template void require_tiling<2>(const std::string&, const Extents<2>&, const std::vector<Box<2>>&);
template void require_tiling<3>(const std::string&, const Extents<3>&, const std::vector<Box<3>>&);
template void require_blocks(const FieldBlocks<float, 2>&);
template void require_blocks(const FieldBlocks<double, 2>&);
template void require_blocks(const FieldBlocks<float, 3>&);
template void require_blocks(const FieldBlocks<double, 3>&);
template std::vector<float> gather(const Communicator&, const Extents<3>&,
                                   const std::vector<FieldBlock<float, 3>>&);
template std::vector<double> gather(const Communicator&, const Extents<3>&,
                                    const std::vector<FieldBlock<double, 3>>&);

}  // namespace kolam::comm
