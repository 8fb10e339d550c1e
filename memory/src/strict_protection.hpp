// SPDX-License-Identifier: Apache-2.0
// The protection of the pages of a window on strict memory: it follows from what may be done with
// the bytes on them.
#pragma once

#include <cstddef>
#include <kolam/memory/detail/strict_memory.hpp>

namespace kolam::detail::strict_protection {

/// Where the window's pages begin.
char* mapped(const StrictWindow& window);
/// The array's values without protection.
const char* own_values(const StrictWindow& window);
/// The array's bytes on these pages.
ByteRange bytes_on(const StrictWindow& window, std::size_t first, std::size_t last);
/// The page of a byte of the array.
std::size_t page_of(const StrictWindow& window, std::size_t byte);

/// Gives the pages of these bytes the protection that fits what may be done with them.
void protect(StrictWindow& window, RangeList ranges, StrictFill fill) noexcept;
/// The same of one page, without taking memory; false if the system refuses.
bool protect_page(StrictWindow& window, std::size_t page);
/// Opens pages that nobody had written to.
void open_unwritten(StrictWindow& window, std::size_t first, std::size_t last);
/// Opens all of them.
void forget_unwritten(StrictWindow& window);

/// Protects the pages as their states say, which are known already: all of them, or one. Those of a
/// window that is asleep are closed.
void apply_states(const StrictWindow& window);
void apply_state(const StrictWindow& window, std::size_t page);

}  // namespace kolam::detail::strict_protection
