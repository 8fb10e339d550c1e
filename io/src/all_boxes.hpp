// SPDX-License-Identifier: Apache-2.0
// The boxes of all processes.
#pragma once

#include <fmt/format.h>

#include <cstring>
#include <kolam/comm/field_blocks.hpp>
#include <span>
#include <utility>
#include <vector>

namespace kolam {

/// Returns the boxes of a field in all processes, in the order of ranks, and the number of boxes
/// before those of this process. All processes call it together; all throw InvalidArgument unless
/// the boxes tile the grid.
template <class T, int N>
std::pair<std::vector<Box<N>>, std::size_t> all_boxes(const Communicator& communicator,
                                                      const comm::FieldBlocks<T, N>& field,
                                                      const Extents<N>& extents) {
  std::vector<Box<N>> own;
  for (const comm::FieldBlock<T, N>& block : field.blocks) own.push_back(block.box);
  const std::vector<std::size_t> counts = communicator.all_gather(own.size());
  std::size_t total = 0;
  std::size_t before = 0;
  for (std::size_t rank = 0; rank < counts.size(); ++rank) {
    if (rank == static_cast<std::size_t>(communicator.rank())) before = total;
    total += counts[rank];
  }
  std::vector<Box<N>> all(total);
  auto* to = reinterpret_cast<std::byte*>(all.data());
  for (const auto& part : communicator.gather(std::as_bytes(std::span(own)))) {
    if (!part.empty()) std::memcpy(to, part.data(), part.size());
    to += part.size();
  }
  communicator.broadcast(std::span(all));
  comm::require_tiling<N>(fmt::format("field '{}'", field.name), extents, all);
  return {std::move(all), before};
}

}  // namespace kolam
