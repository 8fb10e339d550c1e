// SPDX-License-Identifier: Apache-2.0
// The code of docs/guides/finite-elements.md that is in no example.
#include <iostream>
#include <kolam/kolam.hpp>
#include <type_traits>
#include <vector>

namespace element_guide {

using Exec = Kokkos::DefaultExecutionSpace;
using Memory = Exec::memory_space;
using Laplace = kolam::fem::MatrixFree<double, 3, Exec, kolam::Diffusion<double, 3, 1, Exec>>;
using Affine = kolam::AffineElements<double, 3, Exec>;

// A mesh of a file.
struct NodeOf {
  Kokkos::View<const int**, Memory> table;  // [elements, nodes of an element], x fastest
  KOKKOS_FUNCTION kolam::index_t operator()(kolam::index_t e, int i) const { return table(e, i); }
};
struct IsFixed {
  Kokkos::View<const int*, Memory> group;  // of each node
  KOKKOS_FUNCTION bool operator()(kolam::index_t node) const { return group(node) == 1; }
};
auto any_mesh(const Exec& exec, const Kokkos::View<const int**, Memory>& table,
              const Kokkos::View<const int*, Memory>& group,
              const Kokkos::View<const double*, Memory>& coordinates) {
  const auto elements = static_cast<kolam::index_t>(table.extent(0));
  const auto nodes = static_cast<kolam::index_t>(group.extent(0));
  return kolam::fem::function_space<double, 3>(exec, kolam::gauss_element(2, 4), elements, nodes,
                                               NodeOf{table}, IsFixed{group}, coordinates);
}

struct Bend {
  KOKKOS_FUNCTION void operator()(double (&x)[3]) const { x[0] += 0.2 * Kokkos::sin(2 * x[1]); }
};
struct Conductivity {
  KOKKOS_FUNCTION double operator()(const kolam::MappedPoint<double, 3>& at) const {
    return 1 + at.x[2];
  }
};
// At a node and at a quadrature point.
struct Known {
  KOKKOS_FUNCTION double operator()(const double (&x)[3]) const { return x[0]; }
  KOKKOS_FUNCTION double operator()(const kolam::MappedPoint<double, 3>& at) const {
    return at.x[0];
  }
};
struct KnownGradient {
  KOKKOS_FUNCTION void operator()(const kolam::MappedPoint<double, 3>&, double (&g)[3]) const {
    g[0] = 1;
    g[1] = g[2] = 0;
  }
};

Laplace laplace(const kolam::fem::BoxMesh<3>& mesh, int order) {
  const auto space =
      kolam::fem::box_space<double>(Exec{}, mesh, kolam::gauss_element(order, order + 2), Bend{},
                                    kolam::fem::attribute_bits(3, {1, 2}));
  return {space, {kolam::fem::diffusion_data(space, Conductivity{})}};
}

auto on_affine_elements(const kolam::fem::FunctionSpace<double, 3, Exec>& space) {
  const kolam::fem::MatrixFree a(space, kolam::DiffusionOn<1, Affine>{kolam::fem::affine_elements(
                                            space, Conductivity{}, kolam::Constant{0.0})});
  return a;
}

void solve(const kolam::fem::BoxMesh<3>& mesh, int order) {
  const Laplace a = laplace(mesh, order);
  const auto& space = a.space();
  auto b = space.vector("b");
  kolam::fem::add_source(space, kolam::Constant{1.0}, b);
  kolam::fem::add_flux(space, kolam::fem::sides_of(mesh, kolam::fem::attribute_bits(3, {6})),
                       kolam::Constant{2.0}, b);
  auto u = kolam::fem::dirichlet_values(space, Known{});  // at nodes; 0 where there are unknowns
  a.apply_lift(u, b);

  auto x = space.vector("x");
  const kolam::linear::SolveResult result = kolam::conjugate_gradient(
      a, kolam::fem::box_multigrid(a, mesh, order, laplace), b, x, {.rtol = 1e-10});
  kolam::fem::set_dofs(space, x, u);
  std::cout << reason(result.status) << ": " << result.iterations << " iterations, error "
            << kolam::fem::l2_error(space, u, Known{}) << ", of gradients "
            << kolam::fem::h1_error(space, u, KnownGradient{}) << '\n';

  const kolam::fem::BoxNodes<3> box_nodes(mesh, order);
  const auto to_host = [](const auto& view) {
    const auto there = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
    return std::vector<double>(there.data(), there.data() + there.size());
  };
  kolam::write_vtkhdf_structured("u.vtkhdf",
                                 {box_nodes.across(0), box_nodes.across(1), box_nodes.across(2)}, 3,
                                 to_host(space.coordinates), {{"u", to_host(u.read(kolam::host))}});
}

kolam::linear::SolveResult other_solvers(const Laplace& a, const Kokkos::View<double*, Memory>& b,
                                         const Kokkos::View<double*, Memory>& x) {
  const auto inverse = kolam::linear::inverse_diagonal(a);
  const double largest = kolam::linear::estimate_eigenvalues(a, inverse).largest;
  const kolam::linear::Chebyshev m(a, inverse, 5, 1.1 * largest, 20);
  return kolam::conjugate_gradient(a, m, b, x);
}

// Linear elasticity in the plane.
struct Elastic {
  static constexpr int components = 2;
  static constexpr auto reads = kolam::Evaluation::gradients;
  static constexpr auto writes = kolam::Evaluation::gradients;
  kolam::QuadratureData<double, 5, Exec> data;  // J^-1 row by row, weight det J
  double lambda, mu;

