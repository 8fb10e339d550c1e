// SPDX-License-Identifier: Apache-2.0
// The assembled matrix of an operator: for comparison, inspection and solvers that need a matrix.
// (Only if the build has Kokkos Kernels, see KOLAM_KOKKOS_KERNELS.)
#pragma once

#include <kolam/fem/detail/element_matrix.hpp>
#include <kolam/linear/assembled_matrix.hpp>

namespace kolam::fem {

/// Returns the matrix of a. Each application of `a` to the elements gives one column of every
/// element matrix. Sums are taken in a fixed order, so the result is the same on every run. Waits.
/// Throws InvalidArgument if there are more than 2^31 - 1 rows, or if processes share the space.
///
/// Meant for the set-up of small problems: takes (p + 1)^Dim * components applications to the
/// elements for order p; in three dimensions a row has up to (2 p + 1)^3 * components entries.
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
