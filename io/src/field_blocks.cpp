// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <kolam/core/error.hpp>
#include <kolam/io/field_blocks.hpp>
#include <map>

namespace kolam {
namespace {

template <int N>
std::string text(const Box<N>& box) {
  std::string result;
  for (const Range& range : box) {
    result += fmt::format("{}[{}, {})", result.empty() ? "" : " x ", range.begin, range.end);
  }
  return result;
}

// The corners of boxes, each with the signs of the ends that it is at, summed. A set of boxes adds
// up to the indicator function of another box exactly if their corners do: they are its mixed
// derivative. So two boxes that overlap, or a gap, cannot hide behind right numbers of points.
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
  [[nodiscard]] bool cancel() const { return sums_.empty(); }

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
std::vector<Box<N>> require_complete(const FieldBlocks<T, N>& field, const Extents<N>& extents) {
  if (field.name.empty() || field.name == "." || field.name.size() > 255 ||
      field.name.find_first_of(std::string_view("/\0", 2)) != std::string::npos) {
    throw InvalidArgument(fmt::format(
        "'{}' is no name for a field: 1 to 255 characters, no '/' among them", field.name));
  }
  std::vector<Box<N>> boxes;
  boxes.reserve(field.blocks.size());
  for (const FieldBlock<T, N>& block : field.blocks) boxes.push_back(block.box);
  require_tiling<N>(fmt::format("field '{}'", field.name), extents, boxes);
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
  return boxes;
}

template void require_tiling<2>(const std::string&, const Extents<2>&, const std::vector<Box<2>>&);
template void require_tiling<3>(const std::string&, const Extents<3>&, const std::vector<Box<3>>&);
template std::vector<Box<2>> require_complete(const FieldBlocks<float, 2>&, const Extents<2>&);
template std::vector<Box<2>> require_complete(const FieldBlocks<double, 2>&, const Extents<2>&);
template std::vector<Box<3>> require_complete(const FieldBlocks<float, 3>&, const Extents<3>&);
template std::vector<Box<3>> require_complete(const FieldBlocks<double, 3>&, const Extents<3>&);

}  // namespace kolam
