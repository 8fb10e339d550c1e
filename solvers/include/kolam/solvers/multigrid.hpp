// SPDX-License-Identifier: Apache-2.0
// Multigrid over any levels, and those of finite elements on boxes: orders, and below order 1
// meshes.
#pragma once

#include <Kokkos_Core.hpp>
#include <functional>
#include <kolam/core/detail/instantiate.hpp>
#include <kolam/solvers/any_operator.hpp>
#include <kolam/solvers/conjugate_gradient.hpp>
#include <kolam/solvers/preconditioners.hpp>
#include <kolam/solvers/space_transfer.hpp>
#include <optional>

namespace kolam {

/// How a Multigrid smooths, and how well it solves the coarsest level.
struct MultigridOptions {
  int degree = 4;             ///< of the Chebyshev smoother, before and behind; at least 1
  double range = 20;          ///< it smooths the spectrum from its largest over this; above 1
  double safety = 1.1;        ///< on the estimate of the largest eigenvalue
  double coarse_rtol = 1e-8;  ///< of conjugate gradients on the coarsest level
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

/// One V-cycle, as a preconditioner: symmetric and positive definite where the operators are.
/// Smooths with Chebyshev polynomials, and solves the coarsest level by conjugate gradients.
template <class T, ExecutionSpace Exec>
class Multigrid {
 public:
  /// Begins with the operator that is preconditioned. Waits, as add() does.
  explicit Multigrid(const AnyOperator<T, Exec>& finest, const MultigridOptions& options = {});

  /// Adds a coarser level below those that there are. Set-up: its diagonal, and 15 applications for
  /// its largest eigenvalue. Waits.
  void add(const AnyOperator<T, Exec>& coarser, const LevelTransfer<T, Exec>& to_finer);

  /// Levels, the finest included.
  [[nodiscard]] std::size_t levels() const { return levels_.size(); }

  /// x = one cycle on b, from zero. Waits for the coarsest level. One use at a time. Each
  /// application of A that a level costs: 2 degree.
  void apply(const ConstVector<T, Exec>& b, const Vector<T, Exec>& x) const { cycle(0, b, x); }

 private:
  void cycle(std::size_t level, const ConstVector<T, Exec>& b, const Vector<T, Exec>& x) const;

  // What solves the coarsest level, made when it is first met.
  struct Coarsest {
    AnyApplicable<T, Exec> jacobi;
    detail::ConjugateGradientRoom<T, Exec> room;
  };
  struct Level {
    AnyOperator<T, Exec> a;
    Vector<T, Exec> inverse;
    Chebyshev<T, Exec, AnyOperator<T, Exec>> smoother;
    LevelTransfer<T, Exec> to_finer;
    Vector<T, Exec> b, x, r;
  };
  Level level(const AnyOperator<T, Exec>& a, const LevelTransfer<T, Exec>& to_finer) const;

  MultigridOptions options_;
  std::vector<Level> levels_;
  mutable std::optional<Coarsest> coarsest_;
};

#define KOLAM_EXTERN_MULTIGRID(EXEC)            \
  extern template class Multigrid<float, EXEC>; \
  extern template class Multigrid<double, EXEC>;
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_EXTERN_MULTIGRID)
#undef KOLAM_EXTERN_MULTIGRID

namespace detail {

template <int Dim, class Exec>
struct UnknownOnLattice {
  BoxLattice<Dim> lattice;
  Kokkos::View<const int*, typename Exec::memory_space> unknown_of_node;
  KOKKOS_FUNCTION index_t operator()(index_t e, int i) const {
    return unknown_of_node(lattice.node(e, i));
  }
};

// Half as many elements in each direction, where that can be in every part.
template <int Dim>
bool halve(BoxMesh<Dim>& mesh) {
  for (std::size_t k = 0; k < Dim; ++k)
    if (mesh.elements[k] % (2 * mesh.parts[k]) != 0) return false;
  for (index_t& n : mesh.elements) n /= 2;
  return true;
}

}  // namespace detail

/// Multigrid for `finest`, an operator of a space (A: MatrixFree, or what has the same names) of
/// `order` on `mesh`: orders p, p / 2, ..., 1 on the same mesh, then order 1 on meshes of half as
/// many elements in each direction while their numbers are even, in every part. level_of(mesh,
/// order) makes the operator of a level, of its own geometry. Waits. (Sundar, Stadler and Biros
/// 2015.)
template <class A, int Dim, class LevelOf, class T = typename A::value_type,
          class Exec = typename A::execution_space>
  requires LinearOperator<A, T, Exec>
[[nodiscard]] Multigrid<T, Exec> box_multigrid(const A& finest, const BoxMesh<Dim>& mesh, int order,
                                               const LevelOf& level_of,
                                               const MultigridOptions& options = {}) {
  constexpr index_t few = 100;  // unknowns that are not worth another level
  using Transfer = SpaceTransfer<T, Dim, Exec>;
  const int components = kolam::rows_of_process(finest).components;
  Multigrid<T, Exec> result(AnyOperator<T, Exec>(finest), options);
  FunctionSpace<T, Dim, Exec> fine = finest.space();
  BoxMesh<Dim> here = mesh;
  int p = order;
  const auto unknowns = [](const auto& space) {
    const RowsOfProcess rows = space.rows();
    return rows.communicator.sum(rows.owned);
  };
  while (p > 1 || (unknowns(fine) > few && detail::halve(here))) {
    const bool by_order = p > 1;
    const detail::UnknownOnLattice<Dim, Exec> unknown{BoxLattice<Dim>(here, by_order ? p : 2),
                                                      fine.unknown_of_node};
    p = by_order ? p / 2 : 1;
    const A coarse = level_of(here, p);
    const auto transfer = std::make_shared<const Transfer>(
        coarse.space(), by_order ? fine.basis.nodes : std::vector<double>{0, 0.5, 1},
        fine.rows(components), unknown);
    result.add(AnyOperator<T, Exec>(coarse),
               {[=](const auto& from, const auto& to) { transfer->prolongate(from, to); },
                [=](const auto& from, const auto& to) { transfer->restrict_to_coarse(from, to); }});
    fine = coarse.space();
  }
  return result;
}

}  // namespace kolam
