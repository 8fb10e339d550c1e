// SPDX-License-Identifier: Apache-2.0
// Finite-element functions on a Mesh as VTKHDF files, for ParaView.
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

/// A function given by its values at the nodes of a space on a Mesh.
struct NodalField {
  std::string name;            ///< name in ParaView
  std::vector<double> values;  ///< [nodes, components], nodes fastest, as in fem::set_dofs
  int components = 1;          ///< 1, or the components of a vector

  ///@{
  /// Takes values on the host, or reads the newest values of an array.
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
/// convention the name ends in .vtkhdf. ParaView shows cells as curved if its filters or the
/// display's "nonlinear subdivision level" refine them.
///
/// If the mesh is cut, each process passes its part and the fields of its space; all processes
/// write the file together, with the parts as VTK's partitions.
///
/// The file is written atomically. Throws, in all processes, InvalidArgument as fem::validate does
/// and if a field has another length, and FileError. Cost: a sort of the mesh's edges and sides,
/// and some hundred bytes per node. Source: the VTKHDF file format of docs.vtk.org.
template <int Dim>
void write_vtkhdf_mesh(const std::filesystem::path& path, const fem::Mesh<Dim>& mesh, int order,
                       const std::vector<NodalField>& fields,
                       const Communicator& communicator = {});

/// The fields at one time.
struct TimeStep {
  double time;                     ///< time in ParaView
  std::vector<NodalField> fields;  ///< the same names and components at every time
};
/// Writes the fields of a run: one file with the mesh once and the fields of every time (VTKHDF
/// 2.0; VTK 9.3 and newer, ParaView 5.12). It can be written again as the run goes on, and viewed
/// at any moment. Throws as write_vtkhdf_mesh does, and InvalidArgument if there are no steps, if
/// times do not ascend, or if names or components of fields change.
template <int Dim>
void write_vtkhdf_mesh_series(const std::filesystem::path& path, const fem::Mesh<Dim>& mesh,
                              int order, const std::vector<TimeStep>& steps,
                              const Communicator& communicator = {});

}  // namespace kolam
