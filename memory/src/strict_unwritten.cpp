// SPDX-License-Identifier: Apache-2.0
// Detection of reads, before the first write, of values that an intent is to replace. Such values
// are poisoned, and their pages closed: a page opens when it is written to. With a closer look
// (KOLAM_STRICT_READS) it stays closed until no value on it is poison any more, and each access is
// let through singly.
#include "strict_windows.hpp"

#ifdef __linux__

#include <algorithm>

#include "strict_pages.hpp"
#include "strict_poison.hpp"
#include "strict_protection.hpp"

namespace kolam::detail {
namespace {

// The most accesses that are let through singly after an intent, at some microseconds each;
// afterwards pages open when they are written to.
constexpr std::size_t most_steps = 4096;

// The number of adjacent bytes by which poison is told from values.
constexpr std::size_t together = 8;

bool all_poison(const StrictWindow& window, ByteRange bytes) {
  const char* const values = strict_protection::own_values(window);
  const char* const end = values + bytes.end;
  return strict_poison::written(values + bytes.begin, end) == end;
}

}  // namespace

// Returns whether this value, on a page whose accesses are judged singly, was never written.
bool StrictWindows::before_writes(const StrictWindow& window, std::size_t page, std::size_t byte) {
  const StrictArray& array = *window.array;
  const PageState state = window.pages[page];
  const bool in_part = state == PageState::mixed || state == PageState::partly;
  // (Libraries may copy unwritten values.)
  if (in_part && (!array.looks_closer || running_code() == CodeOf::both)) return false;
  if (!in_part && state != PageState::unwritten) return false;
  // The whole value is tested, because parts of it may be padding.
  const std::size_t value = byte / array.value_bytes * array.value_bytes;
  const std::size_t end = (value + array.value_bytes + together - 1) / together * together;
  return all_poison(window, {value / together * together, std::min(end, array.bytes)});
}

// Handles an access to a page that is unwritten, at least in part.
StrictVerdict StrictWindows::at_unwritten(StrictWindow& window, std::size_t page, bool writes) {
  using Kind = StrictVerdict::Kind;
  if (window.array->looks_closer) {
    const ByteRange bytes = strict_protection::bytes_on(window, page, page);
    const char* const values = strict_protection::own_values(window);
    if (strict_poison::any(values + bytes.begin, values + bytes.end) && window.steps < most_steps) {
      ++window.steps;
      return {Kind::step, {}, window.closed_key};
    }
  }
  // The loop will probably write the next pages too: the more it wrote, the more are opened.
  std::size_t last = page;
  const std::size_t most = writes ? page + window.first_writes / 8 : page;
  while (last < most && last + 1 < window.pages.size() &&
         window.pages[last + 1] == PageState::unwritten) {
    ++last;
  }
  window.first_writes += last - page + 1;
  strict_protection::open_unwritten(window, page, last);
  return {Kind::again, {}};
}

void StrictWindows::scope_of_both_begins() {
  const std::scoped_lock lock(guard);
  for (StrictWindow* window : open_) {
    if (window->asleep && window->side == Side::device) wake(*window);
    if (window->pages.have(PageState::unwritten)) strict_protection::forget_unwritten(*window);
  }
}

}  // namespace kolam::detail

#endif
