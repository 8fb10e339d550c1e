// SPDX-License-Identifier: Apache-2.0
// The bits that stand for "nobody has written here" in strict memory.
#pragma once

namespace kolam::detail::strict_poison {

/// Poisons these bytes: NaN as double and as float, and hardly anything that a program writes.
void fill(char* begin, const char* end);
/// The first byte that was written, or `end`, which is at most a page away.
const char* written(const char* begin, const char* end);
/// Whether eight bytes that lie together, or what is in this range of such eight, are all poison.
bool any(const char* begin, const char* end);

}  // namespace kolam::detail::strict_poison
