// SPDX-License-Identifier: Apache-2.0
// Pages of strict emulation, and the maps that they cost: a process may have only so many.
#pragma once

#include <cstddef>

namespace kolam::detail::strict_pages {

std::size_t page_bytes();

/// Pages that may be mapped a second time; null if there are none. Not safe from several threads,
/// as all that follows.
char* allocate(std::size_t bytes);
void free(char* pages, std::size_t bytes) noexcept;

/// Address space without access; null if there is none.
char* reserve(std::size_t bytes);
void unreserve(char* address, std::size_t bytes) noexcept;
/// Shows `pages` once more at `address`, without access yet.
bool show(char* pages, std::size_t bytes, char* address);
/// Makes that mere address space again.
void hide(char* address, std::size_t bytes) noexcept;

/// The most maps that a process may have (vm.max_map_count).
std::size_t most_maps();
/// Ours are `more` than before, or less.
void count_maps(std::ptrdiff_t more) noexcept;
/// Whether there may be `more` of them; a sixteenth of all is left to others.
bool maps_left(std::size_t more);

/// Around a fork. The child's pages are copies: what it writes does not reach the parent.
void before_fork() noexcept;
void after_fork_in_parent() noexcept;
/// Every window has to be shown again after it.
void after_fork_in_child() noexcept;

}  // namespace kolam::detail::strict_pages
