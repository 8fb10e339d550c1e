// SPDX-License-Identifier: Apache-2.0
// Two streams on the two halves of one array, by intents: nothing of one waits for the other.
//
//   overlap/<one_stream|two_streams>/double/<values of the array>/<backend>[/views]
//
// Twice as fast on two streams where they overlap all the time; only a device with streams shows
// it.
#include <kolam/memory/array.hpp>
#include <memory>
#include <vector>

#include "suite.hpp"

namespace kolam::benchmarks {

using Exec = Kokkos::DefaultExecutionSpace;
using Out = Kokkos::View<double*, Exec::memory_space>;

constexpr index_t half = 4096;  // too little to fill a device
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

// Some launches on each half, in turns.
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

void add_all() {
  for (const bool two : {false, true}) {
    for (const bool by_intents : {false, true}) add_streams(two, by_intents);
  }
}

}  // namespace kolam::benchmarks

int main(int argc, char** argv) {
  return kolam::benchmarks::run_suite(argc, argv, kolam::benchmarks::add_all);
}
