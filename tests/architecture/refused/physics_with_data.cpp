// SPDX-License-Identifier: Apache-2.0
// expected: physics has no quadrature data of its own
#include <kolam/fem/operator.hpp>

using Host = Kokkos::DefaultHostExecutionSpace;
struct WithData {
  static constexpr int components = 1;
  static constexpr auto reads = kolam::Evaluation::values;
  static constexpr auto writes = kolam::Evaluation::values;
  kolam::QuadratureData<double, 1, Host> data;
  template <class Point>
  KOKKOS_FUNCTION void operator()(Point& at) const {
    at.value[0] = at.data[0] * at.value[0];
  }
};
kolam::fem::Operator<double, 2, Host> refused(const kolam::fem::FunctionSpace<double, 2, Host>& s) {
  return {s, WithData{}};
}
