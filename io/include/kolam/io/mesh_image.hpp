// SPDX-License-Identifier: Apache-2.0
// A picture of a mesh.
#pragma once

#include <cstdint>
#include <filesystem>
#include <kolam/fem/mesh.hpp>
#include <kolam/io/image.hpp>

namespace kolam {

/// The colour of an attribute, of eight that repeat: attribute 1 is blue.
Rgb attribute_color(int attribute);

/// Draws a mesh, curved as it is, on white, `pixels` wide or high, whichever is more.
///
/// In the plane: elements in pale colours of their attributes, with their edges, and sides that have an
/// attribute as thick lines of its colour. In space: the surface, in the colours of its sides' attributes (grey
/// without one), seen without perspective from above (large z), from the front (small y) and from the right (large
/// x). Edges of elements are left out where there are too many to see.
///
/// Throws InvalidArgument as fem::validate does, for pixels outside 16 to 8192, and for nodes that are not
/// finite. Takes 44 bytes a pixel, and time for each element in the plane and each side of the surface in space.
template <int Dim>
Image draw_mesh(const fem::Mesh<Dim>& mesh, std::int64_t pixels = 900);

/// draw_mesh and write_png in one call, which throws as they do.
template <int Dim>
void write_mesh_image(const std::filesystem::path& path, const fem::Mesh<Dim>& mesh) {
  write_png(path, draw_mesh(mesh));
}

}  // namespace kolam
