// SPDX-License-Identifier: Apache-2.0
// The code of docs/guides/finite-elements.md that is in no example.
#include <iostream>
#include <kolam/kolam.hpp>
#include <type_traits>
#include <vector>

namespace element_guide {

using Exec = Kokkos::DefaultExecutionSpace;
using Memory = Exec::memory_space;
using Laplace = kolam::fem::Operator<double, 3, Exec>;

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
              const Kokkos::View<double*, Memory>& coordinates) {
  const auto elements = static_cast<kolam::index_t>(table.extent(0));
  const auto nodes = static_cast<kolam::index_t>(group.extent(0));
  return kolam::fem::function_space<double, 3>(exec, kolam::gauss_element(2, 4), elements, nodes,
                                               NodeOf{table}, IsFixed{group},
                                               kolam::share(coordinates));
}

auto of_a_file() {
  const auto mesh = kolam::read_mesh<3>("pipe.msh");  // elements in Hilbert order
  const auto space = kolam::fem::space<double>(Exec{}, mesh, 3, {.dirichlet = {"wall", 4}});
  return space;
}
auto with_rollers(const kolam::fem::Mesh<3>& mesh) {
  const auto space =
      kolam::fem::space<double>(Exec{}, mesh, 2, {.dirichlet = {"clamp", {"symmetry", "x"}}});
  return space;
}
void in_one_call(const kolam::fem::Mesh<3>& mesh) {
  const auto solution =
      kolam::fem::solve_elasticity<double>(Exec{}, mesh,
                                           {.materials = {{"steel", 115.4, 76.9}},  // lambda, mu
                                            .fixed = {"clamp", {"symmetry", "x"}},
                                            .tractions = {{"load", {0, 0, -0.01}}}});
  std::cout << solution.energy << ' ' << solution.largest_displacement << '\n';
  kolam::write_vtkhdf_mesh("u.vtkhdf", mesh, 2, {{"displacement", solution.values(), 3}});
}
struct Pressure {
  KOKKOS_FUNCTION auto operator()(const kolam::fem::BoundaryPoint<double, 3>& at) const {
    return Kokkos::Array<double, 3>{-0.1 * at.normal[0], -0.1 * at.normal[1], -0.1 * at.normal[2]};
  }
};
auto by_hand(const kolam::fem::FunctionSpace<double, 3, Exec>& space,
             const kolam::fem::Mesh<3>& mesh) {
  const kolam::fem::Operator a(
      space,
      kolam::fem::Elasticity{kolam::fem::per_attribute<double>(Exec{}, mesh, {{1, 50.0}, {2, 1.0}}),
                             kolam::Constant{1.0}});
  auto b = space.vector("b", 3);
  kolam::fem::add_flux<3>(space, kolam::fem::sides_of(mesh, {"load"}), Pressure{}, b);
  return a;
}
void into_air(const kolam::fem::FunctionSpace<double, 3, Exec>& space,
              const kolam::fem::BoxMesh<3>& mesh, kolam::Array<double>& b) {
  const auto air = kolam::fem::sides_of(mesh, kolam::fem::attribute_bits(3, {5}));
  const kolam::fem::Operator cooled(
      space, kolam::fem::robin(kolam::fem::Diffusion{}, air, kolam::Constant{25.0}));
  kolam::fem::add_flux(space, air, kolam::Constant{25.0 * 300}, b);  // air of 300 degrees
}
auto for_paraview(const kolam::fem::Mesh<3>& mesh, int order, const kolam::Array<double>& u,
                  const kolam::Array<double>& v) {
  kolam::write_vtkhdf_mesh("u.vtkhdf", mesh, order, {{"temperature", u}, {"flow", v, 3}});
}
void in_time(std::vector<kolam::TimeStep>& steps, double time, const kolam::fem::Mesh<3>& mesh,
             int order, const kolam::Array<double>& u) {
  steps.push_back({time, {{"temperature", u}}});  // std::vector<kolam::TimeStep>
  kolam::write_vtkhdf_mesh_series("run.vtkhdf", mesh, order, steps);
}
auto on_a_disc() {
  kolam::fem::Mesh<2> mesh = kolam::fem::disc(8, 3);  // an O-grid of cubic elements
  mesh.boundary_names["rim"] = {1};
  const auto space =
      kolam::fem::space<double>(Exec{}, kolam::fem::refined(mesh), 4, {.dirichlet = {"rim"}});
  return space;
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

auto on_any_elements(const kolam::fem::FunctionSpace<double, 3, Exec>& space) {
  const kolam::fem::Operator a(space, kolam::fem::Diffusion{Conductivity{}});
  return a;
}
auto on_affine_elements(const kolam::fem::FunctionSpace<double, 3, Exec>& space) {
  const kolam::fem::Operator a(space, kolam::fem::Diffusion{Conductivity{}}, kolam::fem::affine);
  return a;
}

void solve(const kolam::fem::BoxMesh<3>& mesh, int order) {
  const auto space =
      kolam::fem::box_space<double>(Exec{}, mesh, kolam::gauss_element(order, order + 2), Bend{},
                                    kolam::fem::attribute_bits(3, {1, 2}));
  const kolam::fem::Operator a(space, kolam::fem::Diffusion{Conductivity{}});
  auto b = space.vector("b");
  kolam::fem::add_source(space, kolam::Constant{1.0}, b);
  kolam::fem::add_flux(space, kolam::fem::sides_of(mesh, kolam::fem::attribute_bits(3, {6})),
                       kolam::Constant{2.0}, b);
  auto u = kolam::fem::dirichlet_values(space, Known{});  // at nodes; 0 where there are unknowns
  a.apply_lift(u, b);

  auto x = space.vector("x");
  const kolam::linear::SolveResult result =
      kolam::conjugate_gradient(a, kolam::fem::multigrid(a), b, x, {.rtol = 1e-10});
  kolam::fem::set_dofs(space, x, u);
  std::cout << reason(result.status) << ": " << result.iterations << " iterations, error "
            << kolam::fem::l2_error(space, u, Known{}) << ", of gradients "
            << kolam::fem::h1_error(space, u, KnownGradient{}) << '\n';

  const kolam::fem::BoxNodes<3> box_nodes(mesh, order);
  const auto to_vector = [](const kolam::Array<double>& array) {
    const auto x = array.read(kolam::host);
    return std::vector<double>(x.data(), x.data() + x.size());
  };
  kolam::write_vtkhdf_structured("u.vtkhdf",
                                 {box_nodes.across(0), box_nodes.across(1), box_nodes.across(2)}, 3,
                                 to_vector(*space.coordinates), {{"u", to_vector(u)}});
}

kolam::linear::SolveResult other_solvers(const Laplace& a, const Kokkos::View<double*, Memory>& b,
                                         const Kokkos::View<double*, Memory>& x) {
  const auto inverse = kolam::linear::inverse_diagonal(a);
  const double largest = kolam::linear::estimate_eigenvalues(a, inverse).largest;
  const kolam::linear::Chebyshev m(a, inverse, 5, 1.1 * largest, 20);
  return kolam::conjugate_gradient(a, m, b, x);
}

// Linear elasticity in the plane; lambda and mu are the same everywhere.
struct Elasticity {
  static constexpr int components = 2;
  static constexpr auto reads = kolam::Evaluation::gradients;
  static constexpr auto writes = kolam::Evaluation::gradients;
  double lambda, mu;

  template <class Point>
  KOKKOS_FUNCTION void operator()(Point& at) const {
    const auto& g = at.gradient;  // [component][axis]
    const auto trace = lambda * (g[0][0] + g[1][1]);
    const auto shear = mu * (g[0][1] + g[1][0]);
    at.gradient[0][0] = trace + 2 * mu * g[0][0];
    at.gradient[1][1] = trace + 2 * mu * g[1][1];
    at.gradient[0][1] = at.gradient[1][0] = shear;
  }
};
auto elasticity(const kolam::fem::FunctionSpace<double, 2, Exec>& space, double lambda, double mu) {
  const kolam::fem::Operator a(space, Elasticity{lambda, mu});
  auto b = space.vector("b", 2);
  return a;
}

// (|grad u|^(p - 2) grad u, grad v), with |grad u|^2 + eps in the place of |grad u|^2.
struct PowerLaw {
  static constexpr int components = 1;
  static constexpr auto reads = kolam::Evaluation::gradients;
  static constexpr auto writes = kolam::Evaluation::gradients;
  double p, eps;

  template <class Point>
  KOKKOS_FUNCTION void operator()(Point& at) const {
    const auto x = at.gradient[0][0], y = at.gradient[0][1];
    const auto factor = kolam::pow(x * x + y * y + eps, p / 2 - 1);
    at.gradient[0][0] = factor * x;
    at.gradient[0][1] = factor * y;
  }
};

// (u, v) + dt (c grad u, grad v): a part of isotropic physics, with c and d in the geometry.
struct ImplicitEuler : kolam::Helmholtz<> {
  double dt;

  template <class Point>
  KOKKOS_FUNCTION void operator()(Point& at) const {
    for (int k = 0; k < Point::dimensions; ++k) at.gradient[0][k] = dt * at.gradient[0][k];
  }
};
auto implicit_step(const kolam::fem::FunctionSpace<double, 3, Exec>& space, double dt) {
  return kolam::fem::Operator(space, ImplicitEuler{{}, dt}, kolam::fem::affine);
}

// A coefficient of its own at each point.
struct Reaction {
  static constexpr int components = 1;
  static constexpr auto reads = kolam::Evaluation::values_and_gradients;
  static constexpr auto writes = kolam::Evaluation::values_and_gradients;
  static constexpr int coefficients = 1;

  template <class Point, class T>
  KOKKOS_FUNCTION void set_coefficients(const Point& at, T (&numbers)[1]) const {
    numbers[0] = 10 * at.x[0];
  }
  template <class Point>
  KOKKOS_FUNCTION void operator()(Point& at) const {
    at.value[0] = at.data[0] * at.value[0];  // and grad u is as it is
  }
};

// (Calls the physics at a point, because applying operators would compile kernels of every size.)
template <class V>
void at_a_point(const Elasticity& elasticity, const PowerLaw& law, const ImplicitEuler& step,
                const Reaction& reaction) {
  kolam::QuadraturePoint<V, 2, 2, 0> plane{};
  elasticity(plane);
  kolam::QuadraturePoint<V, 2, 1, 1> scalar{};
  law(scalar);
  reaction(scalar);
  kolam::QuadraturePoint<V, 3, 1, 0> at{};
  step(at);
}
template void at_a_point<double>(const Elasticity&, const PowerLaw&, const ImplicitEuler&,
                                 const Reaction&);
using Host = Kokkos::DefaultHostExecutionSpace;
template void at_a_point<kolam::SimdValue<Host, double>>(const Elasticity&, const PowerLaw&,
                                                         const ImplicitEuler&, const Reaction&);

}  // namespace element_guide
