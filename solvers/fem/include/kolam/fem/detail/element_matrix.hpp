// SPDX-License-Identifier: Apache-2.0
// The assembled matrix of an operator, from the elements of this process.
#pragma once

#include <Kokkos_Core.hpp>
#include <kolam/core/detail/allocate.hpp>
#include <kolam/fem/operator.hpp>
#include <kolam/linear/detail/find_column.hpp>
#include <vector>

namespace kolam::fem::detail {

/// The sparsity pattern of a matrix, and the element nodes that contribute to each row.
struct MatrixGraph {
  std::vector<index_t> places_begin;  // first index in `places` of each entry; then the end
  std::vector<index_t> places;        // e * nodes + i, ascending for each entry
  std::vector<index_t> row_begin;     // first index in `columns` of each row; then the end
  std::vector<int> columns;           // ascending in each row
};
/// Returns the graph. unknown_of[e * nodes + i] is the entry of node i of element e, or negative.
/// All components of all entries of an element are coupled.
MatrixGraph matrix_graph(const std::vector<int>& unknown_of, index_t nodes, index_t entries,
                         int components);

/// Numbers to add to entries of a matrix.
struct MatrixNumbers {
  std::vector<index_t> places;  // ascending
  std::vector<double> numbers;
};
/// Returns the sums of the side matrices, [nodes, nodes, sides], for each component separately.
/// `dofs` has the unknown of each node of each side, negative for none.
MatrixNumbers boundary_entries(const std::vector<int>& dofs, const std::vector<double>& matrices,
                               int nodes, const MatrixGraph& graph, index_t entries,
                               int components);

// Sets node i of every element to `value`, in a vector of element nodes that starts at `offset`.
template <class T, class Exec>
struct SetInElements {
  kolam::detail::ElementLayout<T, Exec> layout;
  int i;
  index_t offset;
  T value;
  linear::Vector<T, Exec> numbers;
  KOKKOS_FUNCTION void operator()(index_t e) const { numbers(offset + layout.node(e, i)) = value; }
};
template <class T, ExecutionSpace Exec>
void set_in_elements(const Exec& exec, const kolam::detail::ElementLayout<T, Exec>& layout,
                     index_t elements, int i, index_t offset, T value,
                     const linear::Vector<T, Exec>& numbers) {
  forall(exec, "kolam::set_in_elements", elements,
         SetInElements<T, Exec>{layout, i, offset, value, numbers});
}

// in_order(e * nodes + i) = the entry of node i of element e.
template <class T, class Exec>
struct PutInOrder {
  kolam::detail::ElementLayout<T, Exec> layout;
  Kokkos::View<const int*, typename Exec::memory_space> map;
  int nodes;
  Kokkos::View<int*, typename Exec::memory_space> in_order;
  KOKKOS_FUNCTION void operator()(index_t n) const {
    in_order(n) = map(layout.node(n / nodes, static_cast<int>(n % nodes)));
  }
};

template <class T, ExecutionSpace Exec>
std::vector<int> dofs_of_elements(const Exec& exec, const ElementRestriction<T, Exec>& map) {
  const int nodes = map.layout.nodes();
  const auto in_order =
      kolam::detail::allocate_view<Kokkos::View<int*, typename Exec::memory_space>>(
          exec, "kolam::unknowns of elements", map.elements * nodes);
  forall(exec, "kolam::unknowns of elements", map.elements * nodes,
         PutInOrder<T, Exec>{map.layout, map.map, nodes, in_order});
  std::vector<int> result(in_order.extent(0));
  Kokkos::deep_copy(kokkos_instance(exec),
                    Kokkos::View<int*, Kokkos::HostSpace>(result.data(), result.size()), in_order);
  exec.fence("kolam::unknowns of elements");
  return result;
}

// Adds the entries of a row in the columns of `node` of all element matrices to the matrix.
template <class T, class Exec>
struct AddColumn {
  template <class V>
  using Array = Kokkos::View<const V*, typename Exec::memory_space>;
  kolam::detail::ElementLayout<T, Exec> layout;
  Array<int> map;
  Array<index_t> places_begin, places, row_begin;
  Array<int> columns;
  index_t entries, of_columns, size;
  int nodes, node;
  linear::Vector<T, Exec> column, values;

