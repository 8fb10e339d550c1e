// SPDX-License-Identifier: Apache-2.0
// Choices that the user makes by environment variables.
#pragma once

namespace kolam::detail {

/// Whether `variable` is 1; `otherwise` if it is unset or empty. Throws InvalidArgument if it is
/// neither 0 nor 1.
bool environment_flag(const char* variable, bool otherwise);

}  // namespace kolam::detail
