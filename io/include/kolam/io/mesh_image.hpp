// SPDX-License-Identifier: Apache-2.0
// Pictures of meshes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <kolam/fem/mesh.hpp>
#include <kolam/io/image.hpp>

namespace kolam {

/// Returns the colour of an attribute, from eight that repeat: attribute 1 is blue.
Rgb attribute_color(int attribute);

/// Draws a mesh with its curved elements on white; the longer side of the picture is `pixels` long.
///
/// In 2D: elements in pale colours of their attributes, with their edges; sides with an attribute
/// are thick lines in its colour. In 3D: the surface in the colours of its sides' attributes (grey
/// without one), seen without perspective from above (large z), from the front (small y) and from
/// the right (large x). Edges of elements are omitted if there are too many to see.
///
/// Throws InvalidArgument as fem::validate does, if `pixels` is outside 16 to 8192, and if a node
/// is not finite.
/// Cost: 67 bytes per pixel, and time for each element in 2D or each side of the surface in 3D.
template <int Dim>
Image draw_mesh(const fem::Mesh<Dim>& mesh, std::int64_t pixels = 900);

/// Draws a mesh and writes it as PNG; throws as draw_mesh and write_png do.
template <int Dim>
void write_mesh_image(const std::filesystem::path& path, const fem::Mesh<Dim>& mesh) {
  write_png(path, draw_mesh(mesh));
}

}  // namespace kolam
