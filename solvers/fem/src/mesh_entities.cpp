// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <kolam/core/runtime.hpp>
#include <kolam/fem/detail/mesh_entities.hpp>
#include <kolam/kernels/element/detail/layout.hpp>

#include "mesh_numbering.hpp"
#include "places_in_element.hpp"

namespace kolam::fem::detail {

using Host = Kokkos::DefaultHostExecutionSpace;

std::vector<SubCube> sub_cubes(int dimensions_of_cube, int dimensions) {
  const int all = (1 << dimensions_of_cube) - 1;
  std::vector<SubCube> result;
  for (int free = all; free >= 0; --free) {  // (this order numbers sides as ElementSide does)
    if (__builtin_popcount(static_cast<unsigned>(free)) != dimensions) continue;
    SubCube cube{0, {}};
    int j = 0;
    for (int k = 0; k < dimensions_of_cube; ++k)
      if ((free >> k & 1) != 0) cube.along[static_cast<std::size_t>(j++)] = k;
    const int fixed = all & ~free;
    do {
      result.push_back(cube);
      cube.origin = (cube.origin - fixed) & fixed;  // the next subset
    } while (cube.origin != 0);
  }
  return result;
}

template <int Dim>
Entities entities(const Mesh<Dim>& mesh, int dimensions) {
  require_running("a mesh");
  const auto all = entities_on(Host{}, mesh_on(Host{}, mesh), dimensions);
  return {all.count, {all.number.data(), all.number.data() + all.number.extent(0)}};
}
template Entities entities(const Mesh<2>&, int);
template Entities entities(const Mesh<3>&, int);

template <int Dim>
MeshNodes mesh_nodes(const Mesh<Dim>& mesh, int order) {
  require_running("a mesh");
  const auto all = mesh_nodes_on(Host{}, mesh_on(Host{}, mesh), order);
  return {all.count, {all.of_element.data(), all.of_element.data() + all.of_element.extent(0)}};
}
template MeshNodes mesh_nodes(const Mesh<2>&, int);
template MeshNodes mesh_nodes(const Mesh<3>&, int);

std::vector<int> nodes_of(const MeshEntity& entity, int dimensions_of_mesh, int order) {
  const int inside = kolam::detail::power(order - 1, entity.dimensions);
  std::vector<int> result;
  for (int n = 0; n < inside; ++n) {
    const Steps steps = steps_of(n, entity.dimensions, order);
    std::array<int, 3> at;
    for (std::size_t k = 0; k < 3; ++k) at[k] = (entity.corner >> k & 1) * order;
    for (std::size_t j = 0; j < static_cast<std::size_t>(entity.dimensions); ++j) {
      int& along = at[static_cast<std::size_t>(entity.along[j])];
      along = along == 0 ? steps[j] : order - steps[j];
    }
    int place = 0;
    for (int k = dimensions_of_mesh; k-- > 0;)
      place = place * (order + 1) + at[static_cast<std::size_t>(k)];
    result.push_back(place);
  }
  return result;
}

std::vector<MeshEntity> refined(const MeshEntity& entity, int children) {
  const auto& [element, corner, dimensions, along] = entity;
  // Child c of an element is at its corner c.
  const auto of_child = [&, e = element](int child, int at, std::initializer_list<int> directions) {
    MeshEntity result{e * children + child, at, static_cast<int>(directions.size()), {0, 0}};
    std::copy(directions.begin(), directions.end(), result.along.begin());
    return result;
  };
  const int c = corner;
  const int a = 1 << along[0];
  const int b = 1 << along[1];
  switch (dimensions) {
    case 0:
      return {of_child(c, c, {})};
    case 1:  // two halves, and the vertex between them
      return {of_child(c, c, {along[0]}), of_child(c ^ a, c, {along[0]}), of_child(c, c ^ a, {})};
    default:  // four quarters, the edges between them, and the vertex in the middle
      return {of_child(c, c, {along[0], along[1]}),
              of_child(c ^ a, c, {along[0], along[1]}),
              of_child(c ^ b, c, {along[0], along[1]}),
              of_child(c ^ a ^ b, c, {along[0], along[1]}),
              of_child(c, c ^ b, {along[0]}),
              of_child(c, c ^ a, {along[1]}),
              of_child(c ^ a ^ b, c, {along[0]}),
              of_child(c ^ a ^ b, c, {along[1]}),
              of_child(c, c ^ a ^ b, {})};
  }
}

}  // namespace kolam::fem::detail
