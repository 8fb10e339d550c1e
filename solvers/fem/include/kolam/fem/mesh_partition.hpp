// SPDX-License-Identifier: Apache-2.0
// Partitions of a mesh by elements, one part for each process or device.
//
//   const auto whole = kolam::read_mesh<3>("engine.msh");
//   const auto mesh = kolam::fem::refined(kolam::fem::part_of(whole, all));
//   const auto space = kolam::fem::space<double>(exec, mesh, 3, {.communicator = all});
#pragma once

#include <kolam/comm/communicator.hpp>
#include <kolam/fem/mesh.hpp>
#include <kolam/memory/array.hpp>
#include <string_view>
#include <vector>

namespace kolam::fem {

/// A method of partitioning a mesh.
enum class Partitioner {
  hilbert,  ///< segments of equal length of a Hilbert curve through the middles of elements
  rcb,      ///< recursive coordinate bisection across the longest direction
  metis,    ///< METIS, which minimises the sides between parts
  scotch    ///< Scotch, which minimises the sides between parts
};
///@{
/// Converts to and from the names above. Throws InvalidArgument, naming the value and the allowed
/// names, if the text is not among them.
std::string_view name(Partitioner partitioner);
Partitioner parse_partitioner(std::string_view text);
///@}
/// Returns whether this kolam was built with the partitioner.
bool is_available(Partitioner partitioner);

/// Returns the part, 0 to parts - 1, of each element. No part is empty, and the result is
/// reproducible. Sizes of parts differ by at most one element (rcb: two), with METIS and Scotch by
/// some per cent. Throws InvalidArgument if the lists of the mesh are inconsistent, if `parts`
/// is below one or above the number of elements, or if this kolam was built without the library;
/// throws Error if the library fails. Takes a sort of the elements, or of all sides for a library.
template <int Dim>
std::vector<int> partition(const Mesh<Dim>& mesh, int parts,
                           Partitioner partitioner = Partitioner::hilbert);

/// Balance and communication cost of a partition.
struct PartitionQuality {
  index_t smallest;  ///< elements of the smallest part
  index_t largest;   ///< elements of the largest part
  index_t cut;       ///< sides between elements of two parts
};
/// Returns the quality of a partition, given the part of each element. Takes a sort of all sides.
template <int Dim>
PartitionQuality quality_of(const Mesh<Dim>& mesh, const std::vector<int>& part_of_element);

/// Returns one part of a mesh: its elements in their order, with renumbered vertices. Refine after
/// cutting: parts that are refined separately still fit together. Throws InvalidArgument as
/// validate does, if the list has the wrong length, if the part has no elements, or if the mesh was
/// already refined or cut. Takes a sort of all edges and sides of the whole mesh.
template <int Dim>
Mesh<Dim> part_of(const Mesh<Dim>& mesh, const std::vector<int>& part_of_element, int part);

/// Returns the part of this process, with one part per process. Every process has the whole mesh.
template <int Dim>
Mesh<Dim> part_of(const Mesh<Dim>& mesh, const Communicator& communicator,
                  Partitioner partitioner = Partitioner::hilbert) {
  return part_of(mesh, partition(mesh, communicator.size(), partitioner), communicator.rank());
}

/// Gathers nodal values in process 0. Returns, in process 0 only, the values of `components`
/// functions at the nodes of a space of `order` on the whole mesh, [nodes, components], node index
/// fastest. `values` holds them for the nodes of this process' space on its part. `whole` is the
/// mesh that was cut, refined as the parts were; only process 0 uses it. All
/// processes call it.
template <int Dim>
std::vector<double> gathered(const Mesh<Dim>& part, const Mesh<Dim>& whole, int order,
                             const std::vector<double>& values, int components,
                             const Communicator& communicator);
/// Gathers the current values of an array in the same way.
template <class T, int Dim>
std::vector<double> gathered(const Mesh<Dim>& part, const Mesh<Dim>& whole, int order,
                             const Array<T>& values, int components,
                             const Communicator& communicator) {
  const auto x = values.read(host);
  return gathered(part, whole, order, std::vector<double>(x.data(), x.data() + x.extent(0)),
                  components, communicator);
}

}  // namespace kolam::fem
