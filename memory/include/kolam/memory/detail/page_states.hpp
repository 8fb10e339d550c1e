// SPDX-License-Identifier: Apache-2.0
// What the pages of a window on strict memory allow, and the maps that it takes to say so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kolam::detail {

/// What may be done with the bytes of a page.
enum class PageState : std::uint8_t {
  closed,     // nothing
  read,       // all may be read, none written
  open,       // all may be read and written
  partly,     // all may be read, some written: each write is judged
  mixed,      // each access is judged
  unwritten,  // all may be read and written, and nothing was written since it was poisoned
};

/// The states of all pages of a window. Pages whose states differ from those before them cost the
/// process a map each, which is counted here.
class PageStates {
 public:
  /// So many pages that allow nothing yet.
  explicit PageStates(std::size_t count) : states_(count, PageState::closed) {}

  std::size_t size() const { return states_.size(); }
  bool empty() const { return states_.empty(); }
  PageState operator[](std::size_t page) const { return states_[page]; }
  bool have(PageState state) const;
  /// One past the last page of those from `page` on that are alike.
  std::size_t end_of_run(std::size_t page) const;
  /// How often a page differs from the one before it.
  std::size_t changes() const { return changes_; }
  /// How many changes more there were with these states from `first` on.
  std::ptrdiff_t changes_with(std::size_t first, const std::vector<PageState>& states) const;

  void set(std::size_t first, const std::vector<PageState>& states) noexcept;
  /// `count` pages alike.
  void set(std::size_t first, std::size_t count, PageState state) noexcept;
  /// There are no pages any more.
  void clear() noexcept;

 private:
  std::size_t changes_at(std::size_t first, std::size_t count) const;
  void count_from(std::size_t first, std::size_t count, std::size_t before) noexcept;

  std::vector<PageState> states_;
  std::size_t changes_ = 0;
};

}  // namespace kolam::detail
