// SPDX-License-Identifier: Apache-2.0
// Finite element multigrid: over decreasing orders, then with order 1 over coarser meshes.
#pragma once

#include <Kokkos_Core.hpp>
#include <concepts>
#include <kolam/core/detail/instantiate.hpp>
#include <kolam/core/error.hpp>
#include <kolam/fem/boomer_amg.hpp>
#include <kolam/fem/preconditioner.hpp>
#include <kolam/fem/space_transfer.hpp>
#include <kolam/linear/any_operator.hpp>
#include <kolam/linear/multigrid.hpp>
#include <memory>

namespace kolam::fem {
namespace detail {

// Returns dofs(i + each e).
template <class Exec>
struct DofOfPoint {
  Kokkos::View<const int*, typename Exec::memory_space> dofs;
  index_t each;
  KOKKOS_FUNCTION index_t operator()(index_t e, int i) const { return dofs(i + each * e); }
};

}  // namespace detail

///@{
/// Returns a multigrid preconditioner for an operator on a space of box_space or of a Mesh. Its
/// levels have orders p, p / 2, ..., 1 on the same elements, then order 1 on coarser meshes: boxes
/// with half as many elements per direction while these numbers are even in every part, or the
/// meshes that the mesh was refined from. Mesh coarsening stops at 100 unknowns or fewer.
/// level_of(space) makes the operator of a level; without it, levels use the form and geometry of
/// the finest. Throws InvalidArgument for other kinds of spaces, if the geometry of a coarser
/// level is inverted, and as BoomerAmg does. Waits. (Sundar, Stadler and Biros 2015.)
template <class T, int Dim, ExecutionSpace Exec,
          std::invocable<const FunctionSpace<T, Dim, Exec>&> LevelOf>
linear::Multigrid<T, Exec> multigrid(const Operator<T, Dim, Exec>& finest, const LevelOf& level_of,
                                     const linear::MultigridOptions& options = {},
                                     CoarseSolver coarse_solver = CoarseSolver::cg) {
  using Transfer = SpaceTransfer<T, Dim, Exec>;
  if (!finest.space().coarser) {
    throw InvalidArgument(
        "fem::multigrid: the space of the operator was made neither by box_space nor of a Mesh, so "
        "its coarser levels are not known; give them to linear::Multigrid");
  }
  const int components = finest.components();
  linear::Multigrid<T, Exec> result(linear::AnyOperator{finest}, options);
  FunctionSpace<T, Dim, Exec> fine = finest.space();
  Operator<T, Dim, Exec> coarsest = finest;
  while (const auto next = fine.coarser->next(fine)) {
    const Operator<T, Dim, Exec> coarse = level_of(next->space);
    const index_t each = kolam::detail::power(static_cast<int>(next->points.size()), Dim);
    const auto transfer =
        std::make_shared<const Transfer>(coarse.space(), next->points, fine.rows(components),
                                         detail::DofOfPoint<Exec>{next->dofs, each});
    result.add(linear::AnyOperator(coarse),
               {[=](const auto& from, const auto& to) { transfer->prolongate(from, to); },
                [=](const auto& from, const auto& to) { transfer->restrict_to_coarse(from, to); }});
    fine = next->space;
    coarsest = coarse;
  }
  if (coarse_solver == CoarseSolver::boomeramg)
    result.solve_coarsest_by(linear::AnyApplicable(BoomerAmg<T, Exec>(coarsest)));
  return result;
}
template <class T, int Dim, ExecutionSpace Exec>
linear::Multigrid<T, Exec> multigrid(const Operator<T, Dim, Exec>& finest,
                                     const linear::MultigridOptions& options = {},
                                     CoarseSolver coarse_solver = CoarseSolver::cg) {
  return multigrid(
      finest, [&](const FunctionSpace<T, Dim, Exec>& space) { return finest.on(space); }, options,
      coarse_solver);
}
///@}

}  // namespace kolam::fem

namespace kolam {

// Instantiated in the library: multigrid over a form, and type-erased operators.
#define KOLAM_MULTIGRID_OF(KOLAM_EXTERN, DIM, T, EXEC)                                           \
  KOLAM_EXTERN template struct linear::AnyOperator<T, EXEC>::Model<fem::Operator<T, DIM, EXEC>>; \
  KOLAM_EXTERN template linear::Multigrid<T, EXEC> fem::multigrid<T, DIM, EXEC>(                 \
      const fem::Operator<T, DIM, EXEC>&, const linear::MultigridOptions&, fem::CoarseSolver);
#define KOLAM_EXTERN_MULTIGRID(EXEC)          \
  KOLAM_MULTIGRID_OF(extern, 2, float, EXEC)  \
  KOLAM_MULTIGRID_OF(extern, 3, float, EXEC)  \
  KOLAM_MULTIGRID_OF(extern, 2, double, EXEC) \
  KOLAM_MULTIGRID_OF(extern, 3, double, EXEC)
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_EXTERN_MULTIGRID)
#undef KOLAM_EXTERN_MULTIGRID

}  // namespace kolam
