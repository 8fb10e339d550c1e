// SPDX-License-Identifier: Apache-2.0
// Periodic meshes, whose ends are joined.
//
//   const auto ring = kolam::fem::periodic(mesh, {{1.0, 0.0}});  // what leaves at x = 1 comes in at 0
#pragma once

#include <array>
#include <kolam/fem/mesh.hpp>
#include <utility>
#include <vector>

namespace kolam::fem {

/// Returns the mesh with its ends joined. Each boundary side is identified with the side that a
/// translation maps it to, and neither is a boundary any longer; boundary names without remaining
/// sides are removed. Elements keep their positions but share vertices. Several translations
/// combine: two make a torus of a rectangle. The result has no coarser mesh: make a coarse mesh
/// periodic, then refine it.
///
/// Throws InvalidArgument if a translation maps no side onto another, if there are fewer than three
/// elements from end to end (two would have the same vertices), if the mesh is a part (join the
/// whole mesh), and as validate does. Takes a sort of the sides.
template <int Dim>
Mesh<Dim> periodic(
    const Mesh<Dim>& mesh,
    const std::vector<std::array<double, static_cast<std::size_t>(Dim)>>& translations);

/// Returns the mesh with each pair of vertices joined into one, as mesh files specify them (Gmsh's
/// periodic entities). Both vertices of a pair must exist. Throws as periodic does.
template <int Dim>
Mesh<Dim> joined(const Mesh<Dim>& mesh, const std::vector<std::pair<index_t, index_t>>& vertices);

/// Returns whether elements of a valid mesh share a vertex but place it at different positions, as
/// in a periodic mesh. Runs in parallel.
template <int Dim>
bool is_periodic(const Mesh<Dim>& mesh);

}  // namespace kolam::fem
