// SPDX-License-Identifier: Apache-2.0
#include "grid_command.hpp"

#include <fmt/format.h>

#include <concepts>
#include <cstdint>
#include <kolam/core/bandwidth.hpp>
#include <kolam/core/device.hpp>
#include <kolam/core/error.hpp>
#include <kolam/core/instances.hpp>
#include <kolam/grid/jacobi.hpp>
#include <kolam/io/file.hpp>
#include <kolam/io/image.hpp>
#include <kolam/io/run_report.hpp>
#include <kolam/io/vtkhdf.hpp>
#include <kolam/memory/trace.hpp>
#include <optional>
#include <string>
#include <vector>

#include "failure.hpp"
#include "first_error.hpp"
#include "progress.hpp"
#include "standard_streams.hpp"
#include "summary.hpp"

namespace kolam::app {
namespace {

template <class Exec>
constexpr bool on_host =
    Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename Exec::memory_space>::accessible;

template <class T>
std::uint64_t bytes_of(const GridRequest& request) {
  switch (request.problem) {
    case Problem::jacobi:
      return grid::jacobi_bytes(grid::JacobiOptions{request.options}, sizeof(T));
    case Problem::diffusion:
      return grid::diffusion_bytes(request.options, sizeof(T));
    case Problem::heat:
      break;
  }
  return grid::heat_bytes(request.options);
}

// Checks memory before any work. The solver checks again, but cannot name options.
template <class T, class Exec>
void check_memory(const GridRequest& request) {
  std::uint64_t needed = 0;
  try {
    needed = bytes_of<T>(request);
  } catch (const InvalidArgument&) {
    constexpr std::uint64_t limit = std::uint64_t{1} << 63;
    require_memory(request.backend, request.grid + " is beyond 64-bit sizes and, at the least,",
                   limit);
  }
  const Communicator& all = request.options.communicator;
  const bool one = request.problem == Problem::heat;  // one device in each process
  const auto here = static_cast<std::uint64_t>(one ? 1 : comm::devices_here<Exec>(all));
  require_memory(request.backend, request.grid,
                 needed / (here * static_cast<std::uint64_t>(all.size())));
  if (!request.image.empty() && all.rank() == 0 && !on_host<Exec>) {
    require_memory(backend_of<Kokkos::DefaultHostExecutionSpace>, request.grid + " for --image",
                   needed / 2);
  }
}

template <class T, class Exec>
grid::GridSolution<T> solve_heat(const Exec& exec, const grid::HeatOptions& options,
                                 const grid::FieldRunner<T>& runner,
                                 std::optional<HeatReport>& report) {
  if constexpr (std::same_as<T, double>) {
    grid::HeatSolution solution = grid::solve_heat(exec, options, runner);
    report = HeatReport{options.dt,
                        solution.time.value_or(0),
                        std::string(name(options.scheme)),
                        std::string(name(options.solver)),
                        solution.solver_iterations,
                        solution.set_up_seconds,
                        solution.solve_status,
                        solution.volume,
                        solution.mass,
                        solution.energy,
                        solution.temperature};
    return solution;
  } else {
    throw Error("kolam heat solves in double precision");
  }
}

// Solves, with checkpoints if requested. A failed checkpoint does not stop the run.
template <class T, class Exec>
grid::GridSolution<T> solve(const Exec& exec, const GridRequest& request, FirstError& first_error,
                            std::optional<HeatReport>& heat) {
  grid::HeatOptions options = request.options;
  const bool speaks = options.communicator.rank() == 0;
  Progress progress(speaks && shows_progress(request.progress), command_of(request.problem),
                    options.niter);
  options.progress = [&](const grid::NormRecord& latest) { progress.show(latest); };

  CheckpointPlan plan = request.plan;
  std::optional<StopRequest> stop;
  if (!plan.file.empty()) plan.stop = &stop.emplace();
  plan.on_error = [&](const FileError& error) {
    first_error.note(std::make_exception_ptr(error));
    if (speaks) complain(std::string(error.what()) + "; the run goes on");
  };
  grid::FieldRunner<T> runner;  // empty: the solver's default
  if (!plan.file.empty() || !plan.restart.empty()) {
    runner = [&](grid::SteppedField<T>& field, const grid::StencilRun& run) {
      return run_with_checkpoints(field, run, plan);
    };
  }
  switch (request.problem) {
    case Problem::jacobi:
      return grid::solve_jacobi<T>(exec, grid::JacobiOptions{options}, runner);
    case Problem::diffusion:
      return grid::solve_diffusion<T>(exec, options, runner);
    case Problem::heat:
      break;
  }
  return solve_heat<T>(exec, options, runner, heat);
}

template <class T>
void write_output(const GridRequest& request, const grid::GridSolution<T>& result) {
  const grid::HostField<T> field = result.on_host();
  const VtkGrid<3> grid{field.extents, result.origin, result.spacing, result.time,
                        result.iterations};
  const char* const name = request.problem == Problem::diffusion ? "temperature" : "u";
  write_vtkhdf<T, 3>(request.output, grid, {{name, field.blocks}}, result.communicator);
}

// Returns nothing if memory is short: a result without T_peak is better than none.
template <class Exec>
std::optional<double> measure_peak(const Exec& exec) {
  try {
    return measure_bandwidth(exec).peak_gbs();
  } catch (const OutOfMemory&) {
    return std::nullopt;
  }
}

template <class T, class Exec>
int run(const Exec& exec, const GridRequest& request) {
  check_memory<T, Exec>(request);
  const grid::HeatOptions& options = request.options;
  const bool prints = options.communicator.rank() == 0;
  FirstError attempt;
  std::optional<HeatReport> heat;
  const grid::GridSolution<T> result = solve<T>(exec, request, attempt, heat);
  RunReport report = make_report(fmt::format("kolam {}", command_of(request.problem)), options,
                                 options.nz, result, device_of(request.backend));
  report.heat = heat;
  // All processes write the output together, and gather the field for the image.
  const bool has_output =
      !request.output.empty() && attempt([&] { write_output(request, result); });
  const std::vector<T> field = request.image.empty() ? std::vector<T>{} : result.field();
  const int code = succeeded(report.status) ? done : not_converged;
  if (!prints) return code;

  const bool has_image = !request.image.empty() && attempt([&] {
    // In 3D, the plane in the middle.
    const std::int64_t plane = options.nx * options.ny * (options.nz / 2);
    write_image(request.image, field.data() + plane, options.nx, options.ny, options.nx);
  });
  const bool prints_summary = !request.quiet && !request.csv && request.json != "-";
  if (prints_summary || request.csv || !request.json.empty()) {
    report.t_peak_gbs = request.t_peak_gbs ? request.t_peak_gbs : measure_peak(exec);
  }
  if (!request.json.empty() && request.json != "-") {
    attempt([&] { write_file(request.json, run_json(report)); });
  }
  attempt([&] {
    if (request.json == "-") print(run_json(report));
    if (request.csv) print(csv_line(options, report));
    if (prints_summary) {
      print(summary(options, report,
                    {has_image ? request.image : "", has_output ? request.output : "",
                     request.plan.file.string(), request.deck}));
    }
  });
  if (!succeeded(report.status)) complain(failure_text(options, report));
  attempt.rethrow();
  return code;
}

}  // namespace

int execute(const GridRequest& request, const Communicator&) {
  if (request.trace) trace_at_exit();
  return with_backend(request.backend, [&](const auto& exec) {
    return request.precision == Precision::single_precision ? run<float>(exec, request)
                                                            : run<double>(exec, request);
  });
}

}  // namespace kolam::app
