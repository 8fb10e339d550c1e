// SPDX-License-Identifier: Apache-2.0
// Reading and writing meshes in formats of Gmsh, MFEM and VTK.
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

/// A mesh in two or three dimensions.
using AnyMesh = std::variant<fem::Mesh<2>, fem::Mesh<3>>;

/// Reads the quadrilaterals or hexahedra of a file, with attributes, sides with an attribute, and
/// names. The first line of the file determines the format:
/// - Gmsh 2.0 to 2.2 and 4.1, text or binary, orders 1 to 10 (hexahedra up to 9), complete or
///   serendipity. Attributes are physical groups; if no element is in a group, all get 1. Node tags
///   may have gaps, and unused nodes are skipped.
/// - MFEM v1.0 and v1.3: straight, or with nodes of H1 or L2 on Gauss-Lobatto, uniform or (L2)
///   Gauss points.
/// - VTK: VTU (text, base64 or appended data, zlib), and legacy files, text or binary: linear,
///   quadratic, serendipity and Lagrange cells of one order. Attributes are the cell array
///   `attribute`, or else `gmsh:physical`, `medit:ref`, `MaterialIDs` or `CellEntityIds`; cells of
///   one dimension less with an attribute are sides.
///
/// Elements are in the order of a Hilbert curve (fem::in_hilbert_order). If `order_of` is given, it
/// receives the number of each element in the file, from 0 among elements of its dimension.
/// Periodic entities of Gmsh are joined as by fem::joined.
/// Mirrored elements are reoriented. A mesh in a plane z = const has two dimensions.
///
/// Throws FileError, naming the file, usually the line, and the remedy, for unreadable files:
/// unsupported elements (with their count), hanging nodes, NURBS, surfaces in space, duplicate node
/// numbers, sizes larger than the file, and errors of fem::validate.
/// Cost: memory of about twice the file's size, and a sort of the elements' vertices and sides.
AnyMesh read_mesh(const std::filesystem::path& path, std::vector<index_t>* order_of = nullptr);

/// Reads a mesh of Dim dimensions, as above. Throws FileError also for other dimensions.
template <int Dim>
fem::Mesh<Dim> read_mesh(const std::filesystem::path& path,
                         std::vector<index_t>* order_of = nullptr);

///@{
/// Writes a mesh in Gmsh's format 4.1 (text; orders 1 to 10, hexahedra up to 9; attributes are
/// physical groups) or in MFEM's format (v1.0, or v1.3 if attributes have names; curved elements as
/// nodes of L2 on Gauss-Lobatto points). Positions have 17 digits. Throws FileError as write_file
/// does, and InvalidArgument as fem::validate does and for orders that the format does not have.
template <int Dim>
void write_gmsh(const std::filesystem::path& path, const fem::Mesh<Dim>& mesh);
template <int Dim>
void write_mfem(const std::filesystem::path& path, const fem::Mesh<Dim>& mesh);
///@}

/// Writes one part of a mesh (see fem::part_of; it may be refined afterwards) as MFEM's parallel
/// programs do: to `path` followed by the number of the part, `pipe.mesh.000003`, in MFEM's format
/// v1.2 (or v1.3 with names). Each process calls it for its part. Throws as write_mfem does.
template <int Dim>
void write_mfem_part(const std::filesystem::path& path, const fem::Mesh<Dim>& part);

/// Reads this process's part of a mesh that write_mfem_part or MFEM (ParMesh::ParPrint) wrote in
/// parts: the file `path` followed by the rank, `pipe.mesh.000003`. No process reads the whole
/// mesh. Elements are numbered part after part. All processes call it and throw together: FileError
/// as read_mesh does, if the numbers of processes and parts differ, or if parts differ in
/// dimensions.
AnyMesh read_mesh_part(const std::filesystem::path& path, const Communicator& communicator);

/// Returns whether there is no file `path`, but a file of its first part.
bool is_in_parts(const std::filesystem::path& path);

}  // namespace kolam
