// SPDX-License-Identifier: Apache-2.0
#include <KokkosSparse_CrsMatrix.hpp>
#include <KokkosSparse_spmv.hpp>
#include <kolam/core/error.hpp>
#include <kolam/linear/assembled_matrix.hpp>
#include <kolam/linear/detail/find_column.hpp>

namespace kolam::linear {

template <class T, ExecutionSpace Exec>
struct AssembledMatrix<T, Exec>::Product {
  using Device = Kokkos::Device<Exec, memory_space>;
  using Matrix = KokkosSparse::CrsMatrix<const T, const int, Device, void, const index_t>;
  Matrix matrix;
};

template <class T, ExecutionSpace Exec>
AssembledMatrix<T, Exec>::AssembledMatrix(const Exec& exec, const RowBegin& row_begin,
                                          const Columns& columns,
                                          const ConstVector<T, Exec>& values)
    : exec_(exec), row_begin_(row_begin), columns_(columns), values_(values) {
  if (row_begin.extent(0) == 0) {
    throw InvalidArgument(
        "AssembledMatrix: row_begin is empty; it has a number for each row and one more");
  }
  index_t end = 0;
  Kokkos::deep_copy(kokkos_instance(exec), end,
                    Kokkos::subview(row_begin, row_begin.extent(0) - 1));
  exec.fence("kolam::AssembledMatrix");
  const auto numbers = static_cast<std::size_t>(end);
  if (columns.extent(0) != numbers || values.extent(0) != numbers) {
    throw InvalidArgument("AssembledMatrix: row_begin ends with " + std::to_string(end) +
                          ", but there are " + std::to_string(columns.extent(0)) + " columns and " +
                          std::to_string(values.extent(0)) + " values; give as many");
  }
  const auto row_count = static_cast<int>(rows());
  product_ = std::make_shared<const Product>(
      Product{{"kolam::matrix", row_count, row_count, end, values, row_begin, columns}});
}

template <class T, ExecutionSpace Exec>
void AssembledMatrix<T, Exec>::multiply(const ConstVector<T, Exec>& x, T old,
                                        const Vector<T, Exec>& y) const {
  const auto n = static_cast<std::size_t>(rows());
  if (x.extent(0) != n || y.extent(0) != n) {
    throw InvalidArgument("AssembledMatrix: the matrix has " + std::to_string(n) +
                          " rows, but x has " + std::to_string(x.extent(0)) + " and y " +
                          std::to_string(y.extent(0)) + " numbers");
  }
  KokkosSparse::spmv(kokkos_instance(exec_), "N", T(1), product_->matrix, x, old, y);
}

template <class T, ExecutionSpace Exec>
void AssembledMatrix<T, Exec>::diagonal(const Vector<T, Exec>& d) const {
  const auto row_begin = row_begin_;
  const auto columns = columns_;
  const auto values = values_;
  forall(
      exec_, "kolam::AssembledMatrix::diagonal", rows(), KOKKOS_LAMBDA(index_t row) {
        const index_t place = detail::find_column(columns.data(), row_begin(row),
                                                  row_begin(row + 1), static_cast<int>(row));
        d(row) =
            row_begin(row) < row_begin(row + 1) && columns(place) == row ? values(place) : T(0);
      });
}

#define KOLAM_INSTANTIATE(EXEC)                \
  template class AssembledMatrix<float, EXEC>; \
  template class AssembledMatrix<double, EXEC>;
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_INSTANTIATE)

}  // namespace kolam::linear
