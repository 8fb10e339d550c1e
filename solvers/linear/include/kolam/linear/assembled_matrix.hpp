// SPDX-License-Identifier: Apache-2.0
// Sparse matrices, multiplied by Kokkos Kernels. (Only in builds with Kokkos Kernels, see
// KOLAM_KOKKOS_KERNELS.)
#pragma once

#include <kolam/core/detail/instantiate.hpp>
#include <kolam/linear/operator.hpp>
#include <memory>

namespace kolam::linear {

/// A square sparse matrix in compressed rows (CSR), multiplied by Kokkos Kernels. A LinearOperator.
/// Copies share the memory.
template <class T, ExecutionSpace Exec>
class AssembledMatrix {
 public:
  using value_type = T;                                         ///< type of vector entries
  using execution_space = Exec;                                 ///< execution space of its kernels
  using memory_space = typename Exec::memory_space;             ///< memory space of the matrix
  using RowBegin = Kokkos::View<const index_t*, memory_space>;  ///< [rows + 1]
  using Columns = Kokkos::View<const int*, memory_space>;       ///< a column for each entry

  /// Makes a matrix from its arrays. row_begin: [rows + 1], the first entry of each row; columns
  /// and values: [row_begin(rows)], columns ascending in each row. Throws InvalidArgument for
  /// lengths that do not fit. Waits.
  AssembledMatrix(const Exec& exec, const RowBegin& row_begin, const Columns& columns,
                  const ConstVector<T, Exec>& values);

  /// Returns the instance of its kernels.
  const Exec& exec() const { return exec_; }
  /// Returns the number of rows, equal to that of columns.
  index_t rows() const { return static_cast<index_t>(row_begin_.extent(0)) - 1; }
  ///@{
  /// Returns an array of the matrix, as given to the constructor; it shares the matrix's memory.
  const RowBegin& row_begin() const { return row_begin_; }
  const Columns& columns() const { return columns_; }
  const ConstVector<T, Exec>& values() const { return values_; }
  ///@}

  /// Sets y = A x. Throws InvalidArgument unless x and y are [rows()]. Asynchronous. Moves 4 +
  /// sizeof(T) bytes for each entry of the matrix.
  void apply(const ConstVector<T, Exec>& x, const Vector<T, Exec>& y) const { multiply(x, 0, y); }
  /// Adds A x to y, in the same way.
  void apply_add(const ConstVector<T, Exec>& x, const Vector<T, Exec>& y) const {
    multiply(x, 1, y);
  }
  /// Sets d, [rows()], to the diagonal, with 0 for entries that are not stored. Asynchronous.
  void diagonal(const Vector<T, Exec>& d) const;

 private:
  struct Product;  // the matrix of Kokkos Kernels

  // y = old y + A x.
  void multiply(const ConstVector<T, Exec>& x, T old, const Vector<T, Exec>& y) const;

  Exec exec_;
  RowBegin row_begin_;
  Columns columns_;
  ConstVector<T, Exec> values_;
  std::shared_ptr<const Product> product_;
};

#define KOLAM_EXTERN_MATRIX(EXEC)                     \
  extern template class AssembledMatrix<float, EXEC>; \
  extern template class AssembledMatrix<double, EXEC>;
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_EXTERN_MATRIX)
#undef KOLAM_EXTERN_MATRIX

}  // namespace kolam::linear
