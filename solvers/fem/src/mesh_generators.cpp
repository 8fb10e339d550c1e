// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <kolam/core/error.hpp>
#include <kolam/fem/mesh_generators.hpp>
#include <kolam/kernels/element/quadrature.hpp>
#include <numbers>

namespace kolam::fem {
namespace {

void require(bool right, const char* what, const auto& value, const char* remedy) {
  if (right) return;
  throw InvalidArgument(fmt::format("{} {}; {}", what, value, remedy));
}

template <int Dim>
using Point = std::array<double, Dim>;

// Returns the elements of a structured grid, x fastest, that `has` accepts. Corners are vertex
// numbers of the grid; at(k, i) is coordinate k of the i-th vertex in direction k.
template <int Dim, class Has, class At>
Mesh<Dim> structured(const std::array<index_t, Dim>& elements, const Has& has, const At& at) {
  Mesh<Dim> mesh;
  index_t count = 1;
  for (const index_t n : elements) count *= n;
  for (index_t n = 0; n < count; ++n) {
    std::array<index_t, Dim> of{};
    for (std::size_t k = 0, rest = static_cast<std::size_t>(n); k < Dim; ++k) {
      of[k] = static_cast<index_t>(rest) % elements[k];
      rest /= static_cast<std::size_t>(elements[k]);
    }
    if (!has(of)) continue;
    auto& corners = mesh.corners.emplace_back();
    for (int c = 0; c < 1 << Dim; ++c) {
      index_t vertex = 0;
      Point<Dim> x{};
      for (int k = Dim - 1; k >= 0; --k) {
        const auto d = static_cast<std::size_t>(k);
        const index_t i = of[d] + (c >> k & 1);
        vertex = vertex * (elements[d] + 1) + i;
        x[d] = at(d, i);
      }
      corners[static_cast<std::size_t>(c)] = vertex;
      mesh.nodes.insert(mesh.nodes.end(), x.begin(), x.end());
    }
  }
  mesh.attributes.assign(mesh.corners.size(), 1);
  return mesh;
}

// Renumbers the vertices in the order of elements, without gaps.
template <int Dim>
void number_vertices(Mesh<Dim>& mesh) {
  std::vector<index_t> number(static_cast<std::size_t>(mesh.vertex_count()), -1);
  index_t next = 0;
  for (auto& corners : mesh.corners) {
    for (index_t& vertex : corners) {
      index_t& its = number[static_cast<std::size_t>(vertex)];
      if (its < 0) its = next++;
      vertex = its;
    }
  }
}

// Adds the nodes of an element; `at` maps reference positions in [0, 1]^Dim to positions.
template <int Dim, class At>
void add_nodes(Mesh<Dim>& mesh, const std::vector<double>& points, const At& at) {
  const std::size_t n = points.size();
  std::size_t count = 1;
  for (int k = 0; k < Dim; ++k) count *= n;
  for (std::size_t i = 0; i < count; ++i) {
    Point<Dim> reference{};
    for (std::size_t k = 0, rest = i; k < Dim; ++k, rest /= n) reference[k] = points[rest % n];
    const Point<Dim> x = at(reference);
    mesh.nodes.insert(mesh.nodes.end(), x.begin(), x.end());
  }
}

}  // namespace

template <int Dim>
Mesh<Dim> mesh_of(const BoxMesh<Dim>& box) {
  validate(box);
  for (const int parts : box.parts)
    require(parts == 1, "mesh_of: a box that is cut into", parts, "give the whole box");
  Mesh<Dim> mesh = structured<Dim>(
      box.elements, [](const auto&) { return true; },
      [&](std::size_t k, index_t i) {
        return box.lower[k] + (box.upper[k] - box.lower[k]) * static_cast<double>(i) /
                                  static_cast<double>(box.elements[k]);
      });
  for (const ElementSide& side : boundary_of(mesh)) mesh.sides.push_back({side, side.side + 1});
  number_vertices(mesh);
  return mesh;
}
template Mesh<2> mesh_of(const BoxMesh<2>&);
template Mesh<3> mesh_of(const BoxMesh<3>&);

template <int Dim>
Mesh<Dim> reentrant_corner(index_t n) {
  require(n >= 1, "reentrant_corner: elements for a length of 1:", n, "there must be at least 1");
  std::array<index_t, Dim> elements;
  elements.fill(2 * n);
  Mesh<Dim> mesh = structured<Dim>(
      elements,
      [&](const auto& of) {
        return std::any_of(of.begin(), of.end(), [&](index_t i) { return i < n; });
      },
      [&](std::size_t, index_t i) { return static_cast<double>(i - n) / static_cast<double>(n); });
  number_vertices(mesh);
  for (const ElementSide& side : boundary_of(mesh)) mesh.sides.push_back({side, 1});
  return mesh;
}
template Mesh<2> reentrant_corner(index_t);
template Mesh<3> reentrant_corner(index_t);

Mesh<2> disc(index_t n, int order, double radius) {
  require(n >= 1, "disc: elements along a side of its square:", n, "there must be at least 1");
  require(order >= 1, "disc: geometry of order", order, "it must be at least 1");
  require(radius > 0, "disc: a radius of", radius, "it must be above 0");
  const std::vector<double> points = gauss_lobatto(order + 1).points;
  const double half = 0.4 * radius;  // half the side of the square
  const auto of_square = [&](double i) { return half * (2 * i / static_cast<double>(n) - 1); };
  Mesh<2> mesh;
  mesh.order = order;
  // The vertices of the square are counted x fastest, those around it ring by ring.
  const auto inside = [&](index_t i, index_t j) { return i + (n + 1) * j; };
  for (index_t j = 0; j < n; ++j) {
    for (index_t i = 0; i < n; ++i) {
      mesh.corners.push_back(
          {inside(i, j), inside(i + 1, j), inside(i, j + 1), inside(i + 1, j + 1)});
      add_nodes(mesh, points, [&](const Point<2>& x) -> Point<2> {
        return {of_square(static_cast<double>(i) + x[0]), of_square(static_cast<double>(j) + x[1])};
      });
    }
  }
  // The vertices around the square, counter-clockwise from the lower right corner.
  const auto around = [&](index_t at) {
    const index_t i = at % n;
    switch (at / n % 4) {
      case 0:
        return inside(n, i);
      case 1:
        return inside(n - i, n);
      case 2:
        return inside(0, n - i);
      default:
        return inside(i, 0);
    }
  };
  const auto vertex = [&](index_t ring, index_t at) {
    return ring == 0 ? around(at) : (n + 1) * (n + 1) + (ring - 1) * 4 * n + at % (4 * n);
  };
  const auto on_square = [&](index_t side, double i) -> Point<2> {
    switch (side) {
      case 0:
        return {half, of_square(i)};
      case 1:
        return {-of_square(i), half};
      case 2:
        return {-half, -of_square(i)};
      default:
        return {of_square(i), -half};
    }
  };
  for (index_t ring = 0; ring < n; ++ring) {
    for (index_t at = 0; at < 4 * n; ++at) {
      mesh.corners.push_back(
          {vertex(ring, at), vertex(ring + 1, at), vertex(ring, at + 1), vertex(ring + 1, at + 1)});
      add_nodes(mesh, points, [&](const Point<2>& x) -> Point<2> {
        const double out = (static_cast<double>(ring) + x[0]) / static_cast<double>(n);
        const double along = static_cast<double>(at % n) + x[1];
        const Point<2> from = on_square(at / n, along);
        const double angle = std::numbers::pi / 2 *
                             (static_cast<double>(at / n) - 0.5 + along / static_cast<double>(n));
        return {(1 - out) * from[0] + out * radius * std::cos(angle),
                (1 - out) * from[1] + out * radius * std::sin(angle)};
      });
    }
  }
  mesh.attributes.assign(mesh.corners.size(), 1);
  for (const ElementSide& side : boundary_of(mesh)) mesh.sides.push_back({side, 1});
  number_vertices(mesh);
  return mesh;
}

Mesh<3> extruded(const Mesh<2>& mesh, index_t layers, double height) {
  validate(mesh);
  require(layers >= 1, "extruded: layers:", layers, "there must be at least 1");
  require(height > 0, "extruded: a height of", height, "it must be above 0");
  const std::vector<double> points = gauss_lobatto(mesh.order + 1).points;
  const auto nodes_of_element = static_cast<std::size_t>(mesh.nodes_of_element());
  const index_t vertices = mesh.vertex_count();
  const index_t elements = mesh.element_count();
  Mesh<3> result;
  result.order = mesh.order;
  result.element_names = mesh.element_names;
  result.boundary_names = mesh.boundary_names;
  int free = 1;
  for (const BoundarySide& side : mesh.sides) free = std::max(free, side.attribute + 1);
  for (index_t layer = 0; layer < layers; ++layer) {
    for (index_t e = 0; e < elements; ++e) {
      auto& corners = result.corners.emplace_back();
      for (std::size_t c = 0; c < 8; ++c)
        corners[c] = mesh.corners[static_cast<std::size_t>(e)][c % 4] +
                     vertices * (layer + static_cast<index_t>(c / 4));
      for (const double z : points) {
        const double* x = mesh.nodes.data() + 2 * nodes_of_element * static_cast<std::size_t>(e);
        for (std::size_t i = 0; i < nodes_of_element; ++i, x += 2)
          result.nodes.insert(result.nodes.end(), {x[0], x[1],
                                                   height * (static_cast<double>(layer) + z) /
                                                       static_cast<double>(layers)});
      }
      result.attributes.push_back(mesh.attributes[static_cast<std::size_t>(e)]);
      if (layer == 0) result.sides.push_back({{e, 4}, free});
      if (layer == layers - 1) result.sides.push_back({{layer * elements + e, 5}, free + 1});
    }
    for (const BoundarySide& side : mesh.sides)
      result.sides.push_back({{layer * elements + side.at.element, side.at.side}, side.attribute});
  }
  return result;
}

Mesh<3> spherical_shell(index_t n, index_t layers, int order, double inner, double outer) {
  require(n >= 1, "spherical_shell: elements along a side:", n, "there must be at least 1");
  require(layers >= 1, "spherical_shell: layers:", layers, "there must be at least 1");
  require(order >= 1, "spherical_shell: geometry of order", order, "it must be at least 1");
  require(inner > 0, "spherical_shell: an inner radius of", inner, "it must be above 0");
  require(outer > inner, "spherical_shell: an outer radius of", outer,
          "it must be above the inner one");
  const std::vector<double> points = gauss_lobatto(order + 1).points;
  Mesh<3> mesh;
  mesh.order = order;
  // The vertices are the surface vertices of a structured grid of n^3 elements, layer by layer.
  const index_t of_grid = (n + 1) * (n + 1) * (n + 1);
  for (int face = 0; face < 6; ++face) {
    const auto across = static_cast<std::size_t>(face / 2);
    const bool upper = face % 2 == 1;
    // Directions u and v form a right-handed system with the outward direction.
    const std::size_t u = (across + (upper ? 1 : 2)) % 3;
    const std::size_t v = (across + (upper ? 2 : 1)) % 3;
    for (index_t layer = 0; layer < layers; ++layer) {
      for (index_t j = 0; j < n; ++j) {
        for (index_t i = 0; i < n; ++i) {
          auto& corners = mesh.corners.emplace_back();
          for (int c = 0; c < 8; ++c) {
            std::array<index_t, 3> at{};
            at[across] = upper ? n : 0;
            at[u] = i + (c & 1);
            at[v] = j + (c >> 1 & 1);
            corners[static_cast<std::size_t>(c)] =
                at[0] + (n + 1) * (at[1] + (n + 1) * at[2]) + of_grid * (layer + (c >> 2 & 1));
          }
          add_nodes(mesh, points, [&](const Point<3>& x) {
            const auto slope = [&](index_t at, double within) {
              return std::tan(
                  std::numbers::pi / 4 *
                  (2 * (static_cast<double>(at) + within) / static_cast<double>(n) - 1));
            };
            Point<3> result{};
            result[across] = upper ? 1 : -1;
            result[u] = slope(i, x[0]);
            result[v] = slope(j, x[1]);
            const double radius = inner + (outer - inner) * (static_cast<double>(layer) + x[2]) /
                                              static_cast<double>(layers);
            const double length = std::hypot(result[0], result[1], result[2]);
            for (double& coordinate : result) coordinate *= radius / length;
            return result;
          });
        }
      }
    }
  }
  mesh.attributes.assign(mesh.corners.size(), 1);
  number_vertices(mesh);
  for (const ElementSide& side : boundary_of(mesh))
    mesh.sides.push_back({side, side.side == 4 ? 1 : 2});
  return mesh;
}

}  // namespace kolam::fem
