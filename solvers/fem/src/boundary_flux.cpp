// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <kolam/core/error.hpp>
#include <kolam/fem/boundary_flux.hpp>
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

void require_sides(const std::vector<ElementSide>& sides, index_t elements, int dimensions) {
  for (const ElementSide& side : sides) {
    if (side.element < 0 || side.element >= elements || side.side < 0 ||
        side.side >= 2 * dimensions) {
      throw InvalidArgument(
          fmt::format("add_flux: side {} of element {} does not exist; there are {} elements with "
                      "the sides 0 to {}",
                      side.side, side.element, elements, 2 * dimensions - 1));
    }
  }
}

}  // namespace detail
}  // namespace kolam::fem
