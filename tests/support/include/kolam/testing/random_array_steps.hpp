// SPDX-License-Identifier: Apache-2.0
// Random sequences of array operations that mostly make sense.
#pragma once

#include <kolam/testing/array_steps.hpp>
#include <random>

namespace kolam::testing {

/// `count` steps, the same for the same state of `random`. A few of them are meant to throw.
Steps random_array_steps(std::mt19937& random, bool two_sides, std::size_t count);

}  // namespace kolam::testing
