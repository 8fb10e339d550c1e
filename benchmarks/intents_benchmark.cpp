// SPDX-License-Identifier: Apache-2.0
// What an intent costs where nothing is to be copied, whatever else is alive.
// Names: intents/<subject>/live:<arrays that exist meanwhile>. And what one costs that has very
// many stretches to look after: intents/components/values:<of each>, in items (values) per second.
#include <benchmark/benchmark.h>

#include <kolam/core/runtime.hpp>
#include <kolam/memory/array.hpp>
#include <kolam/memory/emulation.hpp>
#include <vector>

#include "checksum.hpp"

namespace kolam::benchmarks {

std::vector<Array<double>> live_arrays(benchmark::State& state) {
  std::vector<Array<double>> arrays;
  for (int i = 0; i < state.range(0); ++i) {
    arrays.emplace_back("live", 8);
    static_cast<void>(arrays.back().write(host));
  }
  return arrays;
}

// A raw pointer and a size, for comparison.
void raw_view(benchmark::State& state) {
  const Kokkos::View<double*, Kokkos::HostSpace> view("raw", 8);
  for ([[maybe_unused]] auto _ : state) {
    const Kokkos::View<const double*, Kokkos::HostSpace> x(view.data(), view.extent(0));
    benchmark::DoNotOptimize(x.data());
  }
}

void read_valid(benchmark::State& state) {
  const auto arrays = live_arrays(state);
  const Array<double>& a = arrays[arrays.size() / 2];
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(a.read(host).data());
}

// By the tag of the device, and by an instance.
void read_device(benchmark::State& state) {
  auto arrays = live_arrays(state);
  Array<double>& a = arrays[arrays.size() / 2];
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(a.read(device).data());
}
void read_instance(benchmark::State& state) {
  auto arrays = live_arrays(state);
  Array<double>& a = arrays[arrays.size() / 2];
  const Kokkos::DefaultExecutionSpace exec;
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(a.read(exec).data());
}

void read_range(benchmark::State& state) {
  auto arrays = live_arrays(state);
  Array<double>& a = arrays[arrays.size() / 2];
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(a.read(host, {2, 6}).data());
}

void write_valid(benchmark::State& state) {
  auto arrays = live_arrays(state);
  Array<double>& a = arrays[arrays.size() / 2];
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(a.write(host).data());
}

void read_alias(benchmark::State& state) {
  auto arrays = live_arrays(state);
  const Array<double> alias = arrays[arrays.size() / 2].alias({2, 6});
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(alias.read(host).data());
}

void make_read_and_drop_an_alias(benchmark::State& state) {
  auto arrays = live_arrays(state);
  Array<double>& a = arrays[arrays.size() / 2];
  for ([[maybe_unused]] auto _ : state) {
    const Array<double> alias = a.alias({2, 6});
    benchmark::DoNotOptimize(alias.read(host).data());
  }
}

// x, y and z of points lie interleaved; each in turn is written on the device and read on the host
// while the others are valid on either.
void components(benchmark::State& state) {
  const Emulation before = emulation();
  if (one_memory) emulate(Emulation::on);
  const auto n = static_cast<index_t>(state.range(0));
  Array<double> points("points", 3 * n);
  static_cast<void>(points.write(host));
  index_t which = 0;
  for ([[maybe_unused]] auto _ : state) {
    auto component = points.alias({which, 3 * n}, 3);
    static_cast<void>(component.write(device));
    benchmark::DoNotOptimize(component.read(host).data());
    which = (which + 1) % 3;
  }
  state.SetItemsProcessed(state.iterations() * n);
  emulate(before);
}

}  // namespace kolam::benchmarks

int main(int argc, char** argv) {
  using namespace kolam::benchmarks;
  const kolam::Runtime runtime(argc, argv);
  add_context();
  benchmark::RegisterBenchmark("intents/raw_view", raw_view);
  const auto add = [](const char* name, void (*run)(benchmark::State&)) {
    benchmark::RegisterBenchmark(name, run)->ArgName("live")->Arg(10)->Arg(1000)->Arg(100000);
  };
  add("intents/read", read_valid);
  add("intents/read_device", read_device);
  add("intents/read_instance", read_instance);
  add("intents/read_range", read_range);
  add("intents/write", write_valid);
  add("intents/read_alias", read_alias);
  add("intents/make_read_drop_alias", make_read_and_drop_an_alias);
  benchmark::RegisterBenchmark("intents/components", components)
      ->ArgName("values")
      ->RangeMultiplier(10)
      ->Range(1000, 1000000);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
}
