// SPDX-License-Identifier: Apache-2.0
// Work on two streams, ordered by intents: independent work does not wait.
//
//   overlap/<one_stream|two_streams>/double/<values of an array>/<backend>[/views]
//       work on both halves of one array
//   overlap/<copy_after_work|copy_beside_work>/double/<values that are copied>/<backend>
//       a copy to the device (emulated in a build without one) on the stream of the work, or on
//       another stream
//
// Only a device with streams shows a difference.
#include <kolam/memory/array.hpp>
#include <kolam/memory/emulation.hpp>
#include <memory>
#include <vector>

#include "suite.hpp"

namespace kolam::benchmarks {

using Exec = Kokkos::DefaultExecutionSpace;
using Out = Kokkos::View<double*, Exec::memory_space>;

constexpr index_t half = 4096;  // too small to fill a device
constexpr int launches = 20;

// Arithmetic for some tens of microseconds.
void work(const Exec& exec, const Out& y) {
  forall(
      exec, "work", half, KOKKOS_LAMBDA(index_t i) {
        double value = y(i);
        for (int k = 0; k < 2000; ++k) value = 0.999 * value + 0.001;
        y(i) = value;
      });
}

// Alternating launches on both halves.
void add_streams(bool two, bool by_intents) {
  const Name name{"overlap",         two ? "two_streams" : "one_stream", "double", 2 * half,
                  default_backend(), by_intents ? "" : "views"};
  add(name, [=] {
    const auto streams = Kokkos::Experimental::partition_space(Exec{}, 1, 1);
    const Exec first = streams[0];
    const Exec second = streams[two ? 1 : 0];
    Array<double> all("all", 2 * half);
    Kokkos::deep_copy(all.write(host), 1.0);
    const auto low = std::make_shared<Array<double>>(all.alias({0, half}));
    const auto high = std::make_shared<Array<double>>(all.alias({half, 2 * half}));
    const Out low_view = low->read_write(first);
    const Out high_view = high->read_write(second);
    const auto launch = [=] {
      for (int i = 0; i < launches; ++i) {
        work(first, by_intents ? low->read_write(first) : low_view);
        work(second, by_intents ? high->read_write(second) : high_view);
      }
      first.fence("overlap");
      second.fence("overlap");
    };
    launch();
    check("overlap", checksum(Exec{}, all.read(device)));
    return [=](benchmark::State& state) { measure(state, Exec{}, {}, launch); };
  });
}

// A copy that takes about as long as the work.
void add_copy(bool beside) {
  const index_t n = options().by_scale<index_t>(1 << 10, 1 << 22, 1 << 22);
  const Name name{"overlap", beside ? "copy_beside_work" : "copy_after_work", "double", n,
                  default_backend()};
  add(name, [=] {
    const auto streams = Kokkos::Experimental::partition_space(Exec{}, 1, 1);
    const Exec first = streams[0];
    const Exec second = streams[beside ? 1 : 0];
    const Emulation before = emulation();
    if (one_memory) emulate(Emulation::on);
    const auto copied = std::make_shared<Array<double>>("copied", n, MemoryKind::pinned);
    emulate(before);
    Kokkos::deep_copy(copied->write(host), 1.0);
    const Out worked("worked", half);
    const auto launch = [=] {
      static_cast<void>(copied->write(host));  // makes the device's values stale
      for (int i = 0; i < launches; ++i) work(first, worked);
      static_cast<void>(copied->read(second));
      first.fence("overlap");
      second.fence("overlap");
    };
    launch();
    check("copied", checksum(second, copied->read(second)));
    return [=](benchmark::State& state) { measure(state, Exec{}, {}, launch); };
  });
}

void add_all() {
  for (const bool beside : {false, true}) add_copy(beside);

  for (const bool two : {false, true}) {
    for (const bool by_intents : {false, true}) add_streams(two, by_intents);
  }
}

}  // namespace kolam::benchmarks

int main(int argc, char** argv) {
  return kolam::benchmarks::run_suite(argc, argv, kolam::benchmarks::add_all);
}
