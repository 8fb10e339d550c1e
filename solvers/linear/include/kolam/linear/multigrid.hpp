// SPDX-License-Identifier: Apache-2.0
// Multigrid over levels of any kind.
#pragma once

#include <Kokkos_Core.hpp>
#include <functional>
#include <kolam/core/detail/instantiate.hpp>
#include <kolam/linear/any_operator.hpp>
#include <kolam/linear/conjugate_gradient.hpp>
#include <kolam/linear/preconditioners.hpp>
#include <optional>

namespace kolam::linear {

/// Options of the smoother and the coarsest level of a Multigrid.
struct MultigridOptions {
  int degree = 4;       ///< degree of the Chebyshev smoother, before and after coarser levels; >= 1
  double range = 20;    ///< smooths from the largest eigenvalue / range to the largest; above 1
  double safety = 1.1;  ///< factor on the estimate of the largest eigenvalue
  /// Tolerance of conjugate gradients on the coarsest level. Smaller values cost more time and save
  /// hardly any iterations; a cycle is a linear map only to this tolerance.
  double coarse_rtol = 1e-2;
};

/// The transfer between a level and the next finer one, by a prolongation P and its transpose.
template <class T, ExecutionSpace Exec>
struct LevelTransfer {
  /// Adds P coarse to fine.
  std::function<void(const ConstVector<T, Exec>& coarse, const Vector<T, Exec>& fine)> prolongate;
  /// Sets coarse to P^T fine.
  std::function<void(const Vector<T, Exec>& fine, const Vector<T, Exec>& coarse)>
      restrict_to_coarse;
};

/// A V-cycle as a preconditioner, symmetric (to coarse_rtol) and positive definite if the operators
/// are. Smooths with Chebyshev polynomials, and solves the coarsest level by conjugate gradients or
/// by the user's solver:
/// \code
///   auto m = kolam::fem::multigrid(a);
///   m.solve_coarsest_by(kolam::linear::AnyApplicable(Direct(m.coarsest())));
/// \endcode
template <class T, ExecutionSpace Exec>
class Multigrid {
 public:
  using value_type = T;          ///< type of vector entries
  using execution_space = Exec;  ///< execution space of its kernels

  /// Makes the finest level, from the operator to precondition. Waits, as add() does.
  explicit Multigrid(const AnyOperator<T, Exec>& finest, const MultigridOptions& options = {});

  /// Adds a level below the coarsest. Set-up: the operator's diagonal, and 15 applications for its
  /// largest eigenvalue. Waits.
  void add(const AnyOperator<T, Exec>& coarser, const LevelTransfer<T, Exec>& to_finer);

  /// Returns the operator of the coarsest level.
  const AnyOperator<T, Exec>& coarsest() const { return levels_.back().a; }
  /// Solves the coarsest level by x = solver b from now on, until a level is added. The solver must
  /// be symmetric and positive definite, and the same linear map each time.
  void solve_coarsest_by(const AnyApplicable<T, Exec>& solver) { coarsest_solver_ = solver; }

  /// Returns the number of levels, the finest included.
  std::size_t levels() const { return levels_.size(); }

  /// Sets x to the result of one cycle on b from zero. Waits if conjugate gradients solve the
  /// coarsest level. One call at a time. A level costs 2 * degree applications of its operator.
  void apply(const ConstVector<T, Exec>& b, const Vector<T, Exec>& x) const { cycle(0, b, x); }

 private:
  void cycle(std::size_t level, const ConstVector<T, Exec>& b, const Vector<T, Exec>& x) const;

  // The solver of the coarsest level, made at its first use.
  struct Coarsest {
    AnyApplicable<T, Exec> jacobi;
    detail::ConjugateGradientWorkspace<T, Exec> workspace;
  };
  struct Level {
    AnyOperator<T, Exec> a;
    Vector<T, Exec> inverse;
    Chebyshev<AnyOperator<T, Exec>> smoother;
    LevelTransfer<T, Exec> to_finer;
    detail::WorkVector<T, Exec> b, x, r;
  };
  Level level(const AnyOperator<T, Exec>& a, const LevelTransfer<T, Exec>& to_finer) const;

  MultigridOptions options_;
  std::vector<Level> levels_;
  mutable std::optional<Coarsest> coarsest_;
  std::optional<AnyApplicable<T, Exec>> coarsest_solver_;  // replaces conjugate gradients
};

#define KOLAM_EXTERN_MULTIGRID(EXEC)            \
  extern template class Multigrid<float, EXEC>; \
  extern template class Multigrid<double, EXEC>;
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_EXTERN_MULTIGRID)
#undef KOLAM_EXTERN_MULTIGRID

}  // namespace kolam::linear
