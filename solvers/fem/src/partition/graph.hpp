// SPDX-License-Identifier: Apache-2.0
// Cuts of graphs by other libraries. Each is compiled where CMake found its library; else its
// without_*.cpp stands in, which refuses.
#pragma once

#include <fmt/format.h>

#include <kolam/core/error.hpp>
#include <kolam/core/index.hpp>
#include <limits>
#include <vector>

namespace kolam::fem::detail {

/// Elements, and which of them have a side in common.
struct ElementGraph {
  std::vector<index_t> begin;       ///< of each element, in `neighbours`; then the end
  std::vector<index_t> neighbours;  ///< of all elements, each pair in both
  /// Elements.
  std::size_t size() const { return begin.size() - 1; }
};

///@{
/// The part, 0 to parts - 1, of each element; some may be empty. The same each time. Throws
/// InvalidArgument where the library is not there, and Error with what it says.
std::vector<int> metis_partition(const ElementGraph& graph, int parts);
std::vector<int> scotch_partition(const ElementGraph& graph, int parts);
///@}

///@{
/// Whether they are there.
bool has_metis();
bool has_scotch();
///@}

/// Numbers in the library's type. Throws InvalidArgument if it is too short for them.
template <class Number>
std::vector<Number> numbers_of(const char* library, const std::vector<index_t>& numbers) {
  constexpr auto most = static_cast<index_t>(std::numeric_limits<Number>::max());
  std::vector<Number> result;
  result.reserve(numbers.size());
  for (const index_t number : numbers) {
    if (number > most) {
      throw InvalidArgument(
          fmt::format("this {} has numbers up to {}, and the graph of elements has {}; choose "
                      "another partitioner, or a {} of 64 bits",
                      library, most, number, library));
    }
    result.push_back(static_cast<Number>(number));
  }
  return result;
}

}  // namespace kolam::fem::detail
