// SPDX-License-Identifier: Apache-2.0
// Meshes that need no file.
#pragma once

#include <kolam/fem/box_mesh.hpp>
#include <kolam/fem/mesh.hpp>

namespace kolam::fem {

/// A box as a Mesh: the same elements in the same order, and the same boundary attributes, 1 to
/// 2 Dim. Throws InvalidArgument as validate does, and for a box that is cut into parts.
template <int Dim>
Mesh<Dim> mesh_of(const BoxMesh<Dim>& box);

/// [-1, 1]^2 without its quarter [0, 1]^2, or [-1, 1]^3 without its eighth [0, 1]^3 (Fichera's
/// corner): n elements for a length of 1, all of the boundary of attribute 1. Solutions are
/// singular at 0. Throws InvalidArgument for n < 1.
template <int Dim>
Mesh<Dim> reentrant_corner(index_t n);

/// A disc around 0 as an O-grid: n x n elements in a square, and n rings of 4 n around it, of
/// geometry `order`: the boundary (attribute 1) is on the circle at its nodes. Throws
/// InvalidArgument for n or order < 1, and for a radius that is not positive.
Mesh<2> disc(index_t n, int order, double radius = 1);

/// `layers` elements of hexahedra on each quadrilateral, from z = 0 to `height`. Boundaries keep
/// their attributes; the bottom gets the first that is not among them, the top the one after it.
/// Throws InvalidArgument for layers < 1 and for a height that is not positive.
Mesh<3> extruded(const Mesh<2>& mesh, index_t layers, double height);

/// The shell between two spheres around 0 (a cubed sphere with equal angles): six times n x n
/// elements in `layers`, of geometry `order`. The inner sphere has attribute 1, the outer one 2.
/// Throws InvalidArgument for n, layers or order < 1, and for radii that do not ascend from above
/// 0.
Mesh<3> spherical_shell(index_t n, index_t layers, int order, double inner, double outer);

}  // namespace kolam::fem
