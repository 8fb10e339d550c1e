// SPDX-License-Identifier: Apache-2.0
// One allocation with two aliases on host and device, without explicit synchronisation.
#include <iostream>
#include <kolam/kolam.hpp>

void scale(kolam::Array<double>& values, double factor) {
  auto x = values.read_write(kolam::device);
  kolam::forall("scale", values.size(), KOKKOS_LAMBDA(kolam::index_t i) { x(i) *= factor; });
}

int main(int argc, char** argv) {
  const kolam::Runtime runtime(argc, argv);
  kolam::Array<double> state("state", 300);
  auto velocity = state.alias({0, 200});
  auto pressure = state.alias({200, 300});

  Kokkos::deep_copy(state.write(kolam::host), 1.0);
  scale(velocity, 3);
  pressure.write(kolam::host, {0, 1})(0) = 7;  // one value, on the host
  {
    // The time loop must not copy, so pressure is copied to the device before the loop.
    pressure.sync(kolam::device);
    const kolam::TransferBudget budget{.host_to_device = 0, .device_to_host = 0};
    for (int step = 0; step < 3; ++step) scale(pressure, 2);
  }
  auto all = state.read(kolam::host);  // correct, whichever side wrote the values
  std::cout << "velocity " << all(199) << ", pressure " << all(200) << ", " << all(299) << '\n';
}
