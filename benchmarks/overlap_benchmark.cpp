// SPDX-License-Identifier: Apache-2.0
// Two streams on the two halves of one array, by intents: nothing of one waits for the other.
// `speedup` is the time with both halves on one stream over that
// with each on its own, 2 where they overlap all the time; `speedup_of_views` is the same of Views
// at hand. Only a device with streams shows more than 1.
#include <benchmark/benchmark.h>

#include <Kokkos_Core.hpp>
#include <Kokkos_Timer.hpp>
#include <algorithm>
#include <kolam/core/forall.hpp>
#include <kolam/core/runtime.hpp>
#include <kolam/memory/array.hpp>
#include <vector>

#include "checksum.hpp"

namespace kolam::benchmarks {

using Exec = Kokkos::DefaultExecutionSpace;
using Out = Kokkos::View<double*, Exec::memory_space>;

constexpr index_t half = 4096;  // too little to fill a device
constexpr int launches = 50;

// Arithmetic for some tens of microseconds.
void work(const Exec& exec, const Out& y) {
  forall(
      exec, "work", half, KOKKOS_LAMBDA(index_t i) {
        double value = y(i);
        for (int k = 0; k < 2000; ++k) value = 0.999 * value + 0.001;
        y(i) = value;
      });
}

double seconds_of(const Exec& first, const Exec& second, Array<double>& low, Array<double>& high) {
  Kokkos::fence("overlap");
  const Kokkos::Timer timer;
  for (int i = 0; i < launches; ++i) {
    work(first, low.read_write(first));
    work(second, high.read_write(second));
  }
  Kokkos::fence("overlap");
  return timer.seconds();
}

double seconds_of_views(const Exec& first, const Exec& second, const Out& low, const Out& high) {
  Kokkos::fence("overlap");
  const Kokkos::Timer timer;
  for (int i = 0; i < launches; ++i) {
    work(first, low);
    work(second, high);
  }
  Kokkos::fence("overlap");
  return timer.seconds();
}

void overlap(benchmark::State& state) {
  const auto streams = Kokkos::Experimental::partition_space(Exec{}, 1, 1);
  Array<double> all("all", 2 * half);
  Kokkos::deep_copy(all.write(host), 1.0);
  auto low = all.alias({0, half});
  auto high = all.alias({half, 2 * half});
  double one = 0;
  double two = 0;
  double views = 0;
  for ([[maybe_unused]] auto _ : state) {
    one += seconds_of(streams[0], streams[0], low, high);
    const double both = seconds_of(streams[0], streams[1], low, high);
    two += both;
    views += seconds_of_views(streams[0], streams[1], low.read_write(streams[0]),
                              high.read_write(streams[1]));
    state.SetIterationTime(both);
  }
  state.counters["speedup"] = one / two;
  state.counters["speedup_of_views"] = one / views;
}

}  // namespace kolam::benchmarks

int main(int argc, char** argv) {
  using namespace kolam::benchmarks;
  const kolam::Runtime runtime(argc, argv);
  add_context();
  benchmark::RegisterBenchmark("overlap/two_streams", overlap)->UseManualTime()->Iterations(50);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
}
