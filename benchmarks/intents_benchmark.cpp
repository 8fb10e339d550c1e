// SPDX-License-Identifier: Apache-2.0
// Cost of an intent that copies nothing, with other arrays alive.
//
//   intents/<intent>/double/<arrays alive>/<backend of the device side>[/views]
//   intents/<state and intent>/double/<values>/<backend>   an array with two sides (the device is
//       emulated in a build without one) in each state that needs no work
//   intents/components/double/<values of each>/<backend>   an array with very many ranges
#include <kolam/memory/array.hpp>
#include <kolam/memory/emulation.hpp>
#include <memory>
#include <vector>

#include "suite.hpp"

namespace kolam::benchmarks {

// Calls ask(array of 8 values) many times, with `live` arrays alive.
template <class Ask>
void add_intent(const std::string& intent, index_t live, const Ask& ask) {
  add({"intents", intent, "double", live, default_backend()}, [=] {
    const auto arrays = std::make_shared<std::vector<Array<double>>>();
    for (index_t i = 0; i < live; ++i) {
      arrays->emplace_back("live", 8);
      static_cast<void>(arrays->back().write(host));
    }
    Kokkos::deep_copy((*arrays)[arrays->size() / 2].write(host), 1.0);
    return [=](benchmark::State& state) {
      Array<double>& array = (*arrays)[arrays->size() / 2];
      measure(state, Kokkos::DefaultHostExecutionSpace{}, {},
              [&] { benchmark::DoNotOptimize(ask(array)); });
    };
  });
}

// The baseline: a View from a pointer and a size.
void add_raw_view(index_t live) {
  add({"intents", "read", "double", live, default_backend(), "views"}, [] {
    const Kokkos::View<double*, Kokkos::HostSpace> view("raw", 8);
    return [=](benchmark::State& state) {
      measure(state, Kokkos::DefaultHostExecutionSpace{}, {}, [&] {
        const Kokkos::View<const double*, Kokkos::HostSpace> x(view.data(), view.extent(0));
        benchmark::DoNotOptimize(x.data());
      });
    };
  });
}

// `prepare` brings an array with two sides to a state; then ask(array) is called many times.
template <class Prepare, class Ask>
void add_state(const std::string& state_and_intent, const Prepare& prepare, const Ask& ask) {
  constexpr index_t n = 8;
  add({"intents", state_and_intent, "double", n, default_backend()}, [=] {
    const Emulation before = emulation();
    if (one_memory) emulate(Emulation::on);
    const auto array = std::make_shared<Array<double>>("two sides", n);
    Kokkos::deep_copy(array->write(host), 1.0);
    prepare(*array);
    emulate(before);
    return [=](benchmark::State& state) {
      const Emulation outside = emulation();
      if (one_memory) emulate(Emulation::on);
      measure(state, Kokkos::DefaultHostExecutionSpace{}, {},
              [&] { benchmark::DoNotOptimize(ask(*array)); });
      emulate(outside);
    };
  });
}

// Two instances have read; then the first instance, the second or the host reads again.
template <class Ask>
void add_two_readers(const std::string& who, const Ask& ask) {
  add({"intents", "two_readers_read_" + who, "double", 8, default_backend()}, [=] {
    using Exec = Kokkos::DefaultExecutionSpace;
    const Emulation before = emulation();
    if (one_memory) emulate(Emulation::on);
    const auto parts = Kokkos::Experimental::partition_space(Exec{}, 1, 1);
    const auto array = std::make_shared<Array<double>>("two sides", 8);
    Kokkos::deep_copy(array->write(host), 1.0);
    for (const Exec& exec : parts) static_cast<void>(array->read(exec));
    emulate(before);
    return [=](benchmark::State& state) {
      const Emulation outside = emulation();
      if (one_memory) emulate(Emulation::on);
      measure(state, Kokkos::DefaultHostExecutionSpace{}, {},
              [&] { benchmark::DoNotOptimize(ask(*array, parts)); });
      emulate(outside);
    };
  });
}

void add_states() {
  using A = Array<double>;
  const auto read_host = [](const A& a) { return a.read(host).data(); };
  const auto read_device = [](const A& a) { return a.read(device).data(); };
  const auto to_device = [](A& a) { static_cast<void>(a.read(device)); };
  const auto to_host = [](A& a) {
    static_cast<void>(a.write(device));
    static_cast<void>(a.read(host));
  };
  const auto on_device = [](A& a) { static_cast<void>(a.write(device)); };
  add_state("copied_to_device_read_host", to_device, read_host);
  add_state("copied_to_device_read_device", to_device, read_device);
  add_state("copied_to_device_read_alias_host", to_device, [](A& a) {
    const auto part = a.alias({2, 6});
    return part.read(host).data();
  });
  add_state("copied_to_host_read_host", to_host, read_host);
  add_state("copied_to_host_read_device", to_host, read_device);
  add_state("written_on_device_read_device", on_device, read_device);
  add_state("written_on_device_write_device", on_device,
            [](A& a) { return a.write(device).data(); });
  add_state("written_on_device_read_write_device", on_device,
            [](A& a) { return a.read_write(device).data(); });
  add_two_readers("first", [](const A& a, const auto& parts) { return a.read(parts[0]).data(); });
  add_two_readers("second", [](const A& a, const auto& parts) { return a.read(parts[1]).data(); });
  add_two_readers("host", [](const A& a, const auto&) { return a.read(host).data(); });
  // One half is newer on the device and the other is read on the host: the slow path.
  add_state(
      "half_on_device_read_other_half_host",
      [](A& a) { static_cast<void>(a.write(device, {0, 4})); },
      [](const A& a) { return a.read(host, {4, 8}).data(); });
}

// Interleaved x, y and z of points: each in turn is written on the device and read on the host,
// while the others are valid on both sides.
void add_components(index_t n) {
  add({"intents", "components", "double", n, default_backend()}, [=] {
    const Emulation before = emulation();
    if (one_memory) emulate(Emulation::on);
    const auto points = std::make_shared<Array<double>>("points", 3 * n);
    emulate(before);
    Kokkos::deep_copy(points->write(host), 1.0);
    return [=](benchmark::State& state) {
      index_t which = 0;
      measure(state, Kokkos::DefaultHostExecutionSpace{}, {}, [&] {
        auto component = points->alias({which, 3 * n}, 3);
        static_cast<void>(component.write(device));
        benchmark::DoNotOptimize(component.read(host).data());
        which = (which + 1) % 3;
      });
    };
  });
}

void add_all() {
  std::vector<index_t> live{10};
  if (options().scale != Scale::smoke) live.push_back(1000);
  if (options().scale == Scale::full) live.push_back(100000);
  for (const index_t n : live) {
    using A = Array<double>;
    add_raw_view(n);
    add_intent("read", n, [](const A& a) { return a.read(host).data(); });
    // By the device tag, and by an instance.
    add_intent("read_device", n, [](const A& a) { return a.read(device).data(); });
    add_intent("read_instance", n, [exec = Kokkos::DefaultExecutionSpace{}](const A& a) {
      return a.read(exec).data();
    });
    add_intent("read_range", n, [](const A& a) { return a.read(host, {2, 6}).data(); });
    add_intent("write", n, [](A& a) { return a.write(host).data(); });
    add_intent("make_read_drop_alias", n, [](A& a) {
      const auto part = a.alias({2, 6});
      return part.read(host).data();
    });
  }
  add_states();
  for (const index_t n :
       options().by_scale<std::vector<index_t>>({1000}, {1000, 100000}, {1000, 10000, 100000}))
    add_components(n);
}

}  // namespace kolam::benchmarks

int main(int argc, char** argv) {
  return kolam::benchmarks::run_suite(argc, argv, kolam::benchmarks::add_all);
}
