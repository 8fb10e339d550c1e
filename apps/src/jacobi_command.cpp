// SPDX-License-Identifier: Apache-2.0
#include "jacobi_command.hpp"

#include <cstdint>
#include <exception>
#include <kolam/core/bandwidth.hpp>
#include <kolam/core/device.hpp>
#include <kolam/core/error.hpp>
#include <kolam/io/file.hpp>
#include <kolam/io/image.hpp>
#include <kolam/io/jacobi_report.hpp>
#include <kolam/memory/array.hpp>
#include <kolam/memory/trace.hpp>
#include <optional>

#include "failure.hpp"
#include "progress.hpp"
#include "standard_streams.hpp"
#include "summary.hpp"

namespace kolam::app {
namespace {

template <class Exec>
constexpr bool on_host =
    Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename Exec::memory_space>::accessible;

// Before any work; the solver checks again, but cannot name options.
template <class T, class Exec>
void check_memory(const JacobiRequest& request) {
  std::uint64_t needed = 0;
  try {
    needed = jacobi_bytes(request.options, sizeof(T));
  } catch (const InvalidArgument&) {
    constexpr std::uint64_t limit = std::uint64_t{1} << 63;
    require_memory(request.backend, request.grid + " is beyond 64-bit sizes and, at the least,",
                   limit);
  }
  require_memory(request.backend, request.grid, needed);
  if (!request.image.empty() && !on_host<Exec>) {
    const auto points = static_cast<std::uint64_t>(request.options.nx) *
                        static_cast<std::uint64_t>(request.options.ny);
    require_memory(backend_of<Kokkos::DefaultHostExecutionSpace>, request.grid + " for --image",
                   points * sizeof(T));
  }
}

// A result without T_peak is better than none.
template <class Exec>
std::optional<double> measure_peak(const Exec& exec) {
  try {
    return measure_bandwidth(exec).peak_gbs();
  } catch (const OutOfMemory&) {
    return std::nullopt;
  }
}

template <class T, class Exec>
int run(const Exec& exec, const JacobiRequest& request) {
  check_memory<T, Exec>(request);
  JacobiOptions options = request.options;
  const auto result = [&] {
    Progress progress(shows_progress(request.progress), options.niter);
    options.progress = [&progress](const NormRecord& latest) { progress.show(latest); };
    return solve_jacobi<T>(exec, options);
  }();
  JacobiReport report = make_report(options, result, device_of(request.backend));

  std::exception_ptr failure;
  const auto attempt = [&failure](auto&& write) {
    try {
      write();
      return true;
    } catch (...) {
      if (!failure) failure = std::current_exception();
      return false;
    }
  };
  const bool has_image = !request.image.empty() && attempt([&] {
    write_image(request.image, result.field.read(host).data(), options.nx, options.ny,
                result.pitch);
  });
  const bool prints_summary = !request.quiet && !request.csv && request.json != "-";
  if (prints_summary || request.csv || !request.json.empty()) {
    report.t_peak_gbs = request.t_peak_gbs ? request.t_peak_gbs : measure_peak(exec);
  }
  if (!request.json.empty() && request.json != "-") {
    attempt([&] { write_file(request.json, jacobi_json(report)); });
  }
  attempt([&] {
    if (request.json == "-") print(jacobi_json(report));
    if (request.csv) print(csv_line(options, report));
    if (prints_summary) print(summary(options, report, has_image ? request.image : ""));
  });
  if (!succeeded(report.status)) complain(failure_text(options, report));
  if (failure) std::rethrow_exception(failure);
  return succeeded(report.status) ? done : not_converged;
}

}  // namespace

int run_jacobi(const JacobiRequest& request) {
  if (request.trace) trace_at_exit();
  return with_backend(request.backend, [&](const auto& exec) {
    return request.precision == Precision::single ? run<float>(exec, request)
                                                  : run<double>(exec, request);
  });
}

}  // namespace kolam::app
