// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <kolam/core/error.hpp>
#include <kolam/fem/detail/element_nodes.hpp>
#include <kolam/fem/detail/mesh_entities.hpp>
#include <kolam/kernels/element/basis.hpp>
#include <kolam/kernels/element/detail/layout.hpp>
#include <kolam/kernels/element/quadrature.hpp>
#include <memory>
#include <utility>

namespace kolam::fem {
namespace {

template <int Dim>
std::vector<double> nodes_of(const Mesh<Dim>& mesh, std::size_t element) {
  const auto stride = static_cast<std::ptrdiff_t>(mesh.nodes_of_element() * Dim);
  const auto begin = mesh.nodes.begin() + static_cast<std::ptrdiff_t>(element) * stride;
  return {begin, begin + stride};
}

}  // namespace

template <int Dim>
std::vector<double> detail::interpolated(
    std::vector<double> values,
    const std::array<const Basis*, static_cast<std::size_t>(Dim)>& bases, int components) {
  // The stride of the current direction, in values.
  auto inner = static_cast<std::size_t>(components);
  for (const Basis* basis : bases) {
    const auto d1d = static_cast<std::size_t>(basis->d1d);
    const auto q1d = static_cast<std::size_t>(basis->q1d);
    const std::size_t outer = values.size() / (inner * d1d);
    std::vector<double> result(inner * q1d * outer, 0.0);
    for (std::size_t o = 0; o < outer; ++o)
      for (std::size_t q = 0; q < q1d; ++q)
        for (std::size_t i = 0; i < d1d; ++i)
          for (std::size_t n = 0; n < inner; ++n)
            result[n + inner * (q + q1d * o)] +=
                basis->value(static_cast<int>(q), static_cast<int>(i)) *
                values[n + inner * (i + d1d * o)];
    values = std::move(result);
    inner *= q1d;
  }
  return values;
}
template std::vector<double> detail::interpolated<2>(std::vector<double>,
                                                     const std::array<const Basis*, 2>&, int);
template std::vector<double> detail::interpolated<3>(std::vector<double>,
                                                     const std::array<const Basis*, 3>&, int);

template <int Dim>
Mesh<Dim> with_order(const Mesh<Dim>& mesh, int order) {
  if (order < 1) {
    throw InvalidArgument(
        fmt::format("with_order: geometry of order {}; it must be at least 1", order));
  }
  const std::size_t numbers =
      mesh.corners.size() * static_cast<std::size_t>(mesh.nodes_of_element() * Dim);
  if (mesh.order < 1 || mesh.nodes.size() != numbers) {
    throw InvalidArgument(fmt::format(
        "with_order: a mesh of {} elements of order {} with {} coordinates of nodes; see validate",
        mesh.corners.size(), mesh.order, mesh.nodes.size()));
  }
  const Basis basis =
      lagrange_basis(gauss_lobatto(mesh.order + 1).points, gauss_lobatto(order + 1).points);
  Mesh<Dim> result = mesh;
  result.order = order;
  result.nodes.clear();
  std::array<const Basis*, Dim> bases;
  bases.fill(&basis);
  for (std::size_t e = 0; e < mesh.corners.size(); ++e) {
    const auto nodes = detail::interpolated<Dim>(nodes_of(mesh, e), bases);
    result.nodes.insert(result.nodes.end(), nodes.begin(), nodes.end());
  }
  return result;
}
template Mesh<2> with_order(const Mesh<2>&, int);
template Mesh<3> with_order(const Mesh<3>&, int);

template <int Dim>
Mesh<Dim> refined(const Mesh<Dim>& mesh) {
  validate(mesh);
  constexpr int children = 1 << Dim;
  // The vertices of the children are the nodes of order 2.
  const detail::MeshNodes vertices = detail::mesh_nodes(mesh, 2);
  const std::vector<double> points = gauss_lobatto(mesh.order + 1).points;
  std::array<Basis, 2> halves;
  for (const int half : {0, 1}) {
    std::vector<double> within;
    for (const double x : points) within.push_back((half + x) / 2);
    halves[static_cast<std::size_t>(half)] = lagrange_basis(points, within);
  }
  Mesh<Dim> result;
  result.coarser = std::make_shared<const Mesh<Dim>>(mesh);
  result.order = mesh.order;
  result.element_names = mesh.element_names;
  result.boundary_names = mesh.boundary_names;
  constexpr auto nodes_of_quadratic = static_cast<std::size_t>(kolam::detail::power(3, Dim));
  for (std::size_t e = 0; e < mesh.corners.size(); ++e) {
    const std::vector<double> nodes = nodes_of(mesh, e);
    for (int child = 0; child < children; ++child) {
      auto& corners = result.corners.emplace_back();
      for (int c = 0; c < children; ++c) {
        std::size_t node = 0;
        for (int k = Dim - 1; k >= 0; --k)
          node = 3 * node + static_cast<std::size_t>((child >> k & 1) + (c >> k & 1));
        corners[static_cast<std::size_t>(c)] = vertices.of_element[e * nodes_of_quadratic + node];
      }
      std::array<const Basis*, Dim> bases;
      for (std::size_t k = 0; k < Dim; ++k)
        bases[k] = &halves[static_cast<std::size_t>(child >> k & 1)];
      const auto own = detail::interpolated<Dim>(nodes, bases);
      result.nodes.insert(result.nodes.end(), own.begin(), own.end());
      result.attributes.push_back(mesh.attributes[e]);
    }
  }
  for (const BoundarySide& side : mesh.sides) {
    for (int child = 0; child < children; ++child)
      if ((child >> (side.at.side / 2) & 1) == side.at.side % 2)
        result.sides.push_back(
            {{side.at.element * children + child, side.at.side}, side.attribute});
  }
  if (mesh.cut) {
    const auto cut = std::make_shared<MeshCut>(*mesh.cut);
    cut->elements.clear();
    for (const index_t element : mesh.cut->elements)
      for (int child = 0; child < children; ++child)
        cut->elements.push_back(element * children + child);
    for (MeshCut::SharedWith& other : cut->shared) {
      std::vector<MeshEntity> finer;
      for (const MeshEntity& entity : other.entities) {
        const auto parts = detail::refined(entity, children);
        finer.insert(finer.end(), parts.begin(), parts.end());
      }
      other.entities = std::move(finer);
    }
    result.cut = cut;
  }
  return result;
}
template Mesh<2> refined(const Mesh<2>&);
template Mesh<3> refined(const Mesh<3>&);

}  // namespace kolam::fem
