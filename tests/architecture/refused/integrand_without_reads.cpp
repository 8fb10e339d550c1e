// SPDX-License-Identifier: Apache-2.0
// expected: an integrand says what it takes of the field
#include <kolam/kernels/element/operator.hpp>

struct NoReads {
  static constexpr int components = 1;
  static constexpr auto writes = kolam::Evaluation::values;
  template <class Point>
  KOKKOS_FUNCTION void operator()(Point&) const {}
};
template void
kolam::detail::require_integrand<2, double, Kokkos::DefaultHostExecutionSpace, NoReads>();
