// SPDX-License-Identifier: Apache-2.0
// Runs a sequence of array operations and compares them with their model.
#pragma once

#include <Kokkos_Core.hpp>
#include <kolam/memory/emulation.hpp>
#include <kolam/testing/array_steps.hpp>
#include <string>

namespace kolam::testing {

/// Returns whether arrays made now have two sides.
inline bool arrays_have_two_sides() { return !one_memory || detail::emulating(); }

/// Runs these steps, with `second` as Where::second, and compares with ArrayModel after each:
/// errors, values read, and the counters and validity of every array. Returns the first difference
/// in words, or "".
std::string first_difference(const Steps& steps, const Kokkos::DefaultExecutionSpace& second);

}  // namespace kolam::testing
