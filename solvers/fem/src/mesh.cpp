// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <kolam/core/runtime.hpp>
#include <kolam/fem/detail/mesh_entities.hpp>
#include <kolam/kernels/element/detail/layout.hpp>

#include "mesh_numbering.hpp"

namespace kolam::fem {
namespace {

// Returns the number of elements that have each side, for every side of every element in turn.
template <int Dim>
std::vector<int> users_of_sides(const Mesh<Dim>& mesh) {
  const detail::Entities sides = detail::entities(mesh, Dim - 1);
  std::vector<int> users(static_cast<std::size_t>(sides.count), 0);
  for (const index_t number : sides.number) ++users[static_cast<std::size_t>(number)];
  std::vector<int> result;
  result.reserve(sides.number.size());
  for (const index_t number : sides.number)
    result.push_back(users[static_cast<std::size_t>(number)]);
  return result;
}
template <int Dim>
ElementSide side_at(std::size_t place) {
  constexpr std::size_t of_element = 2 * Dim;
  return {static_cast<index_t>(place / of_element), static_cast<int>(place % of_element)};
}

}  // namespace

template <int Dim>
index_t Mesh<Dim>::vertex_count() const {
  index_t largest = -1;
  for (const auto& of_element : corners)
    largest = std::max(largest, *std::max_element(of_element.begin(), of_element.end()));
  return largest + 1;
}
template <int Dim>
int Mesh<Dim>::nodes_of_element() const {
  return kolam::detail::power(order + 1, Dim);
}
template struct Mesh<2>;
template struct Mesh<3>;

template <int Dim>
void validate(const Mesh<Dim>& mesh) {
  require_running("a mesh");
  static_cast<void>(detail::valid_mesh_on(Kokkos::DefaultHostExecutionSpace{}, mesh));
}
template void validate(const Mesh<2>&);
template void validate(const Mesh<3>&);

template <int Dim>
std::vector<ElementSide> boundary_of(const Mesh<Dim>& mesh) {
  std::vector<int> users = users_of_sides(mesh);
  if (mesh.cut) {
    for (const MeshCut::SharedWith& other : mesh.cut->shared) {
      for (const auto& [element, corner, dimensions, along] : other.entities) {
        if (dimensions != Dim - 1) continue;
        int across = 0;  // direction normal to the side
        while (across == along[0] || (Dim == 3 && across == along[1])) ++across;
        ++users[static_cast<std::size_t>(element * 2 * Dim + 2 * across + (corner >> across & 1))];
      }
    }
  }
  std::vector<ElementSide> result;
  for (std::size_t i = 0; i < users.size(); ++i)
    if (users[i] == 1) result.push_back(side_at<Dim>(i));
  return result;
}
template std::vector<ElementSide> boundary_of(const Mesh<2>&);
template std::vector<ElementSide> boundary_of(const Mesh<3>&);

}  // namespace kolam::fem
