// SPDX-License-Identifier: Apache-2.0
// Random sequences of mostly valid array operations.
#pragma once

#include <kolam/testing/array_steps.hpp>
#include <random>

namespace kolam::testing {

/// Returns `count` steps, reproducible from the state of `random`. A few are meant to throw.
Steps random_array_steps(std::mt19937& random, bool two_sides, std::size_t count);

}  // namespace kolam::testing
