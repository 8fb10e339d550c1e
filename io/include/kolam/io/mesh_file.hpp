// SPDX-License-Identifier: Apache-2.0
// Meshes in files of Gmsh, MFEM and VTK.
//
//   const auto mesh = kolam::read_mesh<3>("pipe.msh");
//   const auto space = kolam::fem::space<double>(exec, mesh, 3, {.dirichlet = {"wall"}});
#pragma once

#include <filesystem>
#include <kolam/comm/communicator.hpp>
#include <kolam/fem/mesh.hpp>
#include <variant>
#include <vector>

namespace kolam {

/// A mesh of two or three dimensions.
using AnyMesh = std::variant<fem::Mesh<2>, fem::Mesh<3>>;

/// The quadrilaterals or hexahedra of a file, with their attributes, the sides that have one, and
/// names. Its first line tells the format:
/// - Gmsh 2.0 to 2.2 and 4.1, as text or binary, of orders 1 to 10 (hexahedra to 9), complete or
///   serendipity. Attributes are physical groups; where no element is in one, all elements get 1.
///   Tags of nodes may have gaps, and nodes that no element has are left out.
/// - MFEM v1.0 and v1.3: straight, or with nodes of H1 or L2 on Gauss-Lobatto, uniform or (L2)
///   Gauss points.
/// - VTK: VTU (text, base64 or appended data, zlib), and legacy files, text or binary: linear,
///   quadratic, serendipity and Lagrange cells of one order. Attributes are those of the cell array
///   `attribute`, or where there is none of `gmsh:physical`, `medit:ref`, `MaterialIDs` or
///   `CellEntityIds`; cells of one dimension less with an attribute are sides.
///
/// Elements are in the order of a Hilbert curve (fem::in_hilbert_order); `order_of`, if it is given,
/// becomes the number of each of them in the file, from 0, of the elements of its dimension.
/// Periodic entities of Gmsh are joined, as by fem::joined.
/// Elements that are mirror images are turned. A mesh in a plane z = const is of two dimensions.
///
/// Throws FileError, naming the file, mostly the line, and what to do, for what cannot be read:
/// other elements (with their count), hanging nodes, NURBS, surfaces in space,
/// points that lie twice, sizes that the file has no bytes for, and all that fem::validate refuses. Takes about twice the
/// size of the file, and a sort of the elements' vertices and sides.
AnyMesh read_mesh(const std::filesystem::path& path, std::vector<index_t>* order_of = nullptr);

/// The same; a mesh of other dimensions than Dim is a FileError as well.
template <int Dim>
fem::Mesh<Dim> read_mesh(const std::filesystem::path& path,
                         std::vector<index_t>* order_of = nullptr);

///@{
/// Writes a mesh: in Gmsh's format 4.1 (text; orders 1 to 10, hexahedra to 9; attributes are
/// physical groups), or in MFEM's (v1.0, or v1.3 if attributes have names; curved elements as
/// nodes of L2 on Gauss-Lobatto points). Positions have 17 digits. Throws FileError as write_file
/// does, and InvalidArgument as fem::validate does and for orders that the format has not.
template <int Dim>
void write_gmsh(const std::filesystem::path& path, const fem::Mesh<Dim>& mesh);
template <int Dim>
void write_mfem(const std::filesystem::path& path, const fem::Mesh<Dim>& mesh);
///@}

/// Writes one part of a mesh (see fem::part_of; also one refined afterwards) as MFEM's parallel programs do: to `path` and
/// the number of the part, `pipe.mesh.000003`, in MFEM's format v1.2 (or v1.3 with names). Each process calls it for
/// its part. Throws as write_mfem does.
template <int Dim>
void write_mfem_part(const std::filesystem::path& path, const fem::Mesh<Dim>& part);

/// The part of this process of a mesh that was written in parts, by write_mfem_part or by MFEM
/// (ParMesh::ParPrint): it reads `path` and its rank, `pipe.mesh.000003`, and nobody has the whole mesh. Elements
/// are numbered as one part after the other has them. All processes call it, and throw together: FileError as
/// read_mesh does, for another number of processes than parts, and for parts of different dimensions.
AnyMesh read_mesh_part(const std::filesystem::path& path, const Communicator& communicator);

/// Whether there is no such file, but its first part.
bool is_in_parts(const std::filesystem::path& path);

}  // namespace kolam
