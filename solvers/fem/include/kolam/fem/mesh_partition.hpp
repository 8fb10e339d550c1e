// SPDX-License-Identifier: Apache-2.0
// A mesh cut by its elements into parts, one for each process or device.
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

/// How a mesh is cut.
enum class Partitioner {
  hilbert,  ///< a Hilbert curve through the middles of elements, into pieces of equal length
  rcb,      ///< recursive coordinate bisection: across the longest direction, and each half again
  metis,    ///< METIS, which looks for few sides between parts
  scotch    ///< Scotch, which does so too
};
///@{
/// The names above. `parse` throws InvalidArgument that names the value and those there are.
std::string_view name(Partitioner partitioner);
Partitioner parse_partitioner(std::string_view text);
///@}
/// Whether this kolam was built with it.
bool is_available(Partitioner partitioner);

/// The part, 0 to parts - 1, of each element; no part is empty, and the result is the same each time.
/// Numbers of elements differ by one at most (by rcb two), by METIS and Scotch by some per cent. Throws
/// InvalidArgument for lists of the mesh that do not fit together, for less than one part or more than
/// there are elements, and for a library that this kolam was built without; Error for what that says.
/// Takes a sort of the elements, or for a library one of all sides.
template <int Dim>
std::vector<int> partition(const Mesh<Dim>& mesh, int parts,
                           Partitioner partitioner = Partitioner::hilbert);

/// The balance and the cost of a partition.
struct PartitionQuality {
  index_t smallest;  ///< elements of a part
  index_t largest;   ///< elements of a part
  index_t cut;       ///< sides between elements of two parts
};
/// Of a part for each element. Takes a sort of all sides.
template <int Dim>
PartitionQuality quality_of(const Mesh<Dim>& mesh, const std::vector<int>& part_of_element);

/// One part of a mesh: its elements in their order, with their vertices numbered anew. Refine it
/// afterwards, each part by itself: the children of parts fit together. Throws InvalidArgument as
/// validate does, for a list of another length, a part without elements, and a mesh that was refined
/// or cut already. Takes a sort of all edges and sides of the whole mesh.
template <int Dim>
Mesh<Dim> part_of(const Mesh<Dim>& mesh, const std::vector<int>& part_of_element, int part);

/// The part of this process. There are as many parts as processes, and each has the whole mesh.
template <int Dim>
Mesh<Dim> part_of(const Mesh<Dim>& mesh, const Communicator& communicator,
                  Partitioner partitioner = Partitioner::hilbert) {
  return part_of(mesh, partition(mesh, communicator.size(), partitioner), communicator.rank());
}

/// In process 0 the values of `components` functions at the nodes of a space of `order` on the whole
/// mesh, [nodes, components], nodes fastest; elsewhere nothing. `values`: the same at the nodes of this
/// process' space on its part. `whole`: the mesh that was cut, refined as the parts were; only process 0
/// uses it. All processes call it.
template <int Dim>
std::vector<double> gathered(const Mesh<Dim>& part, const Mesh<Dim>& whole, int order,
                             const std::vector<double>& values, int components,
                             const Communicator& communicator);
/// The same of an array, whose newest values are read.
template <class T, int Dim>
std::vector<double> gathered(const Mesh<Dim>& part, const Mesh<Dim>& whole, int order,
                             const Array<T>& values, int components,
                             const Communicator& communicator) {
  const auto x = values.read(host);
  return gathered(part, whole, order, std::vector<double>(x.data(), x.data() + x.extent(0)),
                  components, communicator);
}

}  // namespace kolam::fem
