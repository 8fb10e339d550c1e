// SPDX-License-Identifier: Apache-2.0
// expected: a stencil is trivially copyable and called with the neighbours of each field
#include <kolam/grid/stencil_operator.hpp>

struct Step {
  static constexpr int dimensions = 2;
  static constexpr int coefficients = 2;
  template <class U>
  KOKKOS_FUNCTION auto operator()(const U& u, double k) const {
    return k * u.center();
  }
};

using Host = Kokkos::DefaultHostExecutionSpace;
auto make(const Host& exec) {
  return kolam::grid::stencil_operator<double>(exec, Step{}, kolam::grid::Grid<2>{{4, 4}});
}
