// SPDX-License-Identifier: Apache-2.0
// The accesses that the pages of a strict window allow, and the memory maps that they cost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kolam::detail {

/// The accesses that a page allows.
enum class PageState : std::uint8_t {
  closed,     // none
  read,       // all bytes may be read, none written
  open,       // all bytes may be read and written
  partly,     // all bytes may be read, some written: each write is judged
  mixed,      // each access is judged
  unwritten,  // all bytes may be read and written, but none was written since poisoning
};

/// The states of all pages of a window. Each page whose state differs from the page before costs
/// the process a memory map; the class counts these changes.
class PageStates {
 public:
  /// Creates `count` closed pages.
  explicit PageStates(std::size_t count) : states_(count, PageState::closed) {}

  std::size_t size() const { return states_.size(); }
  bool empty() const { return states_.empty(); }
  PageState operator[](std::size_t page) const { return states_[page]; }
  bool have(PageState state) const;
  /// Returns one past the last page of the run of equal states that contains `page`.
  std::size_t end_of_run(std::size_t page) const;
  /// Returns the number of pages whose state differs from the page before.
  std::size_t changes() const { return changes_; }
  /// Returns by how much changes() would grow with these states from `first` on.
  std::ptrdiff_t changes_with(std::size_t first, const std::vector<PageState>& states) const;

  void set(std::size_t first, const std::vector<PageState>& states) noexcept;
  /// Gives `count` pages the same state.
  void set(std::size_t first, std::size_t count, PageState state) noexcept;
  /// Removes all pages.
  void clear() noexcept;

 private:
  std::size_t changes_at(std::size_t first, std::size_t count) const;
  void count_from(std::size_t first, std::size_t count, std::size_t before) noexcept;

  std::vector<PageState> states_;
  std::size_t changes_ = 0;
};

}  // namespace kolam::detail
