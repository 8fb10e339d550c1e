// SPDX-License-Identifier: Apache-2.0
// The matrix that an operator does without: to compare with, to look at, for solvers that need one.
// (There where the build has Kokkos Kernels, see KOLAM_KOKKOS_KERNELS.)
#pragma once

#include <kolam/fem/detail/element_matrix.hpp>
#include <kolam/linear/assembled_matrix.hpp>

namespace kolam::fem {

/// The matrix of a: what it makes of one node's value in all elements at a time, put in its place.
/// Sums in one order, so the same on every run. Waits. Throws InvalidArgument if there are more
/// than 2^31 - 1 rows, or if the space is shared among processes.
///
/// Set-up for small problems: (p + 1)^Dim * components applications to the elements; for order p in
/// three dimensions each row has up to (2 p + 1)^3 * components numbers.
template <class T, int Dim, ExecutionSpace Exec>
linear::AssembledMatrix<T, Exec> assemble(const Operator<T, Dim, Exec>& a) {
  if (a.space().shared) {
    throw InvalidArgument(
        "assemble: a matrix of elements that are shared among processes; assemble in one, or apply "
        "the operator without a matrix");
  }
  const auto rows = detail::matrix_of_elements(a);
  return {a.exec(), rows.row_begin, rows.columns, rows.values};
}

}  // namespace kolam::fem
