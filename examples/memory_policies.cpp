// SPDX-License-Identifier: Apache-2.0
// Memory kinds and copy policies: a controller on the host brings the middle of a bar to a given
// temperature. Two small arrays are exchanged in every step; the bar is not copied.
#include <iostream>
#include <kolam/kolam.hpp>
#include <utility>

using Exec = Kokkos::DefaultExecutionSpace;
using kolam::MemoryKind;

// An explicit step of heat conduction. The heater is at the left end, the sensor in the middle.
void step(const Exec& exec, const kolam::Array<double>& from, kolam::Array<double>& to,
          const kolam::Array<double>& heater, kolam::Array<double>& sensor) {
  const auto u = from.read(exec), left_end = heater.read(exec);
  const auto v = to.write(exec), seen = sensor.write(exec);
  const kolam::index_t n = from.size();
  kolam::forall(
      exec, "step", n, KOKKOS_LAMBDA(kolam::index_t i) {
        const double left = i > 0 ? u(i - 1) : left_end(0);
        v(i) = u(i) + 0.4 * (left - 2 * u(i) + (i < n - 1 ? u(i + 1) : 0));
        if (i == n / 2) seen(0) = v(i);
      });
}

int main(int argc, char** argv) {
  const kolam::Runtime runtime(argc, argv);
  // If host and device share memory, nothing is ever stale: emulate a device then.
  if (kolam::one_memory && kolam::emulation() == kolam::Emulation::off)
    kolam::emulate(kolam::Emulation::on);
  const auto exec = kolam::make_instances<Exec>(2);  // the second one for copies

  kolam::Array<double> u("bar", 15), v("bar", 15);
  kolam::Array<double> heater("heater", 1, MemoryKind::pinned);  // page-locked: faster copies
  kolam::Array<double> sensor("sensor", 1, MemoryKind::shared);  // shared memory: no copies
  kolam::Array<double> saved("saved", 15, MemoryKind::pinned);
  const kolam::SyncScope scope(kolam::explicit_only);  // copies of the bar are errors
  heater.set_policy(kolam::on_access);                 // overrides the scope's policy
  saved.set_policy(kolam::prefetch(exec[1]));          // sync(host) only starts a copy

  Kokkos::deep_copy(exec[0], u.write(exec[0]), 0.0);
  double power = 0;
  for (int s = 0; s < 4000; ++s) {
    heater.write(kolam::host)(0) = power;
    step(exec[0], u, v, heater, sensor);
    std::swap(u, v);
    power += 0.008 * (0.5 - sensor.read(kolam::host)(0));
    if (s == 200) kolam::deep_copy(exec[0], saved, u);  // on the device
    if (s == 200) saved.sync(kolam::host);              // copied while the next steps run
  }
  try {
    std::cout << u.read(kolam::host)(7) << '\n';
  } catch (const kolam::AccessError& error) {
    std::cout << error.what() << '\n';
  }
  u.sync(kolam::host);  // now it may be read
  std::cout << "middle " << u.read(kolam::host)(7) << ", it was " << saved.read(kolam::host)(7)
            << "; copies: heater " << heater.transfers().copies() << ", sensor "
            << sensor.transfers().copies() << ", bar " << u.transfers().copies() << '\n';
}
