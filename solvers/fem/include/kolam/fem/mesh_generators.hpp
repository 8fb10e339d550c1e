// SPDX-License-Identifier: Apache-2.0
// Generators of standard meshes.
#pragma once

#include <kolam/fem/box_mesh.hpp>
#include <kolam/fem/mesh.hpp>

namespace kolam::fem {

/// Returns a box as a Mesh, with the same elements in the same order and the same boundary
/// attributes, 1 to 2 Dim. Throws InvalidArgument as validate does, and for a part of a box.
template <int Dim>
Mesh<Dim> mesh_of(const BoxMesh<Dim>& box);

/// Returns [-1, 1]^2 without its quarter [0, 1]^2, or [-1, 1]^3 without its eighth [0, 1]^3
/// (Fichera's corner), with n elements per unit length. The whole boundary has attribute 1.
/// Solutions are singular at 0. Throws InvalidArgument if n < 1.
template <int Dim>
Mesh<Dim> reentrant_corner(index_t n);

/// Returns a disc around 0 as an O-grid: n x n elements in a square, surrounded by n rings of 4 n
/// elements. The geometry has this `order`, with the nodes of the boundary (attribute 1) on the
/// circle. Throws InvalidArgument if n or order is below 1, or if the radius is not positive.
Mesh<2> disc(index_t n, int order, double radius = 1);

/// Returns the mesh extruded from z = 0 to `height`: `layers` hexahedra on each quadrilateral.
/// Boundaries keep their attributes. The bottom gets the attribute after the largest of them, the
/// top the next one. Throws InvalidArgument if layers < 1 or if the height is not positive.
Mesh<3> extruded(const Mesh<2>& mesh, index_t layers, double height);

/// Returns the shell between two spheres around 0 (an equiangular cubed sphere): six times n x n
/// elements in each of `layers`, with geometry of `order`. The inner sphere has attribute 1, the
/// outer one 2. Throws InvalidArgument if n, layers or order is below 1, or unless
/// 0 < inner < outer.
Mesh<3> spherical_shell(index_t n, index_t layers, int order, double inner, double outer);

}  // namespace kolam::fem
