// SPDX-License-Identifier: Apache-2.0
// The solver and the solution of a grid problem, from its options.
#pragma once

#include <algorithm>
#include <cmath>
#include <kolam/comm/partition.hpp>
#include <kolam/core/bandwidth.hpp>
#include <kolam/core/device.hpp>
#include <kolam/core/error.hpp>
#include <kolam/core/instances.hpp>
#include <kolam/grid/grid_run.hpp>
#include <kolam/grid/stencil_solver.hpp>
#include <kolam/memory/pool.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kolam::grid::detail {

// Returns the decomposition of the interior: as given by the options, by default one part per
// device, or fewer if there are too few points.
template <int N>
comm::Decomposition<N> decompose(const GridOptions& options, const Extents<N>& interior,
                                 const typename comm::Decomposition<N>::Flags& periodic,
                                 int devices) {
  const bool by_numbers = options.decomposition.find('x') != std::string::npos;
  const int processes = options.communicator.size();
  if (options.subdomains > 0 || by_numbers) {
    const std::optional<int> count =
        options.subdomains > 0 ? std::optional(options.subdomains * processes) : std::nullopt;
    return {interior, comm::parse_decomposition<N>(options.decomposition, interior, count),
            periodic};
  }
  for (int count = devices * processes; count > 1; --count) {
    try {
      return {interior, comm::parse_decomposition<N>(options.decomposition, interior, count),
              periodic};
    } catch (const InvalidArgument&) {  // fewer points than parts
      continue;
    }
  }
  return {interior, comm::parse_decomposition<N>(options.decomposition, interior, 1), periodic};
}

// Returns the instances of this process' subdomains; a single subdomain runs on `exec` itself.
template <class Exec>
std::vector<Exec> instances_for(const Exec& exec, const Communicator& communicator,
                                int subdomains) {
  const int count =
      comm::Partition(subdomains, communicator.size()).share(communicator.rank()).count;
  if constexpr (std::same_as<Exec, HostTeams> || !has_block_threads<Exec>) {
    return std::vector<Exec>(static_cast<std::size_t>(count), exec);
  } else {
    return subdomains == 1 ? std::vector<Exec>(static_cast<std::size_t>(count), exec)
                           : make_instances<Exec>(count, communicator.host_size());
  }
}

// Throws OutOfMemory, before any allocation, unless `bytes` of all subdomains fit into the memory
// of the devices that have them.
template <class Exec>
void require_memory_for(const Communicator& communicator, const std::string& what,
                        std::uint64_t bytes, int subdomains) {
  const auto shares = static_cast<std::uint64_t>(
      std::min(subdomains, comm::devices_here<Exec>(communicator) * communicator.size()));
  try {
    require_memory(backend_of<Exec>, what, bytes / shares);
  } catch (const OutOfMemory&) {
    trim_pools();  // they may keep the fields of an earlier solve
    require_memory(backend_of<Exec>, what, bytes / shares);
  }
}

template <class Exec, class T, class S>
auto make_solver(const Exec& exec, const S& stencil, const GridOptions& options,
                 const comm::Decomposition<S::dimensions>& decomposition) {
  return std::make_shared<StencilSolver<S, T, Exec>>(
      instances_for(exec, options.communicator, decomposition.subdomains()), stencil, decomposition,
      options);
}

// Runs a solver. `bytes_per_step`: the bytes that a step must move; `boundary`: see
// StencilSolver::with_boundary.
template <class T, class Solver, class F>
GridSolution<T> run_grid(const std::shared_ptr<Solver>& solver, const GridOptions& options,
                         const FieldRunner<T>& runner, double bytes_per_step, const F& boundary) {
  GridSolution<T> solution{runner ? runner(*solver, options) : solver->run(options)};
  if (solution.seconds > 0) {
    solution.t_eff_gbs = bytes_per_step *
                         static_cast<double>(solution.iterations - solution.first_step) /
                         solution.seconds * 1e-9;
  }
  const FieldNorms norms = solver->norms();
  solution.final_l2 = std::sqrt(norms.sum);
  solution.final_max = norms.max;
  for (const int part : solver->decomposition().parts()) {
    solution.decomposition.append(solution.decomposition.empty() ? "" : "x");
    solution.decomposition.append(std::to_string(part));
  }
  solution.transport = solver->transport();
  solution.steps_per_pass = solver->steps_per_pass();
  solution.communicator = options.communicator;
  solution.on_host = [solver, boundary] { return solver->with_boundary(boundary); };
  return solution;
}

}  // namespace kolam::grid::detail
