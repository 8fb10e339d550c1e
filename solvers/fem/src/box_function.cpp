// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <kolam/core/error.hpp>
#include <kolam/fem/box_function.hpp>
#include <kolam/kernels/element/basis.hpp>
#include <utility>

namespace kolam::fem {

template <int Dim>
BoxFunction<Dim>::BoxFunction(const BoxMesh<Dim>& mesh, std::vector<double> nodes,
                              std::vector<double> values)
    : mesh_(mesh), nodes_(std::move(nodes)), values_(std::move(values)) {
  for (const int parts : mesh.parts) {
    if (parts != 1) {
      throw InvalidArgument(
          fmt::format("BoxFunction: a mesh that is cut into {} parts; give it the whole one, "
                      "and all values",
                      parts));
    }
  }
  const index_t needed = BoxNodes<Dim>(mesh, static_cast<int>(nodes_.size()) - 1).nodes();
  if (static_cast<index_t>(values_.size()) != needed) {
    throw InvalidArgument(
        fmt::format("BoxFunction: {} values for {} nodes", values_.size(), needed));
  }
}

template <int Dim>
double BoxFunction<Dim>::operator()(const std::array<double, Dim>& x) const {
  const auto d1d = static_cast<int>(nodes_.size());
  std::array<Basis, Dim> along;
  std::array<index_t, Dim> first;  // first node of the element; `across`: extents of the grid
  std::array<index_t, Dim> across;
  for (std::size_t k = 0; k < Dim; ++k) {
    const index_t n = mesh_.elements[k];
    const double at =
        (x[k] - mesh_.lower[k]) / (mesh_.upper[k] - mesh_.lower[k]) * static_cast<double>(n);
    const index_t e = std::clamp<index_t>(static_cast<index_t>(std::floor(at)), 0, n - 1);
    along[k] = lagrange_basis(nodes_, {at - static_cast<double>(e)});
    first[k] = e * (d1d - 1);
    across[k] = n * (d1d - 1) + 1;
  }
  double sum = 0;
  const int planes = Dim == 3 ? d1d : 1;
  for (int k = 0; k < planes; ++k) {
    for (int j = 0; j < d1d; ++j) {
      index_t row = first[1] + j;
      double weight = along[1].value(0, j);
      if constexpr (Dim == 3) {
        row += across[1] * (first[2] + k);
        weight *= along[2].value(0, k);
      }
      for (int i = 0; i < d1d; ++i) {
        sum += weight * along[0].value(0, i) *
               values_[static_cast<std::size_t>(first[0] + i + across[0] * row)];
      }
    }
  }
  return sum;
}

template class BoxFunction<2>;
template class BoxFunction<3>;

}  // namespace kolam::fem
