// SPDX-License-Identifier: Apache-2.0
// What the benchmarks share: timing of one launch, results that must agree with a baseline's, and
// where it all ran.
#pragma once

#include <benchmark/benchmark.h>

#include <Kokkos_Core.hpp>
#include <Kokkos_Timer.hpp>
#include <cmath>
#include <cstdio>
#include <kolam/core/backend.hpp>
#include <kolam/core/device.hpp>
#include <kolam/core/forall.hpp>
#include <kolam/core/version.hpp>
#include <map>
#include <string>

namespace kolam::benchmarks {

/// Checksums by subject. The first one to come sets what the others of its subject must give.
class Checksums {
 public:
  void check(benchmark::State& state, const std::string& subject, double sum) {
    const auto [entry, first] = sums_.emplace(subject, sum);
    if (std::abs(sum - entry->second) <= 1e-10 * std::abs(entry->second)) return;
    failed_ = true;
    state.SkipWithError("the checksum differs from the baseline's");
  }
  [[nodiscard]] bool failed() const { return failed_; }

 private:
  std::map<std::string, double> sums_;
  bool failed_ = false;
};

inline Checksums& checksums() {
  static Checksums instance;
  return instance;
}

template <class Exec>
double checksum(const Exec& exec,
                const Kokkos::View<double*, typename Exec::memory_space>& values) {
  return reduce<Kokkos::Sum<double>>(
      exec, "checksum", static_cast<index_t>(values.extent(0)), 0.0,
      KOKKOS_LAMBDA(index_t i, double& sum) { sum += values(i) * static_cast<double>(1 + i % 7); });
}

/// Says in the output what was measured and where: one line each for version, commit, compiler,
/// Kokkos and the default backend's device.
inline void add_context() {
  const BuildInfo& build = build_info();
  benchmark::AddCustomContext("kolam_version", build.version);
  benchmark::AddCustomContext("kolam_commit", build.git_commit);
  benchmark::AddCustomContext("compiler", build.compiler);
  benchmark::AddCustomContext("kokkos_version", build.kokkos_version);
  benchmark::AddCustomContext("device", device_of(default_backend()).name);
}

/// Times `launch` until its end on the device, and reports `bytes` a launch as bandwidth.
template <class Launch>
void measure(benchmark::State& state, double bytes, const Launch& launch) {
  launch();
  Kokkos::fence("benchmark");
  for ([[maybe_unused]] auto _ : state) {
    Kokkos::Timer timer;
    launch();
    Kokkos::fence("benchmark");
    state.SetIterationTime(timer.seconds());
  }
  state.counters["GB/s"] =
      benchmark::Counter(bytes * 1e-9, benchmark::Counter::kIsIterationInvariantRate);
}

}  // namespace kolam::benchmarks
