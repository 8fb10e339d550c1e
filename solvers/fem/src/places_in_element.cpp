// SPDX-License-Identifier: Apache-2.0
#include "places_in_element.hpp"

#include <kolam/fem/detail/mesh_entities.hpp>
#include <kolam/kernels/element/detail/layout.hpp>
#include <utility>

namespace kolam::fem::detail {
namespace {

constexpr int orientations = 8;

// Returns the number in the element of a node inside a part.
int place_of(const SubCube& part, int dimensions_of_mesh, int dimensions, const Steps& steps,
             int order) {
  std::array<int, 3> at{};
  for (std::size_t k = 0; k < 3; ++k) at[k] = (part.origin >> k & 1) * order;
  for (std::size_t j = 0; j < static_cast<std::size_t>(dimensions); ++j)
    at[static_cast<std::size_t>(part.along[j])] = steps[j];
  int place = 0;
  for (int k = dimensions_of_mesh; k-- > 0;)
    place = place * (order + 1) + at[static_cast<std::size_t>(k)];
  return place;
}

// Returns the number of a node in a vertex, edge or face, counted from its smallest vertex on.
int place_in_part(int orientation, int dimensions, Steps steps, int order) {
  for (std::size_t j = 0; j < static_cast<std::size_t>(dimensions); ++j)
    if ((orientation / 2 >> j & 1) != 0) steps[j] = order - steps[j];
  if (orientation % 2 != 0) std::swap(steps[0], steps[1]);
  int place = 0;
  for (std::size_t j = static_cast<std::size_t>(dimensions); j-- > 0;)
    place = place * (order - 1) + steps[j] - 1;
  return place;
}

}  // namespace

Steps steps_of(int node, int dimensions, int order) {
  Steps steps{};
  for (std::size_t j = 0; j < static_cast<std::size_t>(dimensions); ++j, node /= order - 1)
    steps[j] = 1 + node % (order - 1);
  return steps;
}

PlacesInElement places_in_element(int dimensions_of_mesh, int order) {
  PlacesInElement result{{}, {}, {}};
  result.places.resize(
      static_cast<std::size_t>(kolam::detail::power(order + 1, dimensions_of_mesh)));
  for (int d = 0; d <= dimensions_of_mesh; ++d) {
    const auto parts = sub_cubes(dimensions_of_mesh, d);
    const int inside = kolam::detail::power(order - 1, d);
    for (std::size_t i = 0; i < parts.size(); ++i)
      for (int n = 0; n < inside; ++n)
        result.places[static_cast<std::size_t>(
            place_of(parts[i], dimensions_of_mesh, d, steps_of(n, d, order), order))] = {
            d, static_cast<int>(i), n};
    if (d == dimensions_of_mesh) break;
    result.first[static_cast<std::size_t>(d)] = static_cast<int>(result.in_part.size());
    for (int orientation = 0; orientation < orientations; ++orientation)
      for (int n = 0; n < inside; ++n)
        result.in_part.push_back(place_in_part(orientation, d, steps_of(n, d, order), order));
  }
  return result;
}

}  // namespace kolam::fem::detail
