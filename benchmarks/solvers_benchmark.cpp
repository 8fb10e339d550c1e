// SPDX-License-Identifier: Apache-2.0
// Solvers of finite elements on a cube, in double precision:
//
//   cg/<problem>/p<order>/<backend>[/<geometry>]  an iteration of merged conjugate gradients
//   without
//                                                 a preconditioner, CEED's measure for BP1, BP3,
//                                                 BP5
//   pmg/p<order>/<backend>[/sine]                 -laplace(u) = f to 1e-8 of the first residual
//   with
//                                                 p-multigrid; sine: on curved elements
//
// --dofs=N unknowns, by default 14 million on devices, 390,000 on hosts; --orders=P,P,...: those of
// the build's element sizes if not given. Counters: dofs, gdofs (1e9 unknowns times iterations per
// second), iterations, setup (seconds: spaces, data, right-hand side, preconditioner).
#include <benchmark/benchmark.h>

#include <Kokkos_Core.hpp>
#include <cmath>
#include <kolam/core/backend.hpp>
#include <kolam/core/runtime.hpp>
#include <kolam/kernels/element_sizes.hpp>
#include <kolam/solvers/poisson.hpp>
#include <set>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "checksum.hpp"

namespace kolam::benchmarks {

template <class Exec>
void run(benchmark::State& state, PoissonOptions options, index_t dofs) {
  const auto n = std::max<index_t>(
      1, std::llround((std::cbrt(static_cast<double>(dofs)) - 1) / options.order));
  options.elements = {n, n, n};
  PoissonSolution solution;
  for ([[maybe_unused]] auto _ : state) {
    solution = solve_poisson<double>(Exec{}, options);
    const auto iterations = static_cast<double>(solution.result.iterations);
    state.SetIterationTime(options.solve.rtol == 0 ? solution.seconds / iterations
                                                   : solution.seconds);
  }
  if (options.solve.rtol > 0 && solution.result.status != SolveStatus::converged)
    state.SkipWithError(std::string(reason(solution.result.status)).c_str());
  state.counters["dofs"] = static_cast<double>(solution.dofs);
  state.counters["gdofs"] = solution.gdofs_per_second();
  state.counters["iterations"] = static_cast<double>(solution.result.iterations);
  state.counters["setup"] = solution.setup_seconds;
}

template <class Exec>
void add(const std::string& label, const PoissonOptions& options, index_t dofs) {
  benchmark::RegisterBenchmark(label.c_str(),
                               [=](benchmark::State& state) { run<Exec>(state, options, dofs); })
      ->UseManualTime()
      ->Iterations(1)
      ->Unit(benchmark::kMillisecond);
}

template <class Exec>
void add_order(int order, index_t dofs) {
  std::string size("p");
  size.append(std::to_string(order)).append("/").append(name(backend_of<Exec>));
  PoissonOptions options;
  options.order = order;
  options.source = PoissonSource::expxyz;
  options.preconditioner = PoissonPreconditioner::none;
  options.solve.rtol = 0;
  options.solve.max_iter = 50;
  for (const auto problem : {PoissonProblem::bp1, PoissonProblem::bp3, PoissonProblem::bp5}) {
    options.problem = problem;
    for (const auto geometry :
         {PoissonGeometry::stored, PoissonGeometry::affine, PoissonGeometry::trilinear}) {
      options.geometry = geometry;
      std::string label("cg/");
      label.append(name(problem)).append("/").append(size);
      if (geometry != PoissonGeometry::stored) label.append("/").append(name(geometry));
      add<Exec>(label, options, dofs);
    }
  }
  PoissonOptions multigrid;
  multigrid.order = order;
  multigrid.source = PoissonSource::expxyz;
  for (const auto map : {PoissonMap::none, PoissonMap::sine}) {
    multigrid.map = map;
    std::string label("pmg/");
    label.append(size).append(map == PoissonMap::none ? "" : "/sine");
    add<Exec>(label, multigrid, dofs);
  }
}

std::set<int> listed_orders() {
  std::set<int> orders;
  for (const std::string& size : element_sizes()) orders.insert(std::stoi(size) - 1);
  return orders;
}

template <class... Execs>
void add_all(const std::vector<double>& orders, const std::vector<double>& dofs,
             detail::ExecutionSpaceList<Execs...>) {
  std::set<int> chosen(orders.begin(), orders.end());
  if (chosen.empty()) chosen = listed_orders();
  const auto of = [&]<class Exec>(const Exec&) {
    for (const int order : chosen) {
      add_order<Exec>(order, !dofs.empty()             ? static_cast<index_t>(dofs.front())
                             : has_block_threads<Exec> ? 14'000'000
                                                       : 390'000);
    }
  };
  (of(Execs{}), ...);
}

}  // namespace kolam::benchmarks

int main(int argc, char** argv) {
  using namespace kolam::benchmarks;
  const kolam::Runtime runtime(argc, argv);
  const std::vector<double> orders = numbers_of("--orders=", 40, argc, argv);
  const std::vector<double> dofs = numbers_of("--dofs=", 2e9, argc, argv);
  add_context();
  add_all(orders, dofs, kolam::detail::ExecutionSpaces{});
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
