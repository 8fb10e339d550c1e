// SPDX-License-Identifier: Apache-2.0
// Conjugate gradients with a preconditioner chosen at run time.
#pragma once

#include <kolam/core/detail/instantiate.hpp>
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
  ChosenSolver(const Operator<T, Dim, Exec>& a, Preconditioner choice, CoarseSolver coarse)
      : a_(a) {
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
        preconditioner_.emplace(multigrid(a, {}, coarse));
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
  std::optional<linear::AnyApplicable<T, Exec>> preconditioner_;  // other than jacobi
};

// Compiled in solvers_float.cpp and solvers_double.cpp.
#define KOLAM_CHOSEN_SOLVER(KOLAM_EXTERN, T, EXEC)                                         \
  KOLAM_EXTERN template ChosenSolver<T, EXEC>::ChosenSolver(const Operator<T, 2, EXEC>&,   \
                                                            Preconditioner, CoarseSolver); \
  KOLAM_EXTERN template ChosenSolver<T, EXEC>::ChosenSolver(const Operator<T, 3, EXEC>&,   \
                                                            Preconditioner, CoarseSolver); \
  KOLAM_EXTERN template class ChosenSolver<T, EXEC>;
#define KOLAM_EXTERN_CHOSEN_SOLVER(EXEC)   \
  KOLAM_CHOSEN_SOLVER(extern, float, EXEC) \
  KOLAM_CHOSEN_SOLVER(extern, double, EXEC)
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_EXTERN_CHOSEN_SOLVER)
#undef KOLAM_EXTERN_CHOSEN_SOLVER

}  // namespace kolam::fem::detail
