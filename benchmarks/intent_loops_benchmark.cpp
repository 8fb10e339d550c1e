// SPDX-License-Identifier: Apache-2.0
// Loops that ask for their Views by intents each time, against the same loops on Views at hand.
// Names: intent_loops/<loop>/n:<values>. The two take turns in one run and must give the same
// checksum; the counter `ratio` is the time by intents over that by Views.
#include <benchmark/benchmark.h>

#include <Kokkos_Core.hpp>
#include <Kokkos_Timer.hpp>
#include <algorithm>
#include <kolam/core/forall.hpp>
#include <kolam/core/runtime.hpp>
#include <kolam/memory/array.hpp>
#include <string>
#include <utility>
#include <vector>

#include "checksum.hpp"

namespace kolam::benchmarks {

using Exec = Kokkos::DefaultExecutionSpace;
using In = Kokkos::View<const double*, Exec::memory_space>;
using Out = Kokkos::View<double*, Exec::memory_space>;

void axpy(const Exec& exec, const In& x, const Out& y) {
  forall(
      exec, "axpy", static_cast<index_t>(x.extent(0)),
      KOKKOS_LAMBDA(index_t i) { y(i) = 0.9 * y(i) + 0.1 * x(i); });
}

// One Jacobi step of the line: the ends stay.
void jacobi(const Exec& exec, const In& u, const Out& v) {
  const auto last = static_cast<index_t>(u.extent(0)) - 1;
  forall(
      exec, "jacobi", last + 1, KOKKOS_LAMBDA(index_t i) {
        v(i) = i == 0 || i == last ? u(i) : 0.5 * (u(i - 1) + u(i + 1));
      });
}

struct Subject {
  Array<double> x;
  Array<double> y;

  explicit Subject(index_t n) : x("x", n), y("y", n) { reset(); }
  void reset() {
    const auto values = x.write(host);
    for (std::size_t i = 0; i < values.extent(0); ++i) values(i) = static_cast<double>(i % 97);
    Kokkos::deep_copy(y.write(host), 1.0);
    static_cast<void>(x.read(device));
    static_cast<void>(y.read(device));
  }
};

struct Axpy {
  static constexpr const char* name = "axpy";
  static void intents(const Exec& exec, Subject& s) {
    axpy(exec, s.x.read(exec), s.y.read_write(exec));
  }
  static void views(const Exec& exec, Out& x, Out& y) { axpy(exec, x, y); }
};

struct Jacobi {
  static constexpr const char* name = "jacobi";
  static void intents(const Exec& exec, Subject& s) {
    jacobi(exec, s.x.read(exec), s.y.write(exec));
    std::swap(s.x, s.y);
  }
  static void views(const Exec& exec, Out& x, Out& y) {
    jacobi(exec, x, y);
    std::swap(x, y);
  }
};

double median(std::vector<double>& times) {
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

// The two take turns on the same memory; each time is of some launches and their end, and the
// medians are compared.
template <class Loop>
void compare(benchmark::State& state) {
  const Exec exec;
  const index_t n = state.range(0);
  const int launches = n <= 100000 ? 100 : 4;  // even, so that a swap leaves things as they were
  Subject s(n);
  Out x = s.x.read_write(exec);
  Out y = s.y.read_write(exec);
  const auto time = [&](auto&& launch) {
    exec.fence();
    const Kokkos::Timer timer;
    for (int i = 0; i < launches; ++i) launch();
    exec.fence();
    return timer.seconds() / launches;
  };
  const auto by_intents = [&] { Loop::intents(exec, s); };
  const auto by_views = [&] { Loop::views(exec, x, y); };
  std::vector<double> intents;
  std::vector<double> views;
  for ([[maybe_unused]] auto _ : state) {
    intents.push_back(time(by_intents));
    views.push_back(time(by_views));
    state.SetIterationTime(intents.back());
  }
  state.counters["views_ns"] = 1e9 * median(views);
  state.counters["intents_ns"] = 1e9 * median(intents);
  state.counters["ratio"] = median(intents) / median(views);

  const std::string subject = Loop::name + std::to_string(n);
  const auto sum_after = [&](auto&& launch) {
    s.reset();
    static_cast<void>(s.x.read_write(exec));
    static_cast<void>(s.y.read_write(exec));
    for (int i = 0; i < 4; ++i) launch();
    return checksum(exec, y);
  };
  checksums().check(state, subject, sum_after(by_intents));
  checksums().check(state, subject, sum_after(by_views));
}

}  // namespace kolam::benchmarks

int main(int argc, char** argv) {
  using namespace kolam::benchmarks;
  const kolam::Runtime runtime(argc, argv);
  add_context();
  const auto add = [](const char* name, void (*run)(benchmark::State&)) {
    benchmark::RegisterBenchmark(name, run)
        ->ArgName("n")
        ->Arg(1000)
        ->Arg(100000)
        ->Arg(10000000)
        ->UseManualTime()
        ->Iterations(100);
  };
  add("intent_loops/axpy", compare<Axpy>);
  add("intent_loops/jacobi", compare<Jacobi>);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return checksums().failed() ? 1 : 0;
}
