// SPDX-License-Identifier: Apache-2.0
// -Laplace u + c u = 1 on a wavy box, with a user-defined operator.
#include <cstdio>
#include <kolam/kolam.hpp>

// (grad u, grad v) + (c u, v), with c depending on position.
struct Reaction {
  static constexpr int components = 1;
  static constexpr auto reads = kolam::Evaluation::values_and_gradients;
  static constexpr auto writes = kolam::Evaluation::values_and_gradients;
  static constexpr int coefficients = 1;

  template <class Point, class T>
  KOKKOS_FUNCTION void set_coefficients(const Point& at, T (&c)[1]) const {
    c[0] = 10 * at.x[0];
  }
  template <class Point>
  KOKKOS_FUNCTION void operator()(Point& at) const {
    at.value[0] = at.data[0] * at.value[0];  // the gradient stays as it is
  }
};

// Maps the unit box to a box with wavy sides.
struct Wave {
  KOKKOS_FUNCTION void operator()(double (&x)[2]) const { x[1] += 0.1 * Kokkos::sin(6 * x[0]); }
};

int main(int argc, char** argv) {
  const kolam::Runtime runtime(argc, argv);
  // Sides 1 and 2 (in x) have the value 0; on the others the flux is 0.
  const auto space = kolam::fem::box_space<double>(
      Kokkos::DefaultExecutionSpace{}, kolam::fem::BoxMesh<2>{{8, 8}}, kolam::gauss_element(3, 5),
      Wave{}, kolam::fem::attribute_bits(2, {1, 2}));
  const kolam::fem::Operator a(space, Reaction{});
  auto b = space.vector("b");
  kolam::fem::add_source(space, kolam::Constant{1.0}, b);
  auto x = space.vector("x");
  const auto result = kolam::merged_conjugate_gradient(a, kolam::linear::inverse_diagonal(a), b, x);

  auto u = kolam::fem::dirichlet_values(space, kolam::Constant{0.0});
  kolam::fem::set_dofs(space, x, u);
  std::printf("%s after %d iterations, integral %.8f\n", std::string(name(result.status)).c_str(),
              static_cast<int>(result.iterations), kolam::fem::integral(space, u));
  return result.status == kolam::linear::SolveStatus::converged ? 0 : 1;
}
