// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <kolam/core/error.hpp>
#include <kolam/fem/box_function.hpp>
#include <kolam/kernels/element/element_basis.hpp>

namespace kolam {
namespace {

// A polynomial of order 3 in each direction.
template <int Dim>
double cubic(const std::array<double, Dim>& x) {
  double value = 1;
  for (std::size_t k = 0; k < Dim; ++k)
    value *= 1 + x[k] * (0.5 - x[k] * (1.0 + 0.1 * static_cast<double>(k) - 0.3 * x[k]));
  return value;
}

template <int Dim>
void expect_cubic() {
  fem::BoxMesh<Dim> mesh;
  for (std::size_t k = 0; k < Dim; ++k) {
    mesh.elements[k] = static_cast<index_t>(k) + 2;
    mesh.lower[k] = -1;
    mesh.upper[k] = 1.5;
  }
  const std::vector<double> nodes = lobatto_element(3).nodes;
  const fem::BoxNodes<Dim> box_nodes(mesh, 3);
  std::vector<double> values;
  for (index_t n = 0; n < box_nodes.nodes(); ++n) {
    double x[Dim];
    box_nodes.position([&](index_t i) { return nodes[static_cast<std::size_t>(i)]; }, n, x);
    std::array<double, Dim> at;
    std::copy(x, x + Dim, at.begin());
    values.push_back(cubic<Dim>(at));
  }
  const fem::BoxFunction<Dim> u(mesh, nodes, values);
  for (const double s : {-1.0, -0.77, 0.0, 0.25, 0.6180339, 1.4999, 1.5, 1.6}) {
    std::array<double, Dim> at;
    for (std::size_t k = 0; k < Dim; ++k) at[k] = k == 0 ? s : 0.3 - 0.4 * s;
    EXPECT_NEAR(u(at), cubic<Dim>(at), 1e-13) << s;
  }
  fem::BoxMesh<Dim> cut = mesh;
  cut.parts[0] = 2;
  EXPECT_THROW((fem::BoxFunction<Dim>(cut, nodes, values)), InvalidArgument);
  values.pop_back();
  EXPECT_THROW((fem::BoxFunction<Dim>(mesh, nodes, values)), InvalidArgument);
}

TEST(BoxFunction, IsThePolynomialOfItsNodes) {
  expect_cubic<2>();
  expect_cubic<3>();
}

}  // namespace
}  // namespace kolam
