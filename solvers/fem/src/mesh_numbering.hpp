// SPDX-License-Identifier: Apache-2.0
// Parallel numbering of the entities that elements of a mesh share and of the nodes of polynomials,
// on the device of a space or on the host.
#pragma once

#include <Kokkos_Core.hpp>
#include <kolam/core/detail/allocate.hpp>
#include <kolam/core/execution.hpp>
#include <kolam/fem/mesh.hpp>
#include <type_traits>

namespace kolam::fem::detail {

template <class T, class Exec>
using ListOn = Kokkos::View<T*, typename Exec::memory_space>;

/// Returns the values of a list in the memory of exec: a copy, or in host memory the list itself,
/// which must then outlive the result. Waits.
template <class T, ExecutionSpace Exec>
ListOn<const T, Exec> list_on(const Exec& exec, const char* label, const T* values, index_t count) {
  using OnHost = Kokkos::View<const T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  const OnHost there(values, static_cast<std::size_t>(count));
  if constexpr (std::is_same_v<typename Exec::memory_space, Kokkos::HostSpace>) {
    return there;
  } else {
    const auto here = kolam::detail::allocate_view<ListOn<T, Exec>>(exec, label, count);
    Kokkos::deep_copy(kokkos_instance(exec), here, there);
    exec.fence("kolam::list_on");
    return here;
  }
}

/// The lists of a mesh in the memory of exec.
template <int Dim, ExecutionSpace Exec>
struct MeshOn {
  index_t elements;
  index_t vertex_count;
  ListOn<const index_t, Exec> corners;  // [2^Dim, elements]
  ListOn<const double, Exec> nodes;     // see Mesh::nodes
};
/// Returns the lists of a mesh, which must outlive them. Throws InvalidArgument for impossible
/// vertex numbers.
template <int Dim, ExecutionSpace Exec>
MeshOn<Dim, Exec> mesh_on(const Exec& exec, const Mesh<Dim>& mesh);
/// Returns the lists of a mesh as mesh_on does, and throws InvalidArgument as validate does.
template <int Dim, ExecutionSpace Exec>
MeshOn<Dim, Exec> valid_mesh_on(const Exec& exec, const Mesh<Dim>& mesh);

/// Vertices, edges or faces, each with one number in all elements. Numbers follow the lexicographic
/// order of the sorted vertices.
template <ExecutionSpace Exec>
struct EntitiesOn {
  index_t count;
  ListOn<const int, Exec> number;     // [sub_cubes, elements]
  ListOn<const index_t, Exec> first;  // first place of each number
};
/// Returns the entities of 0 to Dim - 1 dimensions. Every vertex from 0 to vertex_count - 1 must
/// exist. Takes a sort of the few entities of each smallest vertex. Waits. Throws InvalidArgument
/// for 2^31 places or more.
template <int Dim, ExecutionSpace Exec>
EntitiesOn<Exec> entities_on(const Exec& exec, const MeshOn<Dim, Exec>& mesh, int dimensions);

/// See MeshNodes.
template <ExecutionSpace Exec>
struct MeshNodesOn {
  index_t count;
  ListOn<const int, Exec> of_element;  // [(order + 1)^Dim, elements]
  ListOn<const index_t, Exec> first;   // first place of each node
};
/// Returns the nodes of polynomials of `order`. Waits. Throws as mesh_nodes does.
template <int Dim, ExecutionSpace Exec>
MeshNodesOn<Exec> mesh_nodes_on(const Exec& exec, const MeshOn<Dim, Exec>& mesh, int order);

}  // namespace kolam::fem::detail
