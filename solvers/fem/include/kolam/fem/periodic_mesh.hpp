// SPDX-License-Identifier: Apache-2.0
// Meshes whose ends are joined.
//
//   const auto ring = kolam::fem::periodic(mesh, {{1.0, 0.0}});  // what leaves at x = 1 comes in at 0
#pragma once

#include <array>
#include <kolam/fem/mesh.hpp>
#include <utility>
#include <vector>

namespace kolam::fem {

/// The same mesh with its ends joined: each side of the boundary becomes one with the side that lies
/// where a translation takes it, as a whole, and neither is a boundary any longer (names that have no side then are gone). Elements stay
/// where they are: their vertices become the same. Several translations one after the other: two
/// make a torus of a rectangle. The result has no coarser mesh: make a coarse mesh periodic, then
/// refine it.
///
/// Throws InvalidArgument for a translation that takes no side to another, for fewer than three
/// elements from end to end (two of them would be told apart by nothing), for a part of a mesh
/// (join the whole one), and as validate does. Takes a sort of the sides.
template <int Dim>
Mesh<Dim> periodic(
    const Mesh<Dim>& mesh,
    const std::vector<std::array<double, static_cast<std::size_t>(Dim)>>& translations);

/// The same for pairs of vertices that become one, as files say them (Gmsh's periodic entities). Both of
/// a pair must exist. Throws as above.
template <int Dim>
Mesh<Dim> joined(const Mesh<Dim>& mesh, const std::vector<std::pair<index_t, index_t>>& vertices);

/// Whether elements have a vertex in common that they have in different places, as in a periodic mesh.
/// The mesh is valid. In parallel.
template <int Dim>
bool is_periodic(const Mesh<Dim>& mesh);

}  // namespace kolam::fem
