// SPDX-License-Identifier: Apache-2.0
// stdout that is checked, and that may be closed.
#pragma once

#include <string_view>

namespace kolam::app {

/// Fills the places of closed standard streams, so that no file opened later becomes stdout, and
/// makes writing to a closed pipe or past a size limit an error instead of a silent death.
void guard_standard_streams();

/// Writes `text` to stdout at once. Throws FileError if not all of it arrives.
void print(std::string_view text);

}  // namespace kolam::app
