// SPDX-License-Identifier: Apache-2.0
// How a loop's body gets to a device.
#pragma once

#include <Kokkos_Core.hpp>
#include <type_traits>

namespace kolam::detail {

// A GPU takes 4 KB of arguments with a launch. Kokkos sends a body of more than 512 bytes through a
// buffer that all streams of a device share, and makes the host wait for the last kernel that used
// it; with the hint the body goes along with the launch. (The margin is for Kokkos' own part.)
template <class Body>
using LaunchWeight = std::conditional_t<sizeof(Body) < 3584,
                                        Kokkos::Experimental::WorkItemProperty::HintLightWeight_t,
                                        Kokkos::Experimental::WorkItemProperty::None_t>;

}  // namespace kolam::detail
