// SPDX-License-Identifier: Apache-2.0
// -Laplace u = f on a bent box with u given on its sides: conjugate gradients, preconditioned by
// multigrid over orders and meshes. The solution is known, and the error falls as h^(order + 1).
#include <cmath>
#include <iostream>
#include <kolam/kolam.hpp>

constexpr int dim = 3;
using Point = kolam::MappedPoint<double, dim>;

// Maps the unit box to the bent box.
struct Bend {
  KOKKOS_FUNCTION void operator()(double (&x)[dim]) const { x[0] += 0.2 * Kokkos::sin(2 * x[1]); }
};

// u times a factor, at a node or a quadrature point. -Laplace u = 7 u.
struct Known {
  double factor = 1;
  KOKKOS_FUNCTION double operator()(const double (&x)[dim]) const {
    return factor * Kokkos::sin(2 * x[0]) * Kokkos::sin(2 * x[1] + 1) * Kokkos::exp(x[2]);
  }
  KOKKOS_FUNCTION double operator()(const Point& at) const { return (*this)(at.x); }
};

double error_of(int n, int order) {
  const auto space = kolam::fem::box_space<double>(
      Kokkos::DefaultExecutionSpace{}, kolam::fem::BoxMesh<dim>{{n, n, n}},
      kolam::gauss_element(order, order + 2), Bend{}, kolam::fem::all_sides(dim));
  const kolam::fem::Operator a(space, kolam::fem::Diffusion{});
  auto b = space.vector("b"), x = space.vector("x");
  kolam::fem::add_source(space, Known{7}, b);
  auto u = kolam::fem::dirichlet_values(space, Known{});  // at the sides, 0 inside
  a.apply_lift(u, b);
  const auto result = kolam::conjugate_gradient(a, kolam::fem::multigrid(a), b, x, {.rtol = 1e-10});
  kolam::fem::set_dofs(space, x, u);
  const double error = kolam::fem::l2_error(space, u, Known{});
  std::cout << "order " << order << ", " << n << "^3 elements: " << name(result.status) << " after "
            << result.iterations << " iterations, error " << error << '\n';
  return error;
}

int main(int argc, char** argv) {
  const kolam::Runtime runtime(argc, argv);
  for (const int order : {2, 4}) {
    const double coarse = error_of(4, order), fine = error_of(8, order);
    std::cout << "rate " << std::log2(coarse / fine) << '\n';
  }
}
