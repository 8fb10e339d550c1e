// SPDX-License-Identifier: Apache-2.0
#include <iterator>
#include <kolam/memory/detail/strict_event.hpp>
#include <new>

namespace kolam::detail {

void StrictEvents::set(ByteRange range, const std::shared_ptr<const StrictEvent>& event) noexcept {
  if (range.size() == 0) return;
  try {
    auto at = by_begin_.upper_bound(range.begin);
    if (at != by_begin_.begin() && std::prev(at)->second.end > range.begin) {
      const auto before = std::prev(at);  // keeps its bytes on either side of the range
      const Entry old = before->second;
      if (old.end > range.end) at = by_begin_.emplace_hint(at, range.end, old);
      before->second.end = range.begin;
      if (before->first == range.begin) by_begin_.erase(before);
    }
    while (at != by_begin_.end() && at->first < range.end) {
      if (at->second.end > range.end) {
        const Entry rest = at->second;
        by_begin_.erase(at);
        at = by_begin_.emplace(range.end, rest).first;
        break;
      }
      at = by_begin_.erase(at);
    }
    if (at != by_begin_.begin()) {  // one entry for adjacent ranges of one event
      const auto before = std::prev(at);
      if (before->second.end == range.begin && before->second.event == event) {
        before->second.end = range.end;
        return;
      }
    }
    by_begin_.emplace_hint(at, range.begin, Entry{range.end, event});
  } catch (const std::bad_alloc&) {
  }
}

const StrictEvent* StrictEvents::find(std::size_t byte) const {
  auto at = by_begin_.upper_bound(byte);
  if (at == by_begin_.begin()) return nullptr;
  --at;
  return byte < at->second.end ? at->second.event.get() : nullptr;
}

}  // namespace kolam::detail
