// SPDX-License-Identifier: Apache-2.0
// Solvers of finite elements on a cube.
//
//   cg/<bp>-<geometry>-p<order>/<precision>/<unknowns, about>/<backend>
//       an iteration of merged conjugate gradients without a preconditioner, CEED's measure;
//       gdofs: 1e9 unknowns x iterations / s
//   pmg/<poisson|sine>-p<order>/double/<unknowns, about>/<backend>
//       -laplace(u) = f to 1e-8 of the first residual with p-multigrid; sine: on curved elements.
//       Counters: iterations, setup (s)
//
// With --scaling: cg/strong-bp5-p<order>-x<N> and weak-... for N devices or threads (weak: unknowns
// per device or thread). bytes of an iteration: 96 per unknown in double for vectors, and the
// operator's reads. Solutions must agree between geometries and backends.
#include <cmath>
#include <kolam/comm/device_threads.hpp>
#include <kolam/fem/poisson.hpp>
#include <memory>

#include "element_work.hpp"

namespace kolam::benchmarks {

constexpr int iterations = 50;

template <class T, class Exec>
fem::PoissonSolution solve(const fem::PoissonOptions& options, int devices) {
  if (devices == 1) return fem::solve_poisson<T>(Exec{}, options);
  fem::PoissonSolution solution;
  comm::on_devices<Exec>(devices, [&](const Exec& exec, const Communicator& all) {
    fem::PoissonOptions of_rank = options;
    of_rank.communicator = all;
    fem::PoissonSolution mine = fem::solve_poisson<T>(exec, of_rank);
    mine.values = nullptr;  // invalid after its device's thread ends
    mine.coordinates = nullptr;
    if (all.rank() == 0) solution = mine;
  });
  return solution;
}

struct Case {
  ElementWork work;
  std::string variant;
  index_t dofs;
  int devices = 1;
  int along_z = 1;  // factor of the elements of work along z

