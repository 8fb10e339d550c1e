// SPDX-License-Identifier: Apache-2.0
// Sparse matrices, multiplied by Kokkos Kernels. (There where the build has Kokkos Kernels, see
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
  using value_type = T;                                         ///< of vectors
  using execution_space = Exec;                                 ///< that it works on
  using memory_space = typename Exec::memory_space;             ///< of the matrix
  using RowBegin = Kokkos::View<const index_t*, memory_space>;  ///< [rows + 1]
  using Columns = Kokkos::View<const int*, memory_space>;       ///< one for each number

  /// row_begin: [rows + 1], the first number of each row; columns and values: [row_begin(rows)],
  /// columns ascending in each row. Throws InvalidArgument for lengths that do not fit. Waits.
  AssembledMatrix(const Exec& exec, const RowBegin& row_begin, const Columns& columns,
                  const ConstVector<T, Exec>& values);

  /// The instance that it works on.
  const Exec& exec() const { return exec_; }
  /// Rows, and as many columns.
  index_t rows() const { return static_cast<index_t>(row_begin_.extent(0)) - 1; }
  ///@{
  /// The three arrays of the matrix, as the constructor says; they share its memory.
  const RowBegin& row_begin() const { return row_begin_; }
  const Columns& columns() const { return columns_; }
  const ConstVector<T, Exec>& values() const { return values_; }
  ///@}

  /// y = A x; [rows()] both, or InvalidArgument is thrown. Asynchronous. Moves 4 + sizeof(T) bytes
  /// for each number of the matrix.
  void apply(const ConstVector<T, Exec>& x, const Vector<T, Exec>& y) const { multiply(x, 0, y); }
  /// y += A x, likewise.
  void apply_add(const ConstVector<T, Exec>& x, const Vector<T, Exec>& y) const {
    multiply(x, 1, y);
  }
  /// d = the diagonal, 0 where the matrix has no number; [rows()]. Asynchronous.
  void diagonal(const Vector<T, Exec>& d) const;

 private:
  struct Product;  // what Kokkos Kernels keeps

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
