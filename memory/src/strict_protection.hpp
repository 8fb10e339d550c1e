// SPDX-License-Identifier: Apache-2.0
// The protection of the pages of a window on strict memory, derived from the permissions of the
// bytes on them.
#pragma once

#include <cstddef>
#include <kolam/memory/detail/strict_memory.hpp>

namespace kolam::detail::strict_protection {

/// Returns the beginning of the window's pages.
char* mapped(const StrictWindow& window);
/// Returns the array's values, without protection.
const char* own_values(const StrictWindow& window);
/// Returns the array's bytes on these pages.
ByteRange bytes_on(const StrictWindow& window, std::size_t first, std::size_t last);
/// Returns the page of a byte of the array.
std::size_t page_of(const StrictWindow& window, std::size_t byte);

/// Gives the pages of these bytes the protection that fits their permissions.
void protect(StrictWindow& window, RangeList ranges, StrictFill fill) noexcept;
/// Does the same for one page, without allocating memory; returns false if the system refuses.
bool protect_page(StrictWindow& window, std::size_t page);
/// Opens these unwritten pages.
void open_unwritten(StrictWindow& window, std::size_t first, std::size_t last);
/// Opens all unwritten pages.
void forget_unwritten(StrictWindow& window);

/// Protects all pages, or one page, according to their known states. The pages of a sleeping window
/// are closed.
void apply_states(const StrictWindow& window);
void apply_state(const StrictWindow& window, std::size_t page);

}  // namespace kolam::detail::strict_protection
