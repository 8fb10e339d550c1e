// SPDX-License-Identifier: Apache-2.0
// Right-hand sides of fluxes through the boundary (Neumann conditions).
//
//   // The flux 2 through the side at the upper end in x of a box (attribute 2):
//   kolam::fem::add_flux(space, kolam::fem::sides_of(mesh, kolam::fem::attribute_bits(2, {2})),
//                        kolam::Constant{2.0}, b);
#pragma once

#include <kolam/core/detail/allocate.hpp>
#include <kolam/fem/box_mesh.hpp>
#include <kolam/fem/detail/components.hpp>
#include <kolam/fem/detail/faces.hpp>
#include <kolam/fem/mesh.hpp>
#include <kolam/fem/operator.hpp>
#include <vector>

namespace kolam::fem {

/// Returns the element sides that lie on sides of a box, selected by bits from attribute_bits,
/// ordered by attribute, then by element; for a part of a box, those of its own elements. Throws
/// InvalidArgument for an invalid mesh (see validate) and for bits that the box does not have.
template <int Dim>
std::vector<ElementSide> sides_of(const BoxMesh<Dim>& mesh, std::uint32_t attributes);

namespace detail {

// Sums of the values of each unknown, added in the order of faces.
struct FluxSums {
  std::vector<int> dofs;
  std::vector<double> sums;
};
FluxSums add_by_dof(const std::vector<int>& dofs, const std::vector<double>& values);

// values = contribution of the flux to each node of each side; dofs = unknown of that node.
template <class T, int Dim, class Exec>
struct FluxAtNodes {
  Faces<T, Dim, Exec> faces;
  Kokkos::View<const double*, typename Exec::memory_space> at_points;
  Kokkos::View<double*, typename Exec::memory_space> values;
  Kokkos::View<int*, typename Exec::memory_space> dofs;
  KOKKOS_FUNCTION void operator()(index_t n) const {
    const index_t face = n / faces.field.count();
    const auto i = static_cast<int>(n % faces.field.count());
    const int points = faces.points();
    double sum = 0;
    for (int q = 0; q < points; ++q) sum += at_points(face * points + q) * faces.field.at(i, q, 0);
    values(n) = sum;
    dofs(n) = faces.dofs(faces.field.node(faces.sides(face), i));
  }
};

// b(places(n)) += values(n), for components first to last - 1.
template <class T, class Exec>
struct AddAt {
  Kokkos::View<const int*, typename Exec::memory_space> places;
  Kokkos::View<const double*, typename Exec::memory_space> values;
  index_t entries;
  int first, last;
  linear::Vector<T, Exec> b;
  KOKKOS_FUNCTION void operator()(index_t n) const {
    for (int c = first; c < last; ++c) b(places(n) + c * entries) += static_cast<T>(values(n));
  }
};

// b += (g, v) on the sides, for components first to last - 1. Waits.
template <class T, int Dim, ExecutionSpace Exec, class G>
void add_flux_of(const Exec& exec, const Faces<T, Dim, Exec>& faces, index_t dofs, const G& g,
                 int first, int last, const linear::Vector<T, Exec>& b) {
  const int points = faces.points();
  const int nodes = faces.field.count();
  const auto count = static_cast<index_t>(faces.sides.extent(0));
  const auto numbers = [&](auto zero, index_t n) {
    return kolam::detail::allocate_view<Kokkos::View<decltype(zero)*, typename Exec::memory_space>>(
        exec, "kolam::flux", n);
  };
  const auto at_points = numbers(0.0, count * points);
  forall(exec, "kolam::add_flux: at points", count * points,
         FluxAtPoints<T, Dim, Exec, G>{faces, g, at_points});
  const auto values = numbers(0.0, count * nodes);
  const auto unknowns = numbers(0, count * nodes);
  forall(exec, "kolam::add_flux: at nodes", count * nodes,
         FluxAtNodes<T, Dim, Exec>{faces, at_points, values, unknowns});
  exec.fence("kolam::add_flux");
  const auto on_host = [](const auto& view) {
    const auto there = kolam::detail::readable_on_host(view);
    return std::vector(there.data(), there.data() + there.extent(0));
  };
  const FluxSums added = add_by_dof(on_host(unknowns), on_host(values));
  const auto places = kolam::detail::to_space<int>(exec, "kolam::unknowns", added.dofs);
  const auto sums = kolam::detail::to_space<double>(exec, "kolam::sums", added.sums);
  forall(exec, "kolam::add_flux", static_cast<index_t>(places.extent(0)),
         AddAt<T, Exec>{places, sums, dofs, first, last, b});
  exec.fence("kolam::add_flux: the sums end here");
}

}  // namespace detail

/// Adds (g, v) on the sides to b for each of `Components` components: the flux c grad u . n = g of
/// a problem -div(c grad u) = f, or the traction of an elasticity problem. g is a functor on
/// BoundaryPoint<T, Dim>, called on the space's exec, that returns one number for all components,
/// or one for each (a Kokkos::Array). b comes from space.vector(label, Components). Other sides
/// have zero flux; nodes with a Dirichlet condition receive nothing. Sums are taken in a fixed
/// order, so results are bitwise reproducible. Throws InvalidArgument for an element or a side that
/// does not exist, and if b is too short. For set-up. Waits. All processes of the space call it.
template <int Components = 1, class T, int Dim, ExecutionSpace Exec, class G>
void add_flux(const FunctionSpace<T, Dim, Exec>& space, const std::vector<ElementSide>& sides,
              const G& g, const std::type_identity_t<linear::WriteVector<T, Exec>>& b) {
  const Exec& exec = space.exec;
  detail::require_sides("add_flux", sides, space.elements(), Dim);
  detail::require_dofs("add_flux", b, space.dofs.entries * Components);
  const linear::Vector<T, Exec> sum = b.read_write(exec);
  const auto faces = detail::faces_of(space, sides);
  space.begin_sum(sum, Components);
  if constexpr (detail::has_components<G, BoundaryPoint<T, Dim>>) {
    for (int c = 0; c < Components; ++c)
      detail::add_flux_of(exec, faces, space.dofs.entries, detail::ComponentOf<G>{g, c}, c, c + 1,
                          sum);
  } else {
    detail::add_flux_of(exec, faces, space.dofs.entries, g, 0, Components, sum);
  }
  space.end_sum(sum, Components);
  exec.fence("kolam::add_flux");
}

}  // namespace kolam::fem
