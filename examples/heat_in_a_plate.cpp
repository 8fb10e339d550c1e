// SPDX-License-Identifier: Apache-2.0
// Heat conduction in a plate with a round insert of another material, alone or under mpiexec -np 4,
// on a curved mesh from Gmsh (plate.msh): temperature 1 on the left, 0 on the right, and a heat
// loss through the other edges. Conjugate gradients with multigrid; the output is for ParaView.
#include <iostream>
#include <kolam/kolam.hpp>

constexpr int dim = 2;
constexpr int order = 4;
namespace fem = kolam::fem;
using Exec = Kokkos::DefaultExecutionSpace;

// Dirichlet values: the temperature at the ends.
struct Ends {
  KOKKOS_FUNCTION double operator()(const double (&x)[dim]) const { return 1 - x[0] / 2; }
};

int solve(const kolam::Communicator& all, const char* file) {
  const auto whole = kolam::read_mesh<dim>(file);
  const auto mesh = fem::refined(fem::part_of(whole, all));  // this process' part
  const Exec exec = kolam::make_instances<Exec>(1, all.host_size())[0];
  const auto space =
      fem::space<double>(exec, mesh, order, {.dirichlet = {"left", "right"}, .communicator = all});
  const fem::Operator a(space, fem::Diffusion{fem::per_attribute<double>(
                                   exec, mesh, {{"plate", 1.0}, {"insert", 50.0}})});
  auto b = space.vector("b"), x = space.vector("x");
  fem::add_flux(space, fem::sides_of(mesh, {"edges"}), kolam::Constant{-0.05}, b);
  auto u = fem::dirichlet_values(space, Ends{});  // at the ends, 0 elsewhere
  a.apply_lift(u, b);
  const auto result = kolam::conjugate_gradient(a, fem::multigrid(a), b, x, {.rtol = 1e-10});
  fem::set_dofs(space, x, u);

  const auto unknowns = all.sum(space.rows().owned);
  const double mean = fem::integral(space, u) / 2;
  if (kolam::hdf5_version())  // one file, which all processes write
    kolam::write_vtkhdf_mesh("plate.vtkhdf", mesh, order, {{"temperature", u}}, all);
  if (all.rank() > 0) return 0;
  std::cout << unknowns << " unknowns: " << name(result.status) << " after " << result.iterations
            << " iterations, mean temperature " << mean << '\n';
  return 0;
}

int main(int argc, char** argv) {
  const kolam::Processes processes(argc, argv);
  const kolam::Runtime runtime(argc, argv);
  return kolam::comm::abort_on_exception(
      processes.all(), [&] { return solve(processes.all(), argc > 1 ? argv[1] : "plate.msh"); });
}
