// SPDX-License-Identifier: Apache-2.0
// Conjugate gradients with the preconditioner that was chosen by name.
#pragma once

#include <kolam/fem/multigrid.hpp>
#include <kolam/fem/preconditioner.hpp>
#include <kolam/linear/detail/compiled_solvers.hpp>
#include <optional>

namespace kolam::fem::detail {

template <class T, ExecutionSpace Exec>
class ChosenSolver {
 public:
  // Sets the preconditioner up. Waits.
  template <int Dim>
  ChosenSolver(const Operator<T, Dim, Exec>& a, Preconditioner choice) : a_(a) {
    switch (choice) {
      case Preconditioner::none:
        break;
      case Preconditioner::jacobi:
        inverse_diagonal_ = linear::inverse_diagonal(a_);
        break;
      case Preconditioner::chebyshev: {
        inverse_diagonal_ = linear::inverse_diagonal(a_);
        const double largest = linear::estimate_eigenvalues(a_, inverse_diagonal_).largest;
        preconditioner_.emplace(linear::Chebyshev(a_, inverse_diagonal_, 5, 1.1 * largest, 30));
        break;
      }
      case Preconditioner::pmg:
        preconditioner_.emplace(multigrid(a));
        break;
    }
    a_.exec().fence("kolam::fem: set-up of the solver");
  }

  linear::SolveResult solve(const Array<T>& b, Array<T>& x,
                            const linear::SolveOptions& options) const {
    return preconditioner_ ? conjugate_gradient(a_, *preconditioner_, b, x, options)
                           : merged_conjugate_gradient(a_, inverse_diagonal_, b, x, options);
  }

 private:
  linear::AnyOperator<T, Exec> a_;
  linear::ConstVector<T, Exec> inverse_diagonal_;
  std::optional<linear::AnyApplicable<T, Exec>> preconditioner_;  // but scaling by the diagonal
};

}  // namespace kolam::fem::detail
