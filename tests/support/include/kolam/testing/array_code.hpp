// SPDX-License-Identifier: Apache-2.0
// Sequences of array operations as readable C++ code.
#pragma once

#include <kolam/testing/array_steps.hpp>
#include <string>

namespace kolam::testing {

/// Returns C++ code to paste into a test that includes array_use.hpp and names kolam::testing. It
/// expects the errors that the model predicts; steps without effect are left out.
std::string as_code(const Steps& steps, bool two_sides);

}  // namespace kolam::testing
