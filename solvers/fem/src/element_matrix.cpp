// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <kolam/core/error.hpp>
#include <kolam/core/forall.hpp>
#include <kolam/fem/detail/element_matrix.hpp>
#include <limits>
#include <map>
#include <numeric>
#include <string>

namespace kolam::fem::detail {

MatrixGraph matrix_graph(const std::vector<int>& unknown_of, index_t nodes, index_t entries,
                         int components) {
  if (entries * components > std::numeric_limits<int>::max()) {
    throw InvalidArgument("assemble: the matrix would have " +
                          std::to_string(entries * components) +
                          " columns, and their numbers are of 31 bits; use fewer unknowns");
  }
  MatrixGraph graph;
  const auto rows = static_cast<std::size_t>(entries);
  graph.places_begin.assign(rows + 1, 0);
  for (const int entry : unknown_of)
    if (entry >= 0) ++graph.places_begin[static_cast<std::size_t>(entry) + 1];
  std::partial_sum(graph.places_begin.begin(), graph.places_begin.end(),
                   graph.places_begin.begin());
  graph.places.resize(static_cast<std::size_t>(graph.places_begin.back()));
  std::vector<index_t> next(graph.places_begin.begin(), graph.places_begin.end() - 1);
  for (std::size_t place = 0; place < unknown_of.size(); ++place) {
    if (unknown_of[place] >= 0) {
      index_t& at = next[static_cast<std::size_t>(unknown_of[place])];
      graph.places[static_cast<std::size_t>(at++)] = static_cast<index_t>(place);
    }
  }

  // Columns of one component first; the rows of all components have the same pattern.
  std::vector<std::vector<int>> row_columns(rows);
  forall(Kokkos::DefaultHostExecutionSpace(), "kolam::matrix_graph", entries,
         [&graph, &row_columns, &unknown_of, nodes](index_t entry) {
           const auto row = static_cast<std::size_t>(entry);
           std::vector<int> columns;
           for (index_t k = graph.places_begin[row]; k < graph.places_begin[row + 1]; ++k) {
             const index_t element = graph.places[static_cast<std::size_t>(k)] / nodes;
             const auto first = unknown_of.begin() + element * nodes;
             columns.insert(columns.end(), first, first + nodes);
           }
           std::sort(columns.begin(), columns.end());
           columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
           columns.erase(columns.begin(), std::lower_bound(columns.begin(), columns.end(), 0));
           row_columns[row] = std::vector<int>(columns.begin(), columns.end());
         });
  Kokkos::DefaultHostExecutionSpace().fence("kolam::matrix_graph");
  graph.row_begin.push_back(0);
  for (int c = 0; c < components; ++c) {
    for (const std::vector<int>& columns : row_columns) {
      for (int other = 0; other < components; ++other)
        for (const int column : columns)
          graph.columns.push_back(column + other * static_cast<int>(entries));
      graph.row_begin.push_back(static_cast<index_t>(graph.columns.size()));
    }
  }
  return graph;
}

MatrixNumbers boundary_entries(const std::vector<int>& dofs, const std::vector<double>& matrices,
                               int nodes, const MatrixGraph& graph, index_t entries,
                               int components) {
  std::map<index_t, double> at;
  const auto of_side = static_cast<std::size_t>(nodes);
  for (std::size_t n = 0; n < matrices.size(); ++n) {
    const std::size_t side = n / (of_side * of_side);
    const int row = dofs[side * of_side + n / of_side % of_side];
    const int column = dofs[side * of_side + n % of_side];
    if (row < 0 || column < 0) continue;
    for (int c = 0; c < components; ++c) {
      const auto of_row = static_cast<std::size_t>(row + c * entries);
      at[linear::detail::find_column(graph.columns.data(), graph.row_begin[of_row],
                                     graph.row_begin[of_row + 1],
                                     column + c * static_cast<int>(entries))] += matrices[n];
    }
  }
  MatrixNumbers result;
  for (const auto& [place, number] : at) {
    result.places.push_back(place);
    result.numbers.push_back(number);
  }
  return result;
}

}  // namespace kolam::fem::detail
