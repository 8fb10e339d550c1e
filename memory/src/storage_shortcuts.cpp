// SPDX-License-Identifier: Apache-2.0
// The accesses that the inline `finds` admits.
#include <kolam/memory/detail/storage.hpp>

namespace kolam::detail {

// (To read, the host waits for writers, but not for readers.)
bool Storage::needs_nothing(std::size_t s, const Permit& permit) const {
  const SideState& here = sides_[s];
  if (strict_ || !here.valid.contains(permit.bytes)) return false;
  if (!permit.writes) {
    return permit.user == nullptr ? !here.users.any_writes(permit.bytes)
                                  : here.users.admits_reads(permit.user, permit.bytes);
  }
  if (sides_[1 - s].valid.touches(permit.bytes)) return false;
  return permit.user == nullptr ? here.users.empty(permit.bytes)
                                : here.users.only_writer(permit.bytes) == permit.user;
}

// Updates the shortcuts for all bytes, and for the bytes of the last access if it was of a part.
void Storage::update_shortcuts(const Access* last, Intent intent) {
  const ByteRange all{0, bytes_};
  for (const Side side : {Side::host, Side::device}) {
    const std::size_t s = index(side);
    const SideState& here = sides_[s];
    const bool whole = !strict_ && here.valid.all();
    const auto holds = [&](const Permit& permit) { return needs_nothing(s, permit); };
    const void* writer = &Shortcut::nobody;
    for (const void* const user :
         {here.users.only_writer(all), static_cast<const void*>(nullptr)}) {
      if (whole && holds({user, true, all})) writer = user;
    }
    shortcut(side).set(here.memory, writer, [&](auto admit) {
      if (!whole) return;
      here.users.for_each_reader(all, admit);
      if (holds({nullptr, false, all})) admit(nullptr);
    });
    const Permit* part = nullptr;
    Permit again{};
    if (last != nullptr && last->side == side && !last->ranges.empty()) {
      again = {last->user == nullptr ? nullptr : last->user->key(),
               intent != Intent::read,
               {last->ranges.front().begin, last->ranges.back().end}};
      if (again.bytes.size() > 0 && !shortcut(side).admits(again.user, again.writes)) {
        part = &again;
      }
    }
    shortcut(side).update_parts(part, holds);
  }
}

}  // namespace kolam::detail