  template <class Point>
  KOKKOS_FUNCTION void operator()(Point& at) const {
    using V = typename Point::value_type;
    V h[2][2];  // the gradient of component c along x_i
    for (int c = 0; c < 2; ++c)
      for (int i = 0; i < 2; ++i)
        h[c][i] = at.gradient[c][0] * at.data[i] + at.gradient[c][1] * at.data[2 + i];
    const V trace = lambda * (h[0][0] + h[1][1]);
    const V shear = mu * (h[0][1] + h[1][0]);
    const V stress[2][2] = {{trace + 2 * mu * h[0][0], shear}, {shear, trace + 2 * mu * h[1][1]}};
    for (int c = 0; c < 2; ++c)
      for (int k = 0; k < 2; ++k)
        at.gradient[c][k] =
            at.data[4] * (stress[c][0] * at.data[2 * k] + stress[c][1] * at.data[2 * k + 1]);
  }
};
struct InverseJacobian {
  KOKKOS_FUNCTION void operator()(const kolam::MappedPoint<double, 2>& at,
                                  double (&numbers)[5]) const {
    const double det = at.determinant();
    numbers[0] = at.jacobian[1][1] / det;
    numbers[1] = -at.jacobian[0][1] / det;
    numbers[2] = -at.jacobian[1][0] / det;
    numbers[3] = at.jacobian[0][0] / det;
    numbers[4] = at.weight * det;
  }
};
auto elasticity(const kolam::fem::FunctionSpace<double, 2, Exec>& space, double lambda, double mu) {
  const kolam::fem::MatrixFree a(
      space, Elastic{kolam::fem::mapped_data<5>(space, InverseJacobian{}), lambda, mu});
  auto b = space.vector("b", 2);
  return a;
}

// (|grad u|^(p - 2) grad u, grad v), with |grad u|^2 + eps in the place of |grad u|^2.
struct PowerLaw {
  static constexpr int components = 1;
  static constexpr auto reads = kolam::Evaluation::gradients;
  static constexpr auto writes = kolam::Evaluation::gradients;
  kolam::QuadratureData<double, 4, Exec> data;  // of helmholtz_data, with 1 for both coefficients
  double p, eps;

  template <class Point>
  KOKKOS_FUNCTION void operator()(Point& at) const {
    const auto x = at.gradient[0][0], y = at.gradient[0][1];
    const auto along_x = at.data[0] * x + at.data[1] * y;
    const auto along_y = at.data[1] * x + at.data[2] * y;
    const auto square = (x * along_x + y * along_y) / at.data[3];  // |grad u|^2
    const auto factor = kolam::pow(square + eps, p / 2 - 1);
    at.gradient[0][0] = factor * along_x;
    at.gradient[0][1] = factor * along_y;
  }
};

// (u, v) + dt (c grad u, grad v): dt may change, geometry is computed from the elements.
template <class Mass, class Stiffness>
struct ImplicitEuler {
  static constexpr int components = 1;
  static constexpr auto reads = kolam::Evaluation::values_and_gradients;
  static constexpr auto writes = kolam::Evaluation::values_and_gradients;
  Mass mass;            // kolam::MassOn<1, Affine>
  Stiffness stiffness;  // kolam::DiffusionOn<1, Affine>
  double dt;

  template <class Point>
  KOKKOS_FUNCTION void operator()(Point& at) const {
    mass(at);
    stiffness(at);
    for (int k = 0; k < Point::dimensions; ++k) at.gradient[0][k] = dt * at.gradient[0][k];
  }
  template <class V, int Dim>  // once for each line of points along x
  KOKKOS_FUNCTION auto on_line(kolam::index_t element, const int (&index)[Dim]) const {
    using M = decltype(mass.template on_line<V>(element, index));
    using K = decltype(stiffness.template on_line<V>(element, index));
    return ImplicitEuler<M, K>{mass.template on_line<V>(element, index),
                               stiffness.template on_line<V>(element, index), dt};
  }
};
using Step = ImplicitEuler<kolam::MassOn<1, Affine>, kolam::DiffusionOn<1, Affine>>;
auto implicit_step(const kolam::fem::FunctionSpace<double, 3, Exec>& space, const Affine& elements,
                   double dt) {
  return kolam::fem::MatrixFree(space, Step{{elements}, {elements}, dt});
}

// (Without the kernels of every size that applying them would compile.)
template <class V>
void at_a_point(const Elastic& elastic, const PowerLaw& law, const Step& step) {
  kolam::QuadraturePoint<V, 2, 2, 5> plane{};
  elastic(plane);
  kolam::QuadraturePoint<V, 2, 1, 4> nonlinear{};
  law(nonlinear);
  kolam::QuadraturePoint<V, 3, 1, 0> at{};
  step(at);
  step.on_line<V>(at.element, at.index)(at);
}
template void at_a_point<double>(const Elastic&, const PowerLaw&, const Step&);
using Host = Kokkos::DefaultHostExecutionSpace;
template void at_a_point<kolam::LaneValue<Host, double>>(const Elastic&, const PowerLaw&,
                                                         const Step&);

}  // namespace element_guide
