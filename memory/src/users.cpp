// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <kolam/memory/detail/users.hpp>

namespace kolam::detail {
namespace {

bool overlap(ByteRange a, ByteRange b) { return a.begin < b.end && b.begin < a.end; }
bool covers(ByteRange a, ByteRange b) { return a.begin <= b.begin && b.end <= a.end; }

}  // namespace

void Users::admit(ByteRange range, const Instance* user, bool writes, const std::string& why) {
  if (range.size() == 0) return;
  std::vector<const void*> ordered;  // instances that `user` already comes after
  for (std::size_t i = 0; i < uses_.size();) {
    const Use& use = uses_[i];
    const bool conflict =
        overlap(use.range, range) && (use.writes || writes) &&
        !(user != nullptr && *user == use.instance) &&
        std::find(ordered.begin(), ordered.end(), use.instance.key()) == ordered.end();
    if (!conflict) {
      ++i;
      continue;
    }
    const Instance earlier = use.instance;
    bool over = true;
    if (user != nullptr) {
      over = user->wait_for(earlier, why);
    } else {
      earlier.fence(why);
    }
    if (over) {
      cut(range, &earlier, !writes);
      i = 0;
    } else {
      ordered.push_back(earlier.key());
      ++i;
    }
  }
  if (user == nullptr) return;

  const auto same = [&](const Use& use) { return use.instance == *user; };
  if (std::any_of(uses_.begin(), uses_.end(), [&](const Use& use) {
        return same(use) && covers(use.range, range) && (use.writes || !writes);
      })) {
    return;
  }
  // Whoever waits for a writer waits for all that it came after, and for its own reads.
  Use added{range, *user, writes};
  uses_.reserve(2 * uses_.size() + 1);
  if (writes) cut(range, nullptr, false);
  for (std::size_t i = 0; i < uses_.size();) {  // joins what touches
    const Use& use = uses_[i];
    if (same(use) && use.writes == writes && use.range.begin <= added.range.end &&
        added.range.begin <= use.range.end) {
      added.range = {std::min(use.range.begin, added.range.begin),
                     std::max(use.range.end, added.range.end)};
      uses_.erase(uses_.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      ++i;
    }
  }
  uses_.push_back(added);
}

void Users::cut(ByteRange range, const Instance* of, bool writes_only) {
  for (std::size_t i = 0; i < uses_.size();) {
    if (!overlap(uses_[i].range, range) || (of != nullptr && !(uses_[i].instance == *of)) ||
        (writes_only && !uses_[i].writes)) {
      ++i;
      continue;
    }
    const Use rest{{range.end, uses_[i].range.end}, uses_[i].instance, uses_[i].writes};
    const bool before = uses_[i].range.begin < range.begin;
    const bool behind = range.end < uses_[i].range.end;
    if (before && behind) uses_.push_back(rest);  // the only step that can throw, and the first
    if (before) {
      uses_[i++].range.end = range.begin;
    } else if (behind) {
      uses_[i++].range.begin = range.end;
    } else {
      uses_.erase(uses_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
}

bool Users::empty(std::size_t size) const {
  return std::none_of(uses_.begin(), uses_.end(),
                      [&](const Use& use) { return use.range.begin < size; });
}

bool Users::any_writes(std::size_t size) const {
  return std::any_of(uses_.begin(), uses_.end(),
                     [&](const Use& use) { return use.writes && use.range.begin < size; });
}

const Use* Users::whole(std::size_t size) const {
  const Use* found = nullptr;
  for (const Use& use : uses_) {
    if (use.range.begin >= size) continue;
    if (found != nullptr || !covers(use.range, {0, size})) return nullptr;
    found = &use;
  }
  return found;
}

const Instance* Users::writer(ByteRange range) const {
  const auto use = std::find_if(uses_.begin(), uses_.end(),
                                [&](const Use& u) { return u.writes && overlap(u.range, range); });
  return use == uses_.end() ? nullptr : &use->instance;
}

void Users::finish(const std::string& why) {
  while (!uses_.empty()) {
    const Instance instance = uses_.back().instance;
    instance.fence(why);
    std::erase_if(uses_, [&](const Use& use) { return use.instance == instance; });
  }
}

}  // namespace kolam::detail
