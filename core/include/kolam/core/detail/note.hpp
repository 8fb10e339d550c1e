// SPDX-License-Identifier: Apache-2.0
// Notes to the user that are no errors.
#pragma once

#include <string>

namespace kolam::detail {

/// Returns false if the environment variable KOLAM_NOTES is `off`.
bool notes_wanted() noexcept;

/// Writes a note to stderr if notes are wanted.
void note(const std::string& text) noexcept;

}  // namespace kolam::detail
