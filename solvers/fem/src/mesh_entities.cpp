// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <kolam/core/error.hpp>
#include <kolam/fem/detail/mesh_entities.hpp>
#include <kolam/kernels/element/detail/layout.hpp>
#include <limits>
#include <numeric>

namespace kolam::fem::detail {
namespace {

void require_fewer(index_t nodes, index_t elements, int order) {
  if (nodes <= std::numeric_limits<int>::max()) return;
  throw InvalidArgument(fmt::format(
      "a mesh of {} elements with polynomials of order {} has more than 2^31 - 1 nodes; "
      "use fewer elements or a lower order",
      elements, order));
}

// Of a node inside a part of `dimensions` of an element: its place along each of the part's
// directions, 1 to order - 1.
using Steps = std::array<int, 3>;
Steps steps_of(int node, int dimensions, int order) {
  Steps steps{};
  for (std::size_t j = 0; j < static_cast<std::size_t>(dimensions); ++j, node /= order - 1)
    steps[j] = 1 + node % (order - 1);
  return steps;
}

// Its number in the element.
template <int Dim>
int place_in_element(const SubCube& part, int dimensions, const Steps& steps, int order) {
  std::array<int, Dim> at;
  for (std::size_t k = 0; k < Dim; ++k) at[k] = (part.origin >> k & 1) * order;
  for (std::size_t j = 0; j < static_cast<std::size_t>(dimensions); ++j)
    at[static_cast<std::size_t>(part.along[j])] = steps[j];
  int place = 0;
  for (std::size_t k = Dim; k-- > 0;) place = place * (order + 1) + at[k];
  return place;
}

// How an element has an edge or face, whose corners have these vertices: by the place of the smallest
// of them, times two, and whether the smaller one of its neighbours is along the second direction.
constexpr int orientations = 8;
int orientation_of(const std::array<index_t, 4>& vertices, int dimensions) {
  const auto smallest = static_cast<int>(
      std::min_element(vertices.begin(), vertices.begin() + (1 << dimensions)) - vertices.begin());
  const auto next_to_it = [&](int direction) {
    return vertices[static_cast<std::size_t>(smallest ^ (1 << direction))];
  };
  return 2 * smallest + (dimensions == 2 && next_to_it(1) < next_to_it(0) ? 1 : 0);
}
// The number of a node in an edge or face, which all elements count from its smallest vertex on. The
// inside of an element is counted by that element alone.
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

std::vector<SubCube> sub_cubes(int dimensions_of_cube, int dimensions) {
  const int all = (1 << dimensions_of_cube) - 1;
  std::vector<SubCube> result;
  for (int free = all; free >= 0; --free) {  // (so that sides come in the order of their numbers)
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
  struct Place {
    std::array<std::uint32_t, 3> others;  // vertices but the smallest, ascending
    index_t at;
  };
  const auto cubes = sub_cubes(Dim, dimensions);
  const int corners = 1 << dimensions;
  const index_t vertex_count = mesh.vertex_count();
  if (vertex_count > std::numeric_limits<std::uint32_t>::max()) {
    throw InvalidArgument(
        fmt::format("a mesh of {} vertices; there can be 2^32 - 1", vertex_count));
  }
  // Calls f(vertices of a place, ascending; its number).
  const auto each = [&](const auto& f) {
    index_t at = 0;
    for (const auto& of_element : mesh.corners) {
      for (const SubCube& cube : cubes) {
        std::array<std::uint32_t, 4> vertices{};
        for (int b = 0; b < corners; ++b)
          vertices[static_cast<std::size_t>(b)] = static_cast<std::uint32_t>(
              of_element[static_cast<std::size_t>(cube.corner(dimensions, b))]);
        std::sort(vertices.begin(), vertices.begin() + corners);
        f(vertices, at++);
      }
    }
  };
  // In buckets by their smallest vertex, of which each is short.
  std::vector<index_t> end(static_cast<std::size_t>(vertex_count) + 1, 0);
  each([&](const auto& vertices, index_t) { ++end[std::size_t{vertices[0]} + 1]; });
  std::partial_sum(end.begin(), end.end(), end.begin());
  std::vector<Place> places(mesh.corners.size() * cubes.size());
  each([&](const auto& vertices, index_t at) {
    places[static_cast<std::size_t>(end[vertices[0]]++)] = {{vertices[1], vertices[2], vertices[3]},
                                                            at};
  });
  Entities result{0, std::vector<index_t>(places.size())};
  for (std::size_t vertex = 0, first = 0; vertex + 1 < end.size(); ++vertex) {
    const auto last = static_cast<std::size_t>(end[vertex]);
    std::sort(places.begin() + static_cast<std::ptrdiff_t>(first),
              places.begin() + static_cast<std::ptrdiff_t>(last),
              [](const Place& a, const Place& b) { return a.others < b.others; });
    for (std::size_t i = first; i < last; ++i) {
      if (i == first || places[i].others != places[i - 1].others) ++result.count;
      result.number[static_cast<std::size_t>(places[i].at)] = result.count - 1;
    }
    first = last;
  }
  return result;
}
template Entities entities(const Mesh<2>&, int);
template Entities entities(const Mesh<3>&, int);

template <int Dim>
MeshNodes mesh_nodes(const Mesh<Dim>& mesh, int order) {
  if (order < 1) {
    throw InvalidArgument(fmt::format("polynomials of order {}; it must be at least 1", order));
  }
  const auto nodes_of_element = static_cast<std::size_t>(kolam::detail::power(order + 1, Dim));
  MeshNodes result{0, std::vector<int>(mesh.corners.size() * nodes_of_element)};

  // The parts of elements by their dimensions: vertices, edges, (faces,) and the inside.
  struct Parts {
    std::vector<SubCube> of_element;
    Entities shared;         // of edges and faces
    std::vector<int> first;  // node of each part of the mesh; -1: no element came to it yet
    std::vector<std::vector<int>> in_element;  // [inside] of each of them
    std::vector<std::vector<int>> in_part;     // [inside] of each orientation
  };
  std::array<Parts, Dim + 1> parts;
  for (int d = 0; d <= Dim; ++d) {
    Parts& these = parts[static_cast<std::size_t>(d)];
    these.of_element = sub_cubes(Dim, d);
    if (d > 0 && d < Dim) these.shared = entities(mesh, d);
    const index_t count = d == 0     ? mesh.vertex_count()
                          : d == Dim ? mesh.element_count()
                                     : these.shared.count;
    these.first.assign(static_cast<std::size_t>(count), -1);
    const int inside = kolam::detail::power(order - 1, d);
    for (const SubCube& part : these.of_element) {
      auto& places = these.in_element.emplace_back();
      for (int n = 0; n < inside; ++n)
        places.push_back(place_in_element<Dim>(part, d, steps_of(n, d, order), order));
    }
    for (int orientation = 0; orientation < (d < Dim ? orientations : 1); ++orientation) {
      auto& places = these.in_part.emplace_back();
      for (int n = 0; n < inside; ++n)
        places.push_back(d < Dim ? place_in_part(orientation, d, steps_of(n, d, order), order) : n);
    }
  }
  const auto first_node = [&](int d, std::size_t e, std::size_t i) -> int& {
    Parts& these = parts[static_cast<std::size_t>(d)];
    const auto part =
        d == Dim ? e
        : d == 0 ? static_cast<std::size_t>(
                       mesh.corners[e][static_cast<std::size_t>(these.of_element[i].origin)])
                 : static_cast<std::size_t>(these.shared.number[e * these.of_element.size() + i]);
    return these.first[part];
  };
  for (std::size_t e = 0; e < mesh.corners.size(); ++e) {
    int* const nodes = result.of_element.data() + e * nodes_of_element;
    for (int d = 0; d <= Dim; ++d) {
      const Parts& these = parts[static_cast<std::size_t>(d)];
      const auto& of_element = these.of_element;
      const int inside = kolam::detail::power(order - 1, d);
      for (std::size_t i = 0; i < of_element.size(); ++i) {
        const SubCube& part = of_element[i];
        int& first = first_node(d, e, i);
        if (first < 0) {
          require_fewer(result.count + inside, mesh.element_count(), order);
          first = static_cast<int>(result.count);
          result.count += inside;
        }
        int orientation = 0;
        if (d > 0 && d < Dim) {
          std::array<index_t, 4> vertices{};
          for (int c = 0; c < 1 << d; ++c)
            vertices[static_cast<std::size_t>(c)] =
                mesh.corners[e][static_cast<std::size_t>(part.corner(d, c))];
          orientation = orientation_of(vertices, d);
        }
        const auto& in_element = these.in_element[i];
        const auto& in_part = these.in_part[static_cast<std::size_t>(orientation)];
        for (std::size_t n = 0; n < in_element.size(); ++n)
          nodes[in_element[n]] = first + in_part[n];
      }
    }
  }
  return result;
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
