// SPDX-License-Identifier: Apache-2.0
// expected: an integrand is called with a point
#include <kolam/kernels/element/operator.hpp>

struct NoCall {
  static constexpr int components = 1;
  static constexpr auto reads = kolam::Evaluation::values;
  static constexpr auto writes = kolam::Evaluation::values;
  void act() const {}
};
template void
kolam::detail::require_integrand<2, double, Kokkos::DefaultHostExecutionSpace, NoCall>();
