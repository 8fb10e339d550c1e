// SPDX-License-Identifier: Apache-2.0
// kolam in a code that has Kokkos already: arrays of its Views and pointers, without a copy, and
// the memory of an array handed to a function with a C interface.
#include <Kokkos_DualView.hpp>
#include <iostream>
#include <kolam/kolam.hpp>
#include <vector>

using Exec = Kokkos::DefaultExecutionSpace;

// Stands for a library with a C interface: clears memory of the device, in order with `exec`.
void clear(const Exec& exec, double* values, int count) {
#ifdef KOKKOS_ENABLE_CUDA
  if (cudaMemsetAsync(values, 0, count * sizeof(double), exec.cuda_stream()) != cudaSuccess)
    throw kolam::Error("cudaMemsetAsync failed");
#else
  exec.fence("clear works on the host");
  for (int i = 0; i < count; ++i) values[i] = 0;
#endif
}

// y += x, whoever allocated them.
void add(const Exec& exec, kolam::Array<double>& to, const kolam::Array<double>& from) {
  const auto x = from.read(exec);
  const auto y = to.read_write(exec);
  kolam::forall(exec, "add", to.size(), KOKKOS_LAMBDA(kolam::index_t i) { y(i) += x(i); });
}

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);  // the code's own: kolam uses it as it is
  const Exec exec;
  const int n = 100;
  const Kokkos::View<double*> view("view", n);  // on the device
  Kokkos::deep_copy(exec, view, 1.0);           // as all that follows on `exec`
  const auto ones = kolam::share(view);         // keeps the View's memory alive
  Kokkos::DualView<double*> dual("dual", n);
  Kokkos::deep_copy(dual.view_host(), 20.0);
  dual.modify_host();
  auto twenties = kolam::share(dual);  // knows which side is newer
  std::vector<double> numbers(n, 300.0);
  auto hundreds = kolam::borrow("numbers", kolam::host, numbers.data(), n);  // outlives it
  auto sum = kolam::adopt("sum", kolam::host, new double[n](), n, [](double* p) { delete[] p; });

  add(exec, sum, ones);
  add(exec, sum, twenties);
  add(exec, sum, hundreds);
  clear(exec, hundreds.write(exec).data(), n);
  add(exec, hundreds, sum);
  add(exec, twenties, ones);

  // What the owners see: after a sync, after the flags of a DualView.
  hundreds.sync(kolam::host);
  kolam::give_flags(twenties, dual);
  dual.sync_host();
  std::cout << "sum " << sum.read(kolam::host)(5) << ", vector " << numbers.back() << ", DualView "
            << dual.view_host()(5) << ", View " << view.use_count() << " owners\n";
  return numbers.back() == 321 ? 0 : 1;
}
