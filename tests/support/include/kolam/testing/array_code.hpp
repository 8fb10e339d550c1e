// SPDX-License-Identifier: Apache-2.0
// Sequences of array operations, as a person would write them.
#pragma once

#include <kolam/testing/array_steps.hpp>
#include <string>

namespace kolam::testing {

/// C++ to paste into a test that includes array_use.hpp and names kolam::testing; what the model
/// says is thrown is expected. Steps that do nothing are left out.
std::string as_code(const Steps& steps, bool two_sides);

}  // namespace kolam::testing
