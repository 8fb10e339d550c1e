// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <kolam/core/error.hpp>
#include <kolam/fem/boundary_flux.hpp>
#include <kolam/fem/detail/boundary_mass.hpp>
#include <numeric>

namespace kolam::fem {

template <int Dim>
std::vector<ElementSide> sides_of(const BoxMesh<Dim>& mesh, std::uint32_t attributes) {
  validate(mesh);
  if (attributes > all_sides(Dim)) {
    throw InvalidArgument(fmt::format(
        "sides_of: a box of {} dimensions has the attributes 1 to {}, and not those of bits {:#x}",
        Dim, 2 * Dim, attributes));
  }
  std::vector<ElementSide> sides;
  index_t stride = 1;
  const Box<Dim> own = mesh.own();
  for (int k = 0; k < Dim; ++k) {
    const auto [first, last] = own[static_cast<std::size_t>(k)];
    const index_t across = last - first;
    for (const int end : {0, 1}) {
      if ((attributes >> (2 * k + end) & 1U) == 0) continue;
      if (end == 0 ? first != 0 : last != mesh.elements[static_cast<std::size_t>(k)]) continue;
      for (index_t e = 0; e < mesh.element_count(); ++e)
        if (e / stride % across == (end == 0 ? 0 : across - 1)) sides.push_back({e, 2 * k + end});
    }
    stride *= across;
  }
  return sides;
}
template std::vector<ElementSide> sides_of<2>(const BoxMesh<2>&, std::uint32_t);
template std::vector<ElementSide> sides_of<3>(const BoxMesh<3>&, std::uint32_t);

namespace detail {

FluxSums add_by_dof(const std::vector<int>& dofs, const std::vector<double>& values) {
  std::vector<std::size_t> order(dofs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return dofs[a] < dofs[b]; });
  FluxSums result;
  for (const std::size_t n : order) {
    if (dofs[n] < 0) continue;
    if (result.dofs.empty() || result.dofs.back() != dofs[n]) {
      result.dofs.push_back(dofs[n]);
      result.sums.push_back(0);
    }
    result.sums.back() += values[n];
  }
  return result;
}

NodesOfSides nodes_of_sides(const std::vector<int>& node_of) {
  NodesOfSides result;
  result.places.resize(node_of.size());
  std::iota(result.places.begin(), result.places.end(), 0);
  std::stable_sort(result.places.begin(), result.places.end(), [&](int a, int b) {
    return node_of[static_cast<std::size_t>(a)] < node_of[static_cast<std::size_t>(b)];
  });
  for (std::size_t p = 0; p < result.places.size(); ++p) {
    const int node = node_of[static_cast<std::size_t>(result.places[p])];
    if (!result.nodes.empty() && result.nodes.back() == node) continue;
    result.nodes.push_back(node);
    result.begin.push_back(static_cast<int>(p));
  }
  result.begin.push_back(static_cast<int>(result.places.size()));
  return result;
}

std::vector<double> values_of_sides(const ElementBasis& basis, int dimensions) {
  const int points = kolam::detail::power(basis.q1d(), dimensions);
  const int nodes = kolam::detail::power(basis.d1d(), dimensions);
  std::vector<double> result;
  for (int i = 0; i < nodes; ++i) {
    for (int q = 0; q < points; ++q) {
      double product = 1;
      for (int k = 0, at = i, of = q; k < dimensions; ++k, at /= basis.d1d(), of /= basis.q1d())
        product *= basis.values.value(of % basis.q1d(), at % basis.d1d());
      result.push_back(product);
    }
  }
  return result;
}

void keep_once(std::vector<ElementSide>& sides) {
  const auto before = [](const ElementSide& a, const ElementSide& b) {
    return a.element != b.element ? a.element < b.element : a.side < b.side;
  };
  std::sort(sides.begin(), sides.end(), before);
  sides.erase(std::unique(sides.begin(), sides.end()), sides.end());
}

void require_sides(const char* who, const std::vector<ElementSide>& sides, index_t elements,
                   int dimensions) {
  for (const ElementSide& side : sides) {
    if (side.element < 0 || side.element >= elements || side.side < 0 ||
        side.side >= 2 * dimensions) {
      throw InvalidArgument(
          fmt::format("{}: side {} of element {} does not exist; there are {} elements with the "
                      "sides 0 to {}",
                      who, side.side, side.element, elements, 2 * dimensions - 1));
    }
  }
}

}  // namespace detail
}  // namespace kolam::fem
