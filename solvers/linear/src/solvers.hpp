// SPDX-License-Identifier: Apache-2.0
// Multigrid and the solvers of AnyOperator; each precision is compiled in its own file.
#pragma once

#include <kolam/linear/detail/compiled_solvers.hpp>
#include <kolam/linear/multigrid.hpp>

namespace kolam::linear {

template <class T, ExecutionSpace Exec>
Multigrid<T, Exec>::Multigrid(const AnyOperator<T, Exec>& finest, const MultigridOptions& options)
    : options_(options) {
  levels_.push_back(level(finest, {}));
}

template <class T, ExecutionSpace Exec>
void Multigrid<T, Exec>::add(const AnyOperator<T, Exec>& coarser,
                             const LevelTransfer<T, Exec>& to_finer) {
  levels_.push_back(level(coarser, to_finer));
  coarsest_.reset();
  coarsest_solver_.reset();
}

template <class T, ExecutionSpace Exec>
auto Multigrid<T, Exec>::level(const AnyOperator<T, Exec>& a,
                               const LevelTransfer<T, Exec>& to_finer) const -> Level {
  const auto inverse = inverse_diagonal(a);
  const comm::RowDistribution rows = row_distribution(a);
  const double largest =
      rows.communicator.sum(rows.owned) == 0 ? 1 : estimate_eigenvalues(a, inverse).largest;
  const auto vector = [&](const char* label) {
    return detail::WorkVector<T, Exec>(a.exec(), label, a.rows());
  };
  return {a,
          inverse,
          {a, inverse, options_.degree, options_.safety * largest, options_.range},
          to_finer,
          vector("multigrid b"),
          vector("multigrid x"),
          vector("multigrid r")};
}

template <class T, ExecutionSpace Exec>
void Multigrid<T, Exec>::cycle(std::size_t l, const ConstVector<T, Exec>& b,
                               const Vector<T, Exec>& x) const {
  const Level& here = levels_[l];
  const Exec& exec = here.a.exec();
  if (l + 1 == levels_.size()) {
    if (coarsest_solver_) return coarsest_solver_->apply(b, x);
    detail::set_zero<T>(exec, x);
    if (!coarsest_) {
      coarsest_ = Coarsest{AnyApplicable<T, Exec>(Jacobi<T, Exec>{exec, here.inverse}),
                           {exec, row_distribution(here.a), true}};
    }
    // (The status is not used: if this operator is singular or indefinite, so is the finest one,
    // and its solver reports it.)
    detail::SolveProgress progress(
        SolveOptions{.rtol = options_.coarse_rtol, .max_iterations = 10000, .patience = 100});
    detail::iterate(here.a, coarsest_->jacobi, b, x, coarsest_->workspace, progress);
    return;
  }
  const Level& below = levels_[l + 1];
  here.smoother.apply(b, x);
  const Vector<T, Exec> r = here.r;
  detail::set_residual(here.a, b, x, r);
  below.to_finer.restrict_to_coarse(r, below.b);
  cycle(l + 1, below.b, below.x);
  below.to_finer.prolongate(below.x, x);
  here.smoother.smooth(b, x);
}

}  // namespace kolam::linear
