// SPDX-License-Identifier: Apache-2.0
// The code of the guides that assembles matrices: only in builds with Kokkos Kernels.
#include <kolam/fem/assemble.hpp>
#include <kolam/kolam.hpp>

namespace matrix_calls {

using Exec = Kokkos::DefaultExecutionSpace;
using Laplace = kolam::fem::Operator<double, 3, Exec>;

// docs/guides/finite-elements.md
void assemble(const Laplace& a) { const auto matrix = kolam::fem::assemble(a); }

}  // namespace matrix_calls
