// SPDX-License-Identifier: Apache-2.0
// The bit pattern that marks unwritten bytes in strict memory.
#pragma once

namespace kolam::detail::strict_poison {

/// Poisons these bytes with NaNs, as double and as float, that programs hardly ever write.
void fill(char* begin, const char* end);
/// Returns the first byte that was written, or `end`, which is at most a page away.
const char* written(const char* begin, const char* end);
/// Returns whether any aligned group of eight bytes, or its part in this range, is all poison.
bool any(const char* begin, const char* end);

}  // namespace kolam::detail::strict_poison
