// SPDX-License-Identifier: Apache-2.0
// Checked output to stdout, which may be closed.
#pragma once

#include <string_view>

namespace kolam::app {

/// Opens closed standard streams, so that no file opened later becomes stdout, and turns writing to
/// a closed pipe or past a size limit into an error instead of a signal that ends the program.
void guard_standard_streams();

/// Writes `text` to stdout at once. Throws FileError if not all of it arrives.
void print(std::string_view text);

}  // namespace kolam::app
