// SPDX-License-Identifier: Apache-2.0
// Finite-element functions on a Mesh, for ParaView.
//
//   kolam::write_vtkhdf_mesh("u.vtkhdf", mesh, 4, {{"temperature", u}, {"flow", v, 3}});
#pragma once

#include <filesystem>
#include <kolam/comm/communicator.hpp>
#include <kolam/fem/mesh.hpp>
#include <kolam/memory/array.hpp>
#include <string>
#include <utility>
#include <vector>

namespace kolam {

/// A function given at the nodes of a space of a Mesh.
struct NodalField {
  std::string name;            ///< as ParaView shows it
  std::vector<double> values;  ///< [nodes, components], nodes fastest, as fem::set_dofs has them
  int components = 1;          ///< 1, or those of a vector

  ///@{
  /// Of values on the host, or of an array, whose newest values are read.
  NodalField(std::string of, std::vector<double> at_nodes, int count = 1)
      : name(std::move(of)), values(std::move(at_nodes)), components(count) {}
  template <class T>
  NodalField(std::string of, const Array<T>& at_nodes, int count = 1)
      : name(std::move(of)), components(count) {
    const auto x = at_nodes.read(host);
    values.assign(x.data(), x.data() + x.extent(0));
  }
  ///@}
};

/// Writes fields of a space of `order` on a mesh for ParaView and VTK's vtkHDFReader (VTK 9.1 and
/// newer): VTKHDF 1.0, UnstructuredGrid of Lagrange cells of this order, curved as the mesh is;
/// PointData of each field (vectors of two components get a third), and CellData `attribute`. By
/// custom the name ends in .vtkhdf. ParaView shows the cells as curved where its filters or the
/// display's "nonlinear subdivision level" refine them.
///
/// Of a mesh that is cut, each process gives its part and the fields of its space; all of them write the file
/// together, which has the parts as VTK's partitions.
///
/// The file is there whole or not at all. Throws InvalidArgument as fem::validate does and for
/// fields of other lengths, and FileError, in all processes. Takes a sort of the mesh's edges and sides, and some
/// hundred bytes for each node. Source: the VTKHDF file format of docs.vtk.org.
template <int Dim>
void write_vtkhdf_mesh(const std::filesystem::path& path, const fem::Mesh<Dim>& mesh, int order,
                       const std::vector<NodalField>& fields,
                       const Communicator& communicator = {});

/// The fields at one time.
struct TimeStep {
  double time;                     ///< as ParaView shows it
  std::vector<NodalField> fields;  ///< the same names and components at every time
};
/// The same for a run: one file that has the mesh once and the fields of every time (VTKHDF 2.0; VTK
/// 9.3 and newer, ParaView 5.12). Write it again as the run goes on: the file is one that can be shown at
/// any moment. Throws also for no steps, for times that do not ascend, and for fields that change
/// their names or components.
template <int Dim>
void write_vtkhdf_mesh_series(const std::filesystem::path& path, const fem::Mesh<Dim>& mesh,
                              int order, const std::vector<TimeStep>& steps,
                              const Communicator& communicator = {});

}  // namespace kolam
