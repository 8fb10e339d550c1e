// SPDX-License-Identifier: Apache-2.0
// The code of docs/guides/many-devices.md that is in no example, and the code of processes.hpp.
#include <iostream>
#include <kolam/kolam.hpp>
#include <utility>
#include <vector>

namespace device_guide {

using Exec = Kokkos::DefaultExecutionSpace;
using Halo = kolam::grid::HaloExchange<2, Exec>;

struct Average {
  static constexpr int dimensions = 2;
  template <class U>
  KOKKOS_FUNCTION double operator()(const U& u) const {
    return 0.25 * ((u.left() + u.below()) + (u.right() + u.above()));
  }
};

kolam::grid::StencilResult stencil(const kolam::Communicator& all,
                                   const kolam::Extents<2>& points) {
  const int parts = all.sum(kolam::comm::devices_here<Exec>(all));
  const kolam::comm::Decomposition<2> grid(
      points, kolam::comm::parse_decomposition<2>("auto", points, parts));
  const kolam::comm::Partition::Share mine =
      kolam::comm::Partition(parts, all.size()).share(all.rank());
  kolam::grid::StencilSolver solver(kolam::make_instances<Exec>(mine.count, all.host_size()),
                                    Average{}, grid, {.communicator = all});
  if (all.rank() == 0) std::cout << solver.transport() << '\n';
  return solver.run({.niter = 1000, .nccheck = 100});
}

// Rows [begin, end) of a subdomain, counted with its ghosts.
void sweep(const Exec& exec, const Halo::Field<double>& u, const Halo::Field<double>& v,
           kolam::index_t begin, kolam::index_t end) {
  const auto nx = static_cast<kolam::index_t>(u.extent(0)) - 2;
  kolam::forall(
      exec, "sweep", nx * (end - begin), KOKKOS_LAMBDA(kolam::index_t n) {
        const kolam::index_t i = 1 + n % nx;
        const kolam::index_t j = begin + n / nx;
        v(i, j) = 0.25 * ((u(i - 1, j) + u(i, j - 1)) + (u(i + 1, j) + u(i, j + 1)));
      });
}

void follow(const Exec& later, const Exec& earlier) {
  static_cast<void>(
      kolam::AnyInstance(later).wait_for(kolam::AnyInstance(earlier), "interior and boundary"));
}

void own_loop(const kolam::Communicator& all, kolam::index_t nx, kolam::index_t ny, int parts,
              int steps) {
  const kolam::comm::Decomposition<2> grid({nx, ny}, {1, parts}, {false, true});
  const kolam::comm::Partition::Share mine =
      kolam::comm::Partition(parts, all.size()).share(all.rank());
  const auto exec = kolam::make_instances<Exec>(mine.count, all.host_size());
  Halo halo(exec, grid, 1, kolam::grid::Ghosts::faces, all);
  std::vector<Exec> beside;
  Halo::Fields<double> u, v;
  for (std::size_t s = 0; s < exec.size(); ++s) {
    const auto extents =
        kolam::comm::LocalGrid<2>(grid, mine.first + static_cast<int>(s), 1).extents();
    u.emplace_back(Kokkos::view_alloc(exec[s], "u"), extents[0], extents[1]);
    v.emplace_back(Kokkos::view_alloc(exec[s], "v"), extents[0], extents[1]);
    beside.push_back(kolam::instance_beside(exec[s]));
  }

  for (int step = 0; step < steps; ++step) {
    for (std::size_t s = 0; s < exec.size(); ++s) {
      follow(beside[s], exec[s]);
      sweep(beside[s], u[s], v[s], 2, u[s].extent(1) - 2);
    }
    halo.start<double>(u);
    halo.finish();
    for (std::size_t s = 0; s < exec.size(); ++s) {
      const kolam::index_t last = u[s].extent(1) - 2;
      sweep(exec[s], u[s], v[s], 1, 2);
      sweep(exec[s], u[s], v[s], last, last + 1);
      follow(exec[s], beside[s]);
    }
    std::swap(u, v);
  }
  for (const Exec& each : exec) each.fence("own_loop");
}

kolam::linear::SolveResult elements(const kolam::Communicator& all) {
  kolam::fem::BoxMesh<3> mesh{{16, 16, 16}};
  mesh.parts = kolam::comm::parse_decomposition<3>("auto", mesh.elements, all.size());
  mesh.part = all.rank();
  const auto exec = kolam::make_instances<Exec>(1, all.host_size());
  const auto space = kolam::fem::box_space<double>(exec[0], mesh, kolam::gauss_element(2, 4),
                                                   kolam::fem::Unmapped{}, kolam::fem::all_sides(3),
                                                   kolam::Scatter::fastest, all);
  const kolam::fem::Operator a(space, kolam::fem::Diffusion{});
  auto b = space.vector("b");
  auto x = space.vector("x");
  kolam::fem::add_source(space, kolam::Constant{1.0}, b);
  return kolam::conjugate_gradient(a, kolam::linear::Identity{}, b, x);
}

auto on_a_mesh(const Exec& exec, const kolam::Communicator& all) {
  const auto whole = kolam::read_mesh<3>("engine.msh");
  const auto mesh = kolam::fem::refined(kolam::fem::part_of(whole, all));
  const auto space =
      kolam::fem::space<double>(exec, mesh, 3, {.dirichlet = {"wall"}, .communicator = all});
  const auto u = space.vector("u");
  kolam::write_vtkhdf_mesh("u.vtkhdf", mesh, 3, {{"u", u}}, all);
  return space;
}

auto on_a_mesh_in_parts(const kolam::Communicator& all) {
  const auto part = std::get<kolam::fem::Mesh<3>>(kolam::read_mesh_part("engine", all));
  return kolam::fem::refined(part);
}

void in_one_process(const kolam::fem::PoissonOptions& options) {
  kolam::comm::on_devices<Exec>(kolam::devices<Exec>(), [&](const Exec& exec, const auto& all) {
    kolam::fem::PoissonOptions mine = options;
    mine.communicator = all;
    const auto solution = kolam::fem::solve_poisson<double>(exec, mine);
    if (all.rank() == 0) std::cout << solution.result.iterations << " iterations\n";
  });
}

void together(const kolam::Communicator& all, double mine, bool (*read_input)()) {
  const double sum = all.sum(mine);
  const double largest = all.max(mine);
  kolam::comm::throw_together(all, [&] {
    if (all.rank() == 0 && !read_input()) throw kolam::FileError("input.txt: no such file");
  });
  if (all.rank() == 0) std::cout << sum << ' ' << largest << '\n';
}

}  // namespace device_guide

int solve(const kolam::Communicator& all);

int main(int argc, char** argv) {
  const kolam::Processes processes(argc, argv);
  const kolam::Runtime runtime(argc, argv);
  return kolam::comm::abort_on_exception(processes.all(), [&] { return solve(processes.all()); });
}
