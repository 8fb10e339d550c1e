// SPDX-License-Identifier: Apache-2.0
// expected: the integrand's geometry is of another dimension
#include <kolam/kernels/element/geometry.hpp>

using Host = Kokkos::DefaultHostExecutionSpace;
template void kolam::detail::require_integrand<
    2, double, Host, kolam::OnStored<kolam::Diffusion<>, double, 3, Host>>();
