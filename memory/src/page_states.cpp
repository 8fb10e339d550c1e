// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <kolam/memory/detail/page_states.hpp>

#ifdef __linux__

#include "strict_pages.hpp"

namespace kolam::detail {

bool PageStates::have(PageState state) const {
  return std::find(states_.begin(), states_.end(), state) != states_.end();
}

std::size_t PageStates::end_of_run(std::size_t page) const {
  std::size_t end = page + 1;
  while (end < size() && states_[end] == states_[page]) ++end;
  return end;
}

// Returns the changes at the beginnings of `count` pages from `first` on, and of the page after.
std::size_t PageStates::changes_at(std::size_t first, std::size_t count) const {
  std::size_t sum = 0;
  const std::size_t end = std::min(first + count + 1, size());
  for (std::size_t p = std::max<std::size_t>(first, 1); p < end; ++p) {
    if (states_[p] != states_[p - 1]) ++sum;
  }
  return sum;
}

std::ptrdiff_t PageStates::changes_with(std::size_t first,
                                        const std::vector<PageState>& states) const {
  std::size_t sum = 0;
  for (std::size_t i = 1; i < states.size(); ++i) {
    if (states[i] != states[i - 1]) ++sum;
  }
  const std::size_t end = first + states.size();
  if (first > 0 && states_[first - 1] != states.front()) ++sum;
  if (end < size() && states_[end] != states.back()) ++sum;
  return static_cast<std::ptrdiff_t>(sum) -
         static_cast<std::ptrdiff_t>(changes_at(first, states.size()));
}

void PageStates::count_from(std::size_t first, std::size_t count, std::size_t before) noexcept {
  const std::size_t now = changes_at(first, count);
  changes_ += now - before;
  strict_pages::count_maps(static_cast<std::ptrdiff_t>(now) - static_cast<std::ptrdiff_t>(before));
}

void PageStates::set(std::size_t first, const std::vector<PageState>& states) noexcept {
  const std::size_t before = changes_at(first, states.size());
  std::copy(states.begin(), states.end(), states_.begin() + static_cast<std::ptrdiff_t>(first));
  count_from(first, states.size(), before);
}

void PageStates::set(std::size_t first, std::size_t count, PageState state) noexcept {
  const std::size_t before = changes_at(first, count);
  std::fill_n(states_.begin() + static_cast<std::ptrdiff_t>(first), count, state);
  count_from(first, count, before);
}

void PageStates::clear() noexcept {
  strict_pages::count_maps(-static_cast<std::ptrdiff_t>(changes_));
  changes_ = 0;
  states_ = {};
}

}  // namespace kolam::detail

#endif
