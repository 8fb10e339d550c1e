// SPDX-License-Identifier: Apache-2.0
// Graph partitioning by external libraries. Each source is compiled if CMake found its library;
// otherwise its without_*.cpp takes its place and throws.
#pragma once

#include <fmt/format.h>

#include <kolam/core/error.hpp>
#include <kolam/core/index.hpp>
#include <limits>
#include <vector>

namespace kolam::fem::detail {

/// The graph of elements that share sides.
struct ElementGraph {
  std::vector<index_t> begin;       ///< first index in `neighbours` of each element; then the end
  std::vector<index_t> neighbours;  ///< neighbours of all elements; each pair occurs twice
  /// Returns the number of elements.
  std::size_t size() const { return begin.size() - 1; }
};

///@{
/// Return the part, 0 to parts - 1, of each element. Some parts may be empty. Results are
/// reproducible. Throw InvalidArgument if the library is missing, and Error if it fails.
std::vector<int> metis_partition(const ElementGraph& graph, int parts);
std::vector<int> scotch_partition(const ElementGraph& graph, int parts);
///@}

///@{
/// Return whether kolam was built with the library.
bool has_metis();
bool has_scotch();
///@}

/// Returns the numbers in the library's type. Throws InvalidArgument if a number does not fit.
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
