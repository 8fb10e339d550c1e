// SPDX-License-Identifier: Apache-2.0
// kolam in a code that already uses Kokkos: arrays from its Views and pointers, without a copy, and
// an array's memory passed to a function with a C interface.
#include <Kokkos_DualView.hpp>
#include <iostream>
#include <kolam/kolam.hpp>
#include <vector>

using Exec = Kokkos::DefaultExecutionSpace;

// Stands for a library with a C interface: clears device memory in the order of `exec`.
void clear(const Exec& exec, double* values, int count) {
#ifdef KOKKOS_ENABLE_CUDA
  if (cudaMemsetAsync(values, 0, count * sizeof(double), exec.cuda_stream()) != cudaSuccess)
    throw kolam::Error("cudaMemsetAsync failed");
#else
  exec.fence("clear works on the host");
  for (int i = 0; i < count; ++i) values[i] = 0;
#endif
}

// to += from, for arrays with memory of any origin.
void add(const Exec& exec, kolam::Array<double>& to, const kolam::Array<double>& from) {
  const auto x = from.read(exec);
  const auto y = to.read_write(exec);
  kolam::forall(exec, "add", to.size(), KOKKOS_LAMBDA(kolam::index_t i) { y(i) += x(i); });
}

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);  // from the code itself; kolam uses it
  const Exec exec;
  const int n = 100;
  const Kokkos::View<double*> view("view", n);  // on the device
  Kokkos::deep_copy(exec, view, 1.0);           // on `exec`, as all later work
  const auto ones = kolam::share(view);         // keeps the View's memory alive
  Kokkos::DualView<double*> dual("dual", n);
  Kokkos::deep_copy(dual.view_host(), 20.0);
  dual.modify_host();
  auto twenties = kolam::share(dual);  // keeps track of the newer side
  std::vector<double> numbers(n, 300.0);
  auto hundreds = kolam::borrow("numbers", kolam::host, numbers.data(), n);  // outlives it
  auto sum = kolam::adopt("sum", kolam::host, new double[n](), n, [](double* p) { delete[] p; });

  add(exec, sum, ones);
  add(exec, sum, twenties);
  add(exec, sum, hundreds);
  clear(exec, hundreds.write(exec).data(), n);
  add(exec, hundreds, sum);
  add(exec, twenties, ones);

  // The owners see new values after a sync, or after updating the flags of a DualView.
  hundreds.sync(kolam::host);
  kolam::give_flags(twenties, dual);
  dual.sync_host();
  std::cout << "sum " << sum.read(kolam::host)(5) << ", vector " << numbers.back() << ", DualView "
            << dual.view_host()(5) << ", View " << view.use_count() << " owners\n";
  return numbers.back() == 321 ? 0 : 1;
}
