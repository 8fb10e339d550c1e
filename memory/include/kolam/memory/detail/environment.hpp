// SPDX-License-Identifier: Apache-2.0
// Settings from environment variables.
#pragma once

namespace kolam::detail {

/// Returns whether `variable` is 1; `otherwise` if it is unset or empty. Throws InvalidArgument if
/// it is neither 0 nor 1.
bool environment_flag(const char* variable, bool otherwise);

}  // namespace kolam::detail
