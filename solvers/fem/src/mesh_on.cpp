// SPDX-License-Identifier: Apache-2.0
// Lists of meshes in the memory of an execution space, and their validation.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <kolam/core/detail/instantiate.hpp>
#include <kolam/core/detail/to_space.hpp>
#include <kolam/core/error.hpp>
#include <kolam/core/forall.hpp>
#include <kolam/fem/detail/element_error.hpp>
#include <kolam/fem/detail/element_nodes.hpp>
#include <kolam/kernels/element/basis.hpp>
#include <kolam/kernels/element/detail/layout.hpp>
#include <kolam/kernels/element/mapped_points.hpp>
#include <kolam/kernels/element/quadrature.hpp>
#include <limits>
#include <string>

#include "mesh_numbering.hpp"

namespace kolam::fem::detail {
namespace {

constexpr index_t none = std::numeric_limits<index_t>::max();

// Returns the Jacobian determinant of an element at corner c. ends: derivatives of the basis at 0
// and 1, [2, d1d].
template <int Dim>
KOKKOS_FUNCTION double determinant_at(int c, const double* nodes, int d1d, const double* ends) {
  double jacobian[Dim][Dim] = {};  // [direction][coordinate]
  int stride[Dim + 1] = {1};
  for (int k = 0; k < Dim; ++k) stride[k + 1] = stride[k] * d1d;
  for (int k = 0; k < Dim; ++k) {
    int first = 0;  // first node of the line along k through the corner
    for (int other = 0; other < Dim; ++other)
      if (other != k && (c >> other & 1) != 0) first += (d1d - 1) * stride[other];
    for (int i = 0; i < d1d; ++i)
      for (int m = 0; m < Dim; ++m)
        jacobian[k][m] += ends[(c >> k & 1) + 2 * i] * nodes[Dim * (first + i * stride[k]) + m];
  }
  return kolam::detail::determinant(jacobian);
}
// At an angle of 180 degrees the determinant of a curved element is only rounding error, so the
// straight element must be inverted as well.
template <int Dim>
KOKKOS_FUNCTION bool is_inverted_at(int c, const double* nodes, int d1d, const double* ends) {
  return !(determinant_at<Dim>(c, nodes, d1d, ends) >= 0) &&
         (d1d == 2 || !(straight_determinant_at<Dim>(c, nodes, d1d) >= 0));
}

template <int Dim>
void require_lists(const Mesh<Dim>& mesh) {
  if (mesh.corners.empty()) throw InvalidArgument("mesh: no elements; it needs at least 1");
  constexpr int highest = 63;  // highest order whose nodes are computed to the last digit
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
    throw ElementError(static_cast<index_t>(e),
                       fmt::format("mesh: element {} has the attribute {}; they count from 1", e,
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
void require_vertex(const Mesh<Dim>& mesh, index_t element) {
  const index_t most = mesh.element_count() * Mesh<Dim>::corner_count;
  for (const index_t vertex : mesh.corners[static_cast<std::size_t>(element)]) {
    if (vertex >= 0 && vertex < most) continue;
    throw InvalidArgument(
        fmt::format("mesh: element {} has the vertex {}; they count from 0 without gaps, and {} "
                    "elements have {} at most",
                    element, vertex, mesh.element_count(), most));
  }
}

template <int Dim>
[[noreturn]] void refuse_double(const Mesh<Dim>& mesh, index_t element) {
  auto vertices = mesh.corners[static_cast<std::size_t>(element)];
  std::sort(vertices.begin(), vertices.end());
  throw ElementError(
      element,
      fmt::format("mesh: element {} has vertex {} twice; its {} corners must differ", element,
                  *std::adjacent_find(vertices.begin(), vertices.end()), Mesh<Dim>::corner_count));
}

template <int Dim>
[[noreturn]] void refuse_inverted(const Mesh<Dim>& mesh, index_t element,
                                  const std::vector<double>& ends) {
  const auto size = static_cast<std::size_t>(mesh.nodes_of_element() * Dim);
  const double* const nodes = mesh.nodes.data() + static_cast<std::size_t>(element) * size;
  const auto inverted = [&](const double* of_element) {
    std::vector<int> corners;
    for (int c = 0; c < Mesh<Dim>::corner_count; ++c)
      if (is_inverted_at<Dim>(c, of_element, mesh.order + 1, ends.data())) corners.push_back(c);
    return corners;
  };
  const std::vector<int> corners = inverted(nodes);
  std::string hint;
  bool is_counted_around = false;
  if (corners.size() == Mesh<Dim>::corner_count) {
    hint = "; it is a mirror image: exchange two of its directions";
  } else if (mesh.order == 1) {
    // Numbering around the element: 0, 1, 3, 2 in each layer.
    std::vector<double> around(nodes, nodes + size);
    for (int layer = 0; layer < 1 << (Dim - 2); ++layer)
      std::swap_ranges(around.begin() + Dim * (4 * layer + 2),
                       around.begin() + Dim * (4 * layer + 3),
                       around.begin() + Dim * (4 * layer + 3));
    is_counted_around = inverted(around.data()).empty();
    if (is_counted_around) {
      hint = fmt::format(
          "; its corners seem to be counted around, as other programs do: give them x fastest "
          "(theirs 0, 1, 3, 2{})",
          Dim == 3 ? ", 4, 5, 7, 6" : "");
    }
  }
  throw ElementError(
      element,
      fmt::format("mesh: element {} (vertices {}) is inverted at its corner {}{}", element,
                  fmt::join(mesh.corners[static_cast<std::size_t>(element)], ", "), corners.front(),
                  hint),
      is_counted_around);
}

template <int Dim, ExecutionSpace Exec>
void require_corners(const Exec& exec, const Mesh<Dim>& mesh, const MeshOn<Dim, Exec>& on) {
  const auto corners = on.corners;
  const auto twice = kolam::min<index_t>(
      exec, "kolam::validate: corners", on.elements, KOKKOS_LAMBDA(index_t e, index_t & first) {
        const index_t* const vertices = corners.data() + (e << Dim);
        for (int a = 0; a < 1 << Dim; ++a)
          for (int b = 0; b < a; ++b)
            if (vertices[a] == vertices[b]) first = Kokkos::min(first, e);
      });
  if (twice != none) refuse_double(mesh, twice);
  const auto at = entities_on(exec, on, 0).first;
  const auto unused = kolam::min<index_t>(
      exec, "kolam::validate: vertices", on.vertex_count,
      KOKKOS_LAMBDA(index_t v, index_t & first) {
        if (at(v) == none) first = Kokkos::min(first, v);
      });
  if (unused == none) return;
  throw InvalidArgument(fmt::format(
      "mesh: no element has vertex {}; number those that are used without gaps", unused));
}

template <int Dim, ExecutionSpace Exec>
void require_positive(const Exec& exec, const Mesh<Dim>& mesh, const MeshOn<Dim, Exec>& on) {
  const std::vector<double> of_ends =
      lagrange_basis(gauss_lobatto(mesh.order + 1).points, {0, 1}).gradients;
  const auto ends = kolam::detail::to_space<double>(exec, "kolam::ends", of_ends);
  const auto nodes = on.nodes;
  const int d1d = mesh.order + 1;
  const index_t each = mesh.nodes_of_element() * Dim;
  const auto inverted = kolam::min<index_t>(
      exec, "kolam::validate: elements", on.elements, KOKKOS_LAMBDA(index_t e, index_t & first) {
        for (int c = 0; c < 1 << Dim; ++c)
          if (is_inverted_at<Dim>(c, nodes.data() + e * each, d1d, ends.data()))
            first = Kokkos::min(first, e);
      });
  if (inverted != none) refuse_inverted(mesh, inverted, of_ends);
}

template <int Dim, ExecutionSpace Exec>
void require_manifold(const Exec& exec, const MeshOn<Dim, Exec>& on) {
  const EntitiesOn<Exec> sides = entities_on(exec, on, Dim - 1);
  const auto users =
      kolam::detail::allocate_zeros<ListOn<int, Exec>>(exec, "kolam::validate: sides", sides.count);
  const auto number = sides.number;
  const index_t places = on.elements * 2 * Dim;
  forall(
      exec, "kolam::validate: sides", places,
      KOKKOS_LAMBDA(index_t i) { Kokkos::atomic_inc(&users(number(i))); });
  const auto last = kolam::max<index_t>(
      exec, "kolam::validate: sides", places, KOKKOS_LAMBDA(index_t i, index_t & at) {
        if (users(number(i)) > 2) at = Kokkos::max(at, i);
      });
  if (last < 0) return;
  throw ElementError(
      last / (2 * Dim),
      fmt::format(
          "mesh: side {} of element {} is one of three elements or more; a side is of two at most",
          last % (2 * Dim), last / (2 * Dim)));
}

}  // namespace

template <int Dim, ExecutionSpace Exec>
MeshOn<Dim, Exec> mesh_on(const Exec& exec, const Mesh<Dim>& mesh) {
  static_assert(sizeof(mesh.corners[0]) == sizeof(index_t) << Dim);
  const index_t* const first = mesh.corners.empty() ? nullptr : mesh.corners.front().data();
  MeshOn<Dim, Exec> result{
      mesh.element_count(), 0, list_on(exec, "kolam::corners", first, mesh.element_count() << Dim),
      list_on(exec, "kolam::nodes", mesh.nodes.data(), static_cast<index_t>(mesh.nodes.size()))};
  const auto corners = result.corners;
  const index_t most = result.elements << Dim;
  const auto bad = kolam::min<index_t>(
      exec, "kolam::mesh: vertices", most, KOKKOS_LAMBDA(index_t at, index_t & least) {
        if (corners(at) < 0 || corners(at) >= most) least = Kokkos::min(least, at >> Dim);
      });
  if (bad != none) require_vertex(mesh, bad);
  result.vertex_count =
      1 + kolam::max<index_t>(
              exec, "kolam::mesh: vertices", most, KOKKOS_LAMBDA(index_t at, index_t & largest) {
                largest = Kokkos::max(largest, corners(at));
              });
  return result;
}

template <int Dim, ExecutionSpace Exec>
MeshOn<Dim, Exec> valid_mesh_on(const Exec& exec, const Mesh<Dim>& mesh) {
  require_lists(mesh);
  const MeshOn<Dim, Exec> result = mesh_on(exec, mesh);
  require_corners(exec, mesh, result);
  require_positive(exec, mesh, result);
  require_manifold(exec, result);
  return result;
}

#define KOLAM_INSTANTIATE_IN(DIM, EXEC)                                         \
  template MeshOn<DIM, EXEC> mesh_on<DIM, EXEC>(const EXEC&, const Mesh<DIM>&); \
  template MeshOn<DIM, EXEC> valid_mesh_on<DIM, EXEC>(const EXEC&, const Mesh<DIM>&);
#define KOLAM_INSTANTIATE(EXEC) KOLAM_INSTANTIATE_IN(2, EXEC) KOLAM_INSTANTIATE_IN(3, EXEC)
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_INSTANTIATE)

}  // namespace kolam::fem::detail
