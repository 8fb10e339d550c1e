// SPDX-License-Identifier: Apache-2.0
// Spaces and operators on small boxes.
#pragma once

#include <kolam/fem/function_space.hpp>
#include <kolam/fem/operator.hpp>
#include <vector>

#include "../linear/dense_operator.hpp"

namespace kolam::testing {

/// Curves every element and moves every side; order 2 represents it. Its determinant is 1.2.
struct Bend {
  template <int Dim>
  KOKKOS_FUNCTION void operator()(double (&x)[Dim]) const {
    const double y = x[1];
    x[0] = 1.2 * x[0] + 0.1 * y * y;
    x[1] += 0.05 * x[0];
  }
};

template <int Dim>
fem::BoxMesh<Dim> uneven_box() {
  fem::BoxMesh<Dim> mesh;
  for (std::size_t k = 0; k < Dim; ++k) mesh.elements[k] = static_cast<index_t>(k) + 2;
  return mesh;
}

template <int Dim>
auto bent_space(const ElementBasis& basis, std::uint32_t dirichlet,
                Scatter scatter = Scatter::fastest) {
  return fem::box_space<double>(DenseExec{}, uneven_box<Dim>(), basis, Bend{}, dirichlet, scatter);
}

template <int Dim>
auto laplace_on(const fem::FunctionSpace<double, Dim, DenseExec>& space) {
  return fem::Operator(space, fem::Diffusion{});
}
template <int Dim>
auto mass_on(const fem::FunctionSpace<double, Dim, DenseExec>& space) {
  return fem::Operator(space, fem::Mass{});
}

template <class A>
std::vector<double> applied(const A& a, const std::vector<double>& x) {
  const DenseVector y("y", x.size());
  a.apply(dense_vector(x), y);
  a.exec().fence("test");
  return numbers_of(y);
}

inline double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace kolam::testing
