// SPDX-License-Identifier: Apache-2.0
// Multigrid over any levels.
#pragma once

#include <Kokkos_Core.hpp>
#include <functional>
#include <kolam/core/detail/instantiate.hpp>
#include <kolam/linear/any_operator.hpp>
#include <kolam/linear/conjugate_gradient.hpp>
#include <kolam/linear/preconditioners.hpp>
#include <optional>

namespace kolam::linear {

/// How a Multigrid smooths, and how well it solves the coarsest level.
struct MultigridOptions {
  int degree = 4;     ///< of the Chebyshev smoother, before and after the coarser level; at least 1
  double range = 20;  ///< it smooths the spectrum from its largest over this; above 1
  double safety = 1.1;  ///< on the estimate of the largest eigenvalue
  /// Of conjugate gradients on the coarsest level. Less costs more time and saves hardly an iteration; a
  /// cycle is a linear map as far as it is exact.
  double coarse_rtol = 1e-2;
};

/// How a level hangs on the next finer one: fine += P coarse, and coarse = P^T fine.
template <class T, ExecutionSpace Exec>
struct LevelTransfer {
  /// Adds P coarse to fine.
  std::function<void(const ConstVector<T, Exec>& coarse, const Vector<T, Exec>& fine)> prolongate;
  /// Sets coarse to P^T fine.
  std::function<void(const Vector<T, Exec>& fine, const Vector<T, Exec>& coarse)>
      restrict_to_coarse;
};

/// One V-cycle, as a preconditioner: symmetric (to coarse_rtol) and positive definite where the operators are.
/// Smooths with Chebyshev polynomials, and solves the coarsest level by conjugate gradients or by a
/// solver of the user's:
/// \code
///   auto m = kolam::fem::multigrid(a);
///   m.solve_coarsest_by(kolam::linear::AnyApplicable(Direct(m.coarsest())));
/// \endcode
template <class T, ExecutionSpace Exec>
class Multigrid {
 public:
  using value_type = T;          ///< of vectors
  using execution_space = Exec;  ///< that it works on

  /// Begins with the operator that is preconditioned. Waits, as add() does.
  explicit Multigrid(const AnyOperator<T, Exec>& finest, const MultigridOptions& options = {});

  /// Adds a coarser level below those that there are. Set-up: its diagonal, and 15 applications for
  /// its largest eigenvalue. Waits.
  void add(const AnyOperator<T, Exec>& coarser, const LevelTransfer<T, Exec>& to_finer);

  /// The operator of the coarsest level that there is.
  const AnyOperator<T, Exec>& coarsest() const { return levels_.back().a; }
  /// From now on x = solver b stands for the solution there, until a level is added. It must be
  /// symmetric and positive definite, and the same linear map each time.
  void solve_coarsest_by(const AnyApplicable<T, Exec>& solver) { coarsest_solver_ = solver; }

  /// Levels, the finest included.
  std::size_t levels() const { return levels_.size(); }

  /// x = one cycle on b, from zero. Waits for the coarsest level, if conjugate gradients solve it. One use at a time. Each
  /// application of A that a level costs: 2 degree.
  void apply(const ConstVector<T, Exec>& b, const Vector<T, Exec>& x) const { cycle(0, b, x); }

 private:
  void cycle(std::size_t level, const ConstVector<T, Exec>& b, const Vector<T, Exec>& x) const;

  // What solves the coarsest level, made when it is first met.
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
  std::optional<AnyApplicable<T, Exec>> coarsest_solver_;  // instead of conjugate gradients
};

#define KOLAM_EXTERN_MULTIGRID(EXEC)            \
  extern template class Multigrid<float, EXEC>; \
  extern template class Multigrid<double, EXEC>;
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_EXTERN_MULTIGRID)
#undef KOLAM_EXTERN_MULTIGRID

}  // namespace kolam::linear
