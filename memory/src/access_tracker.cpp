// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <kolam/memory/detail/access_tracker.hpp>

namespace kolam::detail {

AccessTracker::Use& AccessTracker::use_of(const AnyInstance& user) {
  const auto found = std::find_if(uses_.begin(), uses_.end(),
                                  [&](const Use& use) { return use.instance == user; });
  return found == uses_.end() ? uses_.emplace_back(Use{user}) : *found;
}

void AccessTracker::admit(RangeList ranges, const AnyInstance* user, bool writes,
                          const std::string& why) {
  std::erase_if(uses_, [](const Use& use) { return use.reads.none() && use.writes.none(); });
  Use* const own = user == nullptr ? nullptr : &use_of(*user);
  if (own != nullptr && !writes && own->admits_reads(ranges)) return;
  for (Use& use : uses_) {  // only the waits below can fail then
    use.reads.reserve(ranges.size());
    use.writes.reserve(ranges.size());
  }
  const auto forget = [&](Use& use) {
    use.writes.remove(ranges);
    if (writes) use.reads.remove(ranges);
  };
  for (Use& use : uses_) {
    if (&use == own) continue;
    if (!use.writes.touches(ranges) && !(writes && use.reads.touches(ranges))) continue;
    bool over = true;
    if (user != nullptr) {
      over = user->wait_for(use.instance, why);
    } else {
      use.instance.fence(why);
    }
    if (over) forget(use);
  }
  if (own == nullptr) return;
  if (writes) {  // waiting for this writer includes all earlier accesses, and its own reads
    for (Use& use : uses_) forget(use);
    own->writes.add(ranges);
  } else {
    own->reads.add(ranges);
  }
}

bool AccessTracker::empty(ByteRange range) const {
  return std::none_of(uses_.begin(), uses_.end(), [&](const Use& use) {
    return use.reads.touches(range) || use.writes.touches(range);
  });
}

bool AccessTracker::any_writes(ByteRange range) const {
  return std::any_of(uses_.begin(), uses_.end(),
                     [&](const Use& use) { return use.writes.touches(range); });
}

const void* AccessTracker::only_writer(ByteRange range) const {
  const Use* found = nullptr;
  for (const Use& use : uses_) {
    if (!use.reads.touches(range) && !use.writes.touches(range)) continue;
    if (found != nullptr) return nullptr;
    found = &use;
  }
  return found != nullptr && found->writes.contains(range) ? found->instance.key() : nullptr;
}

bool AccessTracker::admits_reads(const void* key, ByteRange range) const {
  return std::any_of(uses_.begin(), uses_.end(), [&](const Use& use) {
    return use.instance.key() == key && use.admits_reads(range);
  });
}

const AnyInstance* AccessTracker::writer(RangeList ranges) const {
  const auto use = std::find_if(uses_.begin(), uses_.end(),
                                [&](const Use& u) { return u.writes.touches(ranges); });
  return use == uses_.end() ? nullptr : &use->instance;
}

void AccessTracker::finish(const std::string& why) {
  for (; !uses_.empty(); uses_.pop_back()) {
    const Use& use = uses_.back();
    if (!use.reads.none() || !use.writes.none()) use.instance.fence(why);
  }
}

}  // namespace kolam::detail
