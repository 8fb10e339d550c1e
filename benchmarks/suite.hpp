// SPDX-License-Identifier: Apache-2.0
// Shared parts of the benchmark programs: names, options, timing, counters, and checks of results
// against a baseline.
//
// Names: <subject>/<variant>/<precision>/<size>/<backend>[/<baseline>]. A sixth part names the
// baseline that does the same work: `openmp`, `serial` or `cuda` written by hand, plain `kokkos`,
// `views` without intents, or a library.
#pragma once

#include <benchmark/benchmark.h>

#include <Kokkos_Core.hpp>
#include <Kokkos_Timer.hpp>
#include <algorithm>
#include <functional>
#include <kolam/core/backend.hpp>
#include <kolam/core/bandwidth.hpp>
#include <kolam/core/forall.hpp>
#include <string>
#include <type_traits>
#include <vector>

namespace kolam::benchmarks {

/// The extent of measurements: each benchmark once on a small case, some in minutes, or all.
enum class Scale { smoke, quick, full };

struct Options {
  Scale scale = Scale::full;
  bool scaling = false;       ///< only strong and weak scaling
  std::vector<index_t> dofs;  ///< unknowns of finite elements; empty: by scale and backend
  std::vector<int> orders;    ///< orders of finite elements; empty: by scale and build

  template <class T>
  T by_scale(T smoke, T quick, T full) const {
    return scale == Scale::smoke ? smoke : scale == Scale::quick ? quick : full;
  }
};
const Options& options();

struct Name {
  std::string subject;
  std::string variant;
  std::string precision;  ///< float, double or none
  index_t size;
  Backend backend;
  std::string baseline = {};  ///< empty: kolam
};
std::string text(const Name& name);

template <class T>
inline constexpr const char* precision = std::is_same_v<T, float> ? "float" : "double";

/// The work of a launch by formula; 0 is not reported.
struct Work {
  double bytes = 0;  ///< bytes that must move
  double flop = 0;
  double dofs = 0;
};

/// A timed function; it sets the times of its iterations itself.
using Timed = std::function<void(benchmark::State&)>;

/// Registers a benchmark: with --scaling, if its variant begins with strong- or weak-; without, if
/// it does not. `prepare` allocates, fills and checks once for all repetitions; its result is freed
/// when the next benchmark begins. An exception becomes the benchmark's error and exit code 1.
void add(const Name& name, const std::function<Timed()>& prepare);

/// Compares `sum` with the first sum of the same subject. Throws unless they agree to the relative
/// `tolerance`.
void check(const std::string& subject, double sum, double tolerance = 1e-10);

/// Sets the counters of an iteration that does `work`; peak: T_peak in GB/s, 0 if meaningless.
void count(benchmark::State& state, const Work& work, double peak);

/// Returns T_peak in GB/s, measured once.
template <class Exec>
double peak_gbs() {
  static const double peak = options().scale == Scale::smoke
                                 ? measure_bandwidth(Exec{}, 1 << 20, 2).peak_gbs()
                                 : measure_bandwidth(Exec{}, 0, 5).peak_gbs();
  return peak;
}

/// Returns the number of launches timed together: the same in all repetitions of a benchmark, 0
/// before the first repetition.
int& launches_together();

/// Times `launch` until its end on exec, many together if it is short, and counts its work.
template <class Exec, class Launch>
void measure(benchmark::State& state, const Exec& exec, const Work& work, const Launch& launch) {
  const auto seconds = [&](int together) {
    exec.fence("benchmark");
    const Kokkos::Timer timer;
    for (int i = 0; i < together; ++i) launch();
    exec.fence("benchmark");
    return timer.seconds();
  };
  static_cast<void>(seconds(1));
  int& together = launches_together();
  if (together == 0) together = static_cast<int>(std::clamp(2e-3 / seconds(1), 1.0, 1e5));
  while (state.KeepRunningBatch(together)) state.SetIterationTime(seconds(together));
  count(state, work, work.bytes > 0 ? peak_gbs<Exec>() : 0);
}

template <class Values>
struct AddByPlace {
  Values values;
  KOKKOS_FUNCTION void operator()(index_t i, double& sum) const {
    sum += static_cast<double>(values(i)) * static_cast<double>(1 + i % 7);
  }
};

/// Returns the sum of values(i) (1 + i mod 7), which depends on the order of values.
template <class Exec, class Values>
double checksum(const Exec& exec, const Values& values) {
  return sum<double>(exec, "checksum", static_cast<index_t>(values.extent(0)),
                     AddByPlace<Values>{values});
}

/// Calls f(exec) for each backend of the build.
template <class F>
void for_each_backend(const F& f) {
  const auto all = [&]<class... Execs>(kolam::detail::ExecutionSpaceList<Execs...>) {
    (f(Execs{}), ...);
  };
  all(kolam::detail::ExecutionSpaces{});
}

/// The main function of each program: reads options, adds hardware to the output's context, and
/// runs the benchmarks that `add_all` registers. Returns 0; 1 after a failure; 2 for bad usage.
int run_suite(int argc, char** argv, void (*add_all)());

}  // namespace kolam::benchmarks
