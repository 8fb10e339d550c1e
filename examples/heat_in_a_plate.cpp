// SPDX-License-Identifier: Apache-2.0
// Heat conduction in a plate with a round insert of another material, on a curved mesh that Gmsh
// made (plate.msh): 1 on the left, 0 on the right, and a loss through the other edges.
// Conjugate gradients with multigrid; the result is for ParaView.
#include <iostream>
#include <kolam/kolam.hpp>

constexpr int dim = 2;
constexpr int order = 4;
namespace fem = kolam::fem;

// What is known: the temperature at the ends.
struct Ends {
  KOKKOS_FUNCTION double operator()(const double (&x)[dim]) const { return 1 - x[0] / 2; }
};

int main(int argc, char** argv) {
  const kolam::Runtime runtime(argc, argv);
  const Kokkos::DefaultExecutionSpace exec;
  const auto mesh = fem::refined(kolam::read_mesh<dim>(argc > 1 ? argv[1] : "plate.msh"));
  const auto space = fem::space<double>(exec, mesh, order, {.dirichlet = {"left", "right"}});
  const fem::Operator a(space, fem::Diffusion{fem::per_attribute<double>(
                                   exec, mesh, {{"plate", 1.0}, {"insert", 50.0}})});
  auto b = space.vector("b"), x = space.vector("x");
  fem::add_flux(space, fem::sides_of(mesh, {"edges"}), kolam::Constant{-0.05}, b);
  auto u = fem::dirichlet_values(space, Ends{});  // at the ends, 0 elsewhere
  a.apply_lift(u, b);
  const auto result = kolam::conjugate_gradient(a, fem::multigrid(a), b, x, {.rtol = 1e-10});
  fem::set_dofs(space, x, u);

  std::cout << a.rows() << " unknowns: " << name(result.status) << " after " << result.iterations
            << " iterations, mean temperature " << fem::integral(space, u) / 2 << '\n';
  if (kolam::hdf5_version())
    kolam::write_vtkhdf_mesh("plate.vtkhdf", mesh, order, {{"temperature", u}});
}