  KOKKOS_FUNCTION void operator()(index_t row) const {
    const index_t entry = row % entries;
    const index_t of_rows = row / entries;
    for (index_t k = places_begin(entry); k < places_begin(entry + 1); ++k) {
      const index_t e = places(k) / nodes;
      const int other = map(layout.node(e, node));
      if (other < 0) continue;
      const index_t place =
          linear::detail::find_column(columns.data(), row_begin(row), row_begin(row + 1),
                                      static_cast<int>(other + of_columns * entries));
      values(place) += column(layout.node(e, static_cast<int>(places(k) % nodes)) + of_rows * size);
    }
  }
};

// values(places(n)) += numbers(n).
template <class T, class Exec>
struct AddNumbers {
  Kokkos::View<const index_t*, typename Exec::memory_space> places;
  Kokkos::View<const double*, typename Exec::memory_space> numbers;
  linear::Vector<T, Exec> values;
  KOKKOS_FUNCTION void operator()(index_t n) const {
    values(places(n)) += static_cast<T>(numbers(n));
  }
};

// Rows and columns of constrained components become those of the identity.
template <class Exec, class T>
struct ConstrainMatrix {
  template <class V>
  using Array = Kokkos::View<const V*, typename Exec::memory_space>;
  Array<int> bits;
  index_t entries;
  Array<index_t> row_begin;
  Array<int> columns;
  linear::Vector<T, Exec> values;

  KOKKOS_FUNCTION bool is_known(index_t row) const {
    return (bits(row % entries) >> (row / entries) & 1) != 0;
  }
  KOKKOS_FUNCTION void operator()(index_t row) const {
    for (index_t k = row_begin(row); k < row_begin(row + 1); ++k)
      if (is_known(row) || is_known(columns(k))) values(k) = columns(k) == row ? T(1) : T(0);
  }
};

/// A matrix in compressed-row storage.
template <class T, ExecutionSpace Exec>
struct MatrixRows {
  Kokkos::View<const index_t*, typename Exec::memory_space> row_begin;  // [rows + 1]
  Kokkos::View<const int*, typename Exec::memory_space> columns;        // ascending in each row
  linear::ConstVector<T, Exec> values;
};
/// Returns the matrix of the elements of this process: rows of shared unknowns lack the
/// contributions of other processes. Rows of constrained components are the identity. See assemble.
template <class T, int Dim, ExecutionSpace Exec>
MatrixRows<T, Exec> matrix_of_elements(const Operator<T, Dim, Exec>& a) {
  const auto& space = a.space();
  const int components = a.components();
  const Exec& exec = a.exec();
  const auto layout = space.dofs.layout;
  const int nodes = layout.nodes();
  const index_t entries = space.dofs.entries;
  const detail::MatrixGraph graph =
      detail::matrix_graph(detail::dofs_of_elements(exec, space.dofs), nodes, entries, components);
  const auto places_begin =
      kolam::detail::to_space<index_t>(exec, "kolam::places", graph.places_begin);
  const auto places = kolam::detail::to_space<index_t>(exec, "kolam::places", graph.places);
  const auto row_begin = kolam::detail::to_space<index_t>(exec, "kolam::rows", graph.row_begin);
  const auto columns = kolam::detail::to_space<int>(exec, "kolam::columns", graph.columns);
  const linear::Vector<T, Exec> values = kolam::detail::allocate_zeros<linear::Vector<T, Exec>>(
      exec, "kolam::matrix", graph.columns.size());

  const auto element_vector = element_values<T, Exec>(Dim, space.basis.d1d(), space.elements());
  const index_t size = element_vector.entries;
  const linear::detail::WorkVector<T, Exec> unit(exec, "unit vectors", size * components);
  const linear::detail::WorkVector<T, Exec> column(exec, "column", size * components);
  const ElementOperator<T, Exec> in_elements = a.plan(element_vector, element_vector);
  for (int j = 0; j < nodes * components; ++j) {
    const int node = j % nodes;
    const index_t of_columns = j / nodes;
    detail::set_in_elements<T>(exec, layout, space.elements(), node, of_columns * size, T(1), unit);
    in_elements.apply_add(unit, column);
    detail::set_in_elements<T>(exec, layout, space.elements(), node, of_columns * size, T(0), unit);
    forall(
        exec, "kolam::assemble", a.rows(),
        detail::AddColumn<T, Exec>{layout, space.dofs.map, places_begin, places, row_begin, columns,
                                   entries, of_columns, size, nodes, node, column, values});
  }
  in_elements.finish();
  for (const auto& boundary : a.boundary()) {
    const auto on_sides =
        detail::boundary_entries(boundary.dofs_of_sides(), boundary.matrices_of_sides(),
                                 boundary.nodes_of_side(), graph, entries, components);
    forall(exec, "kolam::assemble: on sides", static_cast<index_t>(on_sides.places.size()),
           detail::AddNumbers<T, Exec>{
               kolam::detail::to_space<index_t>(exec, "kolam::places", on_sides.places),
               kolam::detail::to_space<double>(exec, "kolam::numbers", on_sides.numbers), values});
    exec.fence("kolam::assemble: the numbers end here");
  }
  if (space.constraints) {
    forall(exec, "kolam::assemble: known components", a.rows(),
           detail::ConstrainMatrix<Exec, T>{space.constraints->bits, entries, row_begin, columns,
                                            values});
  }
  return {row_begin, columns, values};
}

}  // namespace kolam::fem::detail
