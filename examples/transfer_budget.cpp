// SPDX-License-Identifier: Apache-2.0
// A time loop that must not copy, and how to find an accidental copy. A host-only build copies
// nothing; there, KOLAM_EMULATE_DEVICE=1 or KOLAM_STRICT=1 shows the copies to and from a GPU.
#include <cmath>
#include <iostream>
#include <kolam/kolam.hpp>
#include <utility>

// A leapfrog step of a string with c dt = dx: the state after `now` replaces `before`.
void step(kolam::Array<double>& before, const kolam::Array<double>& now) {
  const auto v = before.read_write(kolam::device);
  const auto u = now.read(kolam::device);
  const kolam::index_t n = now.size();
  kolam::forall(
      "wave", n, KOKKOS_LAMBDA(kolam::index_t i) {
        v(i) = (i > 0 ? u(i - 1) : 0) + (i < n - 1 ? u(i + 1) : 0) - v(i);
      });
}

double largest(const kolam::Array<double>& a) {
  const auto u = a.read(kolam::device);
  return kolam::max<double>(
      "largest", a.size(), KOKKOS_LAMBDA(kolam::index_t i, double& most) {
        most = Kokkos::max(most, Kokkos::abs(u(i)));
      });
}

// A leftover from a host-only code.
void inspect(const kolam::Array<double>& a) {
  try {
    const auto u = a.read(kolam::host);  // a copy, if there are two memories
    std::cout << "no copy: one memory has " << u(a.size() / 2) << '\n';
  } catch (const kolam::BudgetExceeded& error) {
    std::cout << error.what() << '\n';  // nothing was copied; the loop can go on
  }
}

int main(int argc, char** argv) {
  const kolam::Runtime runtime(argc, argv);
  const int n = 199, period = 2 * (n + 1);
  kolam::Array<double> now("string", n), before("string", n);
  const auto x = now.write(kolam::host);
  for (int i = 0; i < n; ++i) x(i) = std::sin(Kokkos::numbers::pi * (i + 1) / (n + 1));
  now.sync(kolam::device);                                         // needed by the loop
  kolam::deep_copy(Kokkos::DefaultExecutionSpace{}, before, now);  // on the device
  {
    const kolam::TransferBudget budget{.host_to_device = 0, .device_to_host = 0};
    for (int s = 0; s < period; ++s) {
      step(before, now);
      std::swap(before, now);
      if (s == 20) inspect(now);
      if (largest(now) > 1.001) return 1;  // only one number goes to the host
    }
  }
  std::cout << "after a period " << now.read(kolam::host)(n / 2) << '\n';
  for (const auto& [label, arrays, count] : kolam::transfers_by_label())
    std::cout << label << ": " << count.bytes_to_device << " bytes to the device, "
              << count.bytes_to_host << " to the host\n";
}
