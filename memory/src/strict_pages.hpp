// SPDX-License-Identifier: Apache-2.0
// Pages of strict emulation, and the memory maps that they cost: their number is limited.
#pragma once

#include <cstddef>

namespace kolam::detail::strict_pages {

std::size_t page_bytes();

/// Returns pages that may be mapped a second time; null if there are none. Neither this function
/// nor those below are thread-safe.
char* allocate(std::size_t bytes);
void free(char* pages, std::size_t bytes) noexcept;

/// Returns address space without access; null if there is none.
char* reserve(std::size_t bytes);
void unreserve(char* address, std::size_t bytes) noexcept;
/// Maps `pages` once more at `address`, without access yet; returns whether this succeeded.
bool show(char* pages, std::size_t bytes, char* address);
/// Turns these pages back into address space without memory.
void hide(char* address, std::size_t bytes) noexcept;

/// Returns the most maps that a process may have (vm.max_map_count).
std::size_t most_maps();
/// Adds `more`, which may be negative, to the count of kolam's maps.
void count_maps(std::ptrdiff_t more) noexcept;
/// Returns whether there may be `more` maps; a sixteenth of all is left to others.
bool maps_left(std::size_t more);

/// Called around a fork. The child gets copies of the pages: its writes do not reach the parent.
void before_fork() noexcept;
void after_fork_in_parent() noexcept;
/// Every window must be mapped again by `show` after this call.
void after_fork_in_child() noexcept;

}  // namespace kolam::detail::strict_pages