  fem::PoissonOptions options() const {
    fem::PoissonOptions o;
    o.problem = work.problem;
    o.geometry = work.geometry;
    o.order = work.order;
    o.elements = {work.n, work.n, work.n * along_z};
    o.source = fem::PoissonSource::expxyz;
    return o;
  }
};

template <class T, class Exec>
void add_conjugate_gradient(const Case& c) {
  add({"cg", c.variant, precision<T>, c.dofs, backend_of<Exec>}, [=] {
    fem::PoissonOptions o = c.options();
    o.preconditioner = fem::Preconditioner::none;
    o.solve.rtol = 0;
    o.solve.max_iterations = options().by_scale(5, iterations, iterations);
    const fem::PoissonSolution first = solve<T, Exec>(o, c.devices);
    // (Rounding errors grow with each step.)
    const ElementWork& w = c.work;
    check(std::string(name(w.problem)) + precision<T> + std::to_string(w.order) + " " +
              std::to_string(w.n) + " " + std::to_string(c.along_z),
          first.rhs_dot_solution, std::is_same_v<T, float> ? 1e-2 : 1e-5);
    return [=](benchmark::State& state) {
      fem::PoissonSolution solution = first;
      while (state.KeepRunningBatch(o.solve.max_iterations)) {
        solution = solve<T, Exec>(o, c.devices);
        state.SetIterationTime(solution.seconds);
      }
      const auto dofs = static_cast<double>(solution.dofs);
      const double parts = c.along_z;
      const Work work{
          12 * sizeof(T) * dofs + parts * (4 * w.nodes_of_elements() + w.bytes_of_data()),
          parts * w.flop() + 20 * dofs, dofs};
      count(state, work, peak_gbs<Exec>());
      state.counters["order"] = w.order;
      state.counters["setup"] = solution.setup_seconds;
      state.counters["workers"] =
          has_block_threads<Exec> ? std::min(c.devices, devices<Exec>()) : Exec{}.concurrency();
    };
  });
}

template <class Exec>
void add_multigrid(const Case& c, fem::PoissonMap map) {
  add({"pmg", c.variant, "double", c.dofs, backend_of<Exec>}, [=] {
    fem::PoissonOptions o = c.options();
    o.problem = fem::PoissonProblem::poisson;
    o.map = map;
    const auto first = std::make_shared<fem::PoissonSolution>(solve<double, Exec>(o, c.devices));
    if (first->result.status != linear::SolveStatus::converged)
      throw std::runtime_error("multigrid: " + std::string(reason(first->result.status)));
    check("pmg" + c.variant, first->integral, 1e-6);
    return [=](benchmark::State& state) {
      while (state.KeepRunning()) {
        *first = solve<double, Exec>(o, c.devices);
        state.SetIterationTime(first->seconds);
      }
      count(state, {0, 0, static_cast<double>(first->dofs)}, 0);
      state.counters["order"] = c.work.order;
      state.counters["iterations"] = static_cast<double>(first->result.iterations);
      state.counters["setup"] = first->setup_seconds;
    };
  });
}

template <class Exec>
Case case_of(fem::PoissonProblem problem, fem::Geometry geometry, int order, index_t dofs,
             std::size_t value) {
  const ElementWork work{problem, geometry, order, elements_across(dofs, 1, order), value};
  return {work, work.text(), dofs};
}

template <class Exec>
void add_scaling(int order, index_t dofs) {
  std::vector<int> workers{Exec{}.concurrency()};
  if (has_block_threads<Exec>) {
    workers.clear();
    for (int w = 1; w <= devices<Exec>(); w *= 2) workers.push_back(w);
  }
  for (const int w : workers) {
    const std::string name = "bp5-p" + std::to_string(order) + "-x" + std::to_string(w);
    Case c = case_of<Exec>(fem::PoissonProblem::bp5, fem::Geometry::stored, order, dofs, 8);
    c.devices = has_block_threads<Exec> ? w : 1;
    c.variant = "strong-" + name;
    add_conjugate_gradient<double, Exec>(c);
    c.variant = "weak-" + name;
    c.along_z = w;
    add_conjugate_gradient<double, Exec>(c);
  }
}

template <class Exec>
void add_backend() {
  const bool quick = options().scale == Scale::quick;
  const std::vector<index_t> sizes = unknowns_to_measure<Exec>();
  const index_t dofs = sizes[has_block_threads<Exec> ? sizes.size() - 1 : sizes.size() / 2];
  const std::set<int> orders = orders_of_build({4});
  if (options().scaling)
    return add_scaling<Exec>(*orders.rbegin() < 4 ? *orders.rbegin() : 4, dofs);
  for (const int order : orders) {
    for (const auto problem :
         {fem::PoissonProblem::bp1, fem::PoissonProblem::bp3, fem::PoissonProblem::bp5}) {
      for (const auto geometry :
           {fem::Geometry::stored, fem::Geometry::affine, fem::Geometry::trilinear}) {
        if (!case_of<Exec>(problem, geometry, order, dofs, 8).work.compiled()) continue;
        add_conjugate_gradient<double, Exec>(case_of<Exec>(problem, geometry, order, dofs, 8));
        if (!quick && geometry == fem::Geometry::stored)
          add_conjugate_gradient<float, Exec>(case_of<Exec>(problem, geometry, order, dofs, 4));
      }
    }
    for (const auto map : {fem::PoissonMap::none, fem::PoissonMap::sine}) {
      Case c = case_of<Exec>(fem::PoissonProblem::poisson, fem::Geometry::stored, order, dofs, 8);
      if (!c.work.compiled()) continue;
      c.work.n = std::max<index_t>(4, (c.work.n + 4) / 8 * 8);  // coarsening halves it
      c.variant = (map == fem::PoissonMap::none ? "poisson-p" : "sine-p") + std::to_string(order);
      add_multigrid<Exec>(c, map);
    }
  }
}

void add_all() {
  for_each_backend([]<class Exec>(const Exec&) { add_backend<Exec>(); });
}

}  // namespace kolam::benchmarks

int main(int argc, char** argv) {
  return kolam::benchmarks::run_suite(argc, argv, kolam::benchmarks::add_all);
}
