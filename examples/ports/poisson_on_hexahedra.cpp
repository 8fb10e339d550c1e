// SPDX-License-Identifier: Apache-2.0
// The benchmark problem of DOLFINx (benchmark-dolfinx): -div(2 grad u) = f on hexahedra whose
// vertices are moved at random, integrated at Gauss-Lobatto nodes; applications of the operator, or
// iterations of conjugate gradients, in 1e9 unknowns per second.
//   poisson_on_hexahedra --ndofs 1000000 --degree 3 --nreps 1000 --cg 1 --perturb 0.2
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <kolam/kolam.hpp>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace fem = kolam::fem;
using Exec = Kokkos::DefaultExecutionSpace;

struct Source {
  template <class Point>
  KOKKOS_FUNCTION double operator()(const Point& at) const {
    const double x = at.x[0] - 0.5, y = at.x[1] - 0.5;
    return 1000 * Kokkos::exp(-(x * x + y * y) / 0.02);
  }
};

// Unit cube of n^3 elements; vertices move along x by up to `perturb` of an element.
fem::Mesh<3> perturbed_cube(int n, double perturb) {
  auto mesh = fem::mesh_of(fem::BoxMesh<3>{{n, n, n}});
  std::mt19937 generator(42);
  std::uniform_real_distribution<double> distribution(-perturb / n, perturb / n);
  std::vector<double> shift(static_cast<std::size_t>(mesh.vertex_count()));
  for (double& s : shift) s = distribution(generator);
  for (std::size_t e = 0, node = 0; e < mesh.corners.size(); ++e)
    for (const kolam::index_t vertex : mesh.corners[e])  // of order 1: the nodes are the corners
      mesh.nodes[3 * node++] += shift[static_cast<std::size_t>(vertex)];
  return mesh;
}

void print_norm(const Exec& exec, const char* name, const kolam::Array<double>& vector) {
  const auto v = vector.read(exec);
  const double square = kolam::sum<double>(
      exec, "norm", vector.size(),
      KOKKOS_LAMBDA(kolam::index_t i, double& partial) { partial += v(i) * v(i); });
  std::printf("Norm of %s = %.12g\n", name, std::sqrt(square));
}

int main(int argc, char** argv) {
  const kolam::Runtime runtime(argc, argv);
  std::map<std::string, double> options{
      {"--ndofs", 1000}, {"--degree", 3}, {"--nreps", 1000}, {"--cg", 0}, {"--perturb", 0}};
  for (int i = 1; i < argc; i += 2) {
    if (!options.contains(argv[i]) || i + 1 == argc)
      return std::fprintf(stderr, "%s: no option, or without its value\n", argv[i]), 2;
    options[argv[i]] = std::atof(argv[i + 1]);
  }
  const int degree = static_cast<int>(options["--degree"]);
  const int nreps = static_cast<int>(options["--nreps"]);
  const int n =
      std::max(1, static_cast<int>(std::round((std::cbrt(options["--ndofs"]) - 1) / degree)));
  const Exec exec;

  const auto mesh = perturbed_cube(n, options["--perturb"]);
  const auto space =
      fem::space<double>(exec, mesh, degree, {.dirichlet = {1, 2, 3, 4, 5, 6}, .collocated = true});
  const fem::Operator a(space, fem::Diffusion{kolam::Constant{2.0}});
  auto b = space.vector("b"), y = space.vector("y");
  fem::add_source(space, Source{}, b);

  exec.fence();
  const Kokkos::Timer timer;
  if (options["--cg"] != 0) {
    const auto result =
        kolam::conjugate_gradient(a, kolam::linear::Identity{}, b, y,
                                  {.rtol = 0, .max_iterations = nreps, .patience = nreps});
    if (result.iterations != nreps) return std::puts("fewer iterations: all is solved"), 1;
  } else {
    for (int i = 0; i < nreps; ++i) a.apply(b, y);
  }
  exec.fence();
  const double seconds = timer.seconds();
  const double ndofs = std::pow(n * degree + 1.0, 3);
  std::printf("%.0f dofs, %s: %g s, %.4f Gdofs/s\n", ndofs, options["--cg"] != 0 ? "CG" : "Action",
              seconds, ndofs * nreps / seconds / 1e9);
  print_norm(exec, "u", b);
  print_norm(exec, "y", y);
}
