// SPDX-License-Identifier: Apache-2.0
// Runs a sequence of array operations beside the model of it.
#pragma once

#include <Kokkos_Core.hpp>
#include <kolam/memory/emulation.hpp>
#include <kolam/testing/array_steps.hpp>
#include <string>

namespace kolam::testing {

/// Whether arrays made now have two sides.
inline bool arrays_have_two_sides() { return !one_memory || detail::emulating(); }

/// Does these steps, `second` being Where::second, and compares with ArrayModel after each: what
/// was thrown, what was read, and the counters and validity of every array. The first difference in
/// words; "" if there is none.
std::string first_difference(const Steps& steps, const Kokkos::DefaultExecutionSpace& second);

}  // namespace kolam::testing
