// SPDX-License-Identifier: Apache-2.0
// How Kokkos passes a loop's body to a device.
#pragma once

#include <Kokkos_Core.hpp>
#include <type_traits>

namespace kolam::detail {

// A GPU launch takes up to 4 KB of arguments. Kokkos copies a body of more than 512 bytes through a
// buffer that all streams of a device share, and the host waits for the last kernel that used the
// buffer. With the hint, the body is an argument of the launch. (The margin is for Kokkos' data.)
template <class Body>
using LaunchWeight = std::conditional_t<sizeof(Body) < 3584,
                                        Kokkos::Experimental::WorkItemProperty::HintLightWeight_t,
                                        Kokkos::Experimental::WorkItemProperty::None_t>;

}  // namespace kolam::detail
