// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <kolam/core/error.hpp>
#include <kolam/fem/detail/element_nodes.hpp>
#include <kolam/fem/detail/mesh_entities.hpp>
#include <kolam/kernels/element/basis.hpp>
#include <kolam/kernels/element/detail/layout.hpp>
#include <kolam/kernels/element/quadrature.hpp>

namespace kolam::fem {
namespace {

template <int Dim>
using Corners = std::array<std::array<double, Dim>, static_cast<std::size_t>(1 << Dim)>;

// The determinant of the Jacobian at each corner of an element.
template <int Dim>
std::array<double, static_cast<std::size_t>(1 << Dim)> at_corners(const double* nodes, int d1d,
                                                                  const Basis& ends) {
  std::array<double, static_cast<std::size_t>(1 << Dim)> result{};
  for (int c = 0; c < 1 << Dim; ++c) {
    detail::Matrix<Dim> jacobian{};  // [direction][coordinate]
    for (int k = 0; k < Dim; ++k) {
      int first = 0;  // of the line of nodes along k through the corner
      for (int other = 0; other < Dim; ++other)
        if (other != k && (c >> other & 1) != 0)
          first += (d1d - 1) * kolam::detail::power(d1d, other);
      for (int i = 0; i < d1d; ++i) {
        const double* const x = nodes + Dim * (first + i * kolam::detail::power(d1d, k));
        for (int m = 0; m < Dim; ++m)
          jacobian[static_cast<std::size_t>(k)][static_cast<std::size_t>(m)] +=
              ends.gradient(c >> k & 1, i) * x[m];
      }
    }
    result[static_cast<std::size_t>(c)] = detail::determinant<Dim>(jacobian);
  }
  return result;
}

template <int Dim>
void require_corners(const Mesh<Dim>& mesh) {
  const index_t most = mesh.element_count() * Mesh<Dim>::corner_count;
  std::vector<bool> used(static_cast<std::size_t>(std::min(mesh.vertex_count(), most)), false);
  for (std::size_t e = 0; e < mesh.corners.size(); ++e) {
    auto vertices = mesh.corners[e];
    for (const index_t vertex : vertices) {
      if (vertex < 0 || vertex >= most) {
        throw InvalidArgument(fmt::format(
            "mesh: element {} has the vertex {}; they count from 0 without gaps, and {} "
            "elements have {} at most",
            e, vertex, mesh.element_count(), most));
      }
      used[static_cast<std::size_t>(vertex)] = true;
    }
    std::sort(vertices.begin(), vertices.end());
    const auto twice = std::adjacent_find(vertices.begin(), vertices.end());
    if (twice != vertices.end()) {
      throw InvalidArgument(
          fmt::format("mesh: element {} has vertex {} twice; its {} corners must differ", e, *twice,
                      Mesh<Dim>::corner_count));
    }
  }
  const auto unused = std::find(used.begin(), used.end(), false);
  if (unused != used.end()) {
    throw InvalidArgument(
        fmt::format("mesh: no element has vertex {}; number those that are used without gaps",
                    unused - used.begin()));
  }
}

template <int Dim>
void require_lists(const Mesh<Dim>& mesh) {
  if (mesh.corners.empty()) throw InvalidArgument("mesh: no elements; it needs at least 1");
  constexpr int highest = 63;  // whose nodes are known to the last digit
  if (mesh.order < 1 || mesh.order > highest) {
    throw InvalidArgument(
        fmt::format("mesh: geometry of order {}; it must be 1 to {}", mesh.order, highest));
  }
  if (mesh.attributes.size() != mesh.corners.size()) {
    throw InvalidArgument(fmt::format("mesh: {} attributes for {} elements; give one for each",
                                      mesh.attributes.size(), mesh.corners.size()));
  }
  const std::size_t numbers =
      mesh.corners.size() * static_cast<std::size_t>(mesh.nodes_of_element() * Dim);
  if (mesh.nodes.size() != numbers) {
    throw InvalidArgument(fmt::format(
        "mesh: {} coordinates of nodes; {} elements of order {} in {} dimensions have {}",
        mesh.nodes.size(), mesh.corners.size(), mesh.order, Dim, numbers));
  }
  if (mesh.coarser && mesh.coarser->corners.size() << Dim != mesh.corners.size()) {
    throw InvalidArgument(fmt::format(
        "mesh: {} elements, refined from {}; there must be {} for each, or no coarser mesh",
        mesh.corners.size(), mesh.coarser->corners.size(), 1 << Dim));
  }
  for (std::size_t e = 0; e < mesh.attributes.size(); ++e) {
    if (mesh.attributes[e] >= 1) continue;
    throw InvalidArgument(fmt::format("mesh: element {} has the attribute {}; they count from 1", e,
                                      mesh.attributes[e]));
  }
  if (mesh.cut && mesh.cut->elements.size() != mesh.corners.size()) {
    throw InvalidArgument(fmt::format(
        "mesh: a part of {} elements, {} of which have a number in the whole mesh; see part_of",
        mesh.corners.size(), mesh.cut->elements.size()));
  }
  for (const BoundarySide& side : mesh.sides) {
    const auto [element, number] = side.at;
    if (element < 0 || element >= mesh.element_count() || number < 0 || number >= 2 * Dim) {
      throw InvalidArgument(fmt::format(
          "mesh: a boundary of attribute {} at side {} of element {}; there are sides 0 to {} of "
          "elements 0 to {}",
          side.attribute, number, element, 2 * Dim - 1, mesh.element_count() - 1));
    }
    if (side.attribute < 1) {
      throw InvalidArgument(
          fmt::format("mesh: side {} of element {} has the attribute {}; they count from 1", number,
                      element, side.attribute));
    }
  }
}

template <int Dim>
void require_positive(const Mesh<Dim>& mesh) {
  const Basis ends = lagrange_basis(gauss_lobatto(mesh.order + 1).points, {0, 1});
  const Basis straight_ends = lagrange_basis({0, 1}, {0, 1});
  const auto stride = static_cast<std::size_t>(mesh.nodes_of_element() * Dim);
  for (std::size_t e = 0; e < mesh.corners.size(); ++e) {
    const double* const nodes = mesh.nodes.data() + e * stride;
    auto at = at_corners<Dim>(nodes, mesh.order + 1, ends);
    if (mesh.order > 1) {
      // Where a curved element has an angle of 180 degrees the determinant is nothing but rounding:
      // the straight one decides with it.
      const auto straight =
          at_corners<Dim>(detail::corners_of<Dim>(nodes, mesh.order).data(), 2, straight_ends);
      for (std::size_t c = 0; c < at.size(); ++c) at[c] = std::max(at[c], straight[c]);
    }
    const auto negative = [](double d) { return !(d >= 0); };
    const auto found = std::find_if(at.begin(), at.end(), negative);
    if (found == at.end()) continue;
    std::string hint;
    if (std::all_of(at.begin(), at.end(), negative)) {
      hint = "; it is a mirror image: exchange two of its directions";
    } else if (mesh.order == 1) {
      // Counted around: 0, 1, 3, 2 in each layer.
      std::vector<double> around(nodes, nodes + stride);
      for (int layer = 0; layer < 1 << (Dim - 2); ++layer)
        std::swap_ranges(around.begin() + Dim * (4 * layer + 2),
                         around.begin() + Dim * (4 * layer + 3),
                         around.begin() + Dim * (4 * layer + 3));
      const auto then = at_corners<Dim>(around.data(), 2, ends);
      if (std::none_of(then.begin(), then.end(), negative)) {
        hint = fmt::format(
            "; its corners seem to be counted around, as other programs do: give them x fastest "
            "(theirs 0, 1, 3, 2{})",
            Dim == 3 ? ", 4, 5, 7, 6" : "");
      }
    }
    throw InvalidArgument(
        fmt::format("mesh: element {} (vertices {}) is inverted at its corner {}{}", e,
                    fmt::join(mesh.corners[e], ", "), found - at.begin(), hint));
  }
}

// Of each side of each element, in turn: how many elements have it.
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

template <int Dim>
void require_manifold(const Mesh<Dim>& mesh) {
  const std::vector<int> users = users_of_sides(mesh);
  for (std::size_t i = users.size(); i-- > 0;) {
    if (users[i] < 3) continue;
    const ElementSide at = side_at<Dim>(i);
    throw InvalidArgument(fmt::format(
        "mesh: side {} of element {} is one of three elements or more; a side is of two at most",
        at.side, at.element));
  }
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
  require_lists(mesh);
  require_corners(mesh);
  require_positive(mesh);
  require_manifold(mesh);
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
        int across = 0;  // the one direction that is not along it
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
