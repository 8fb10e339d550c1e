// SPDX-License-Identifier: Apache-2.0
// The fast path of accesses to one side of an array that need no work, without a lock.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <kolam/memory/detail/byte_ranges.hpp>

namespace kolam::detail {

/// The permission of a user to read, or to write, some bytes. Null as a user means host code.
struct Permit {
  const void* user;
  bool writes;
  ByteRange bytes;

  bool covers(const Permit& other) const {
    return user == other.user && (writes || !other.writes) && bytes.begin <= other.bytes.begin &&
           other.bytes.end <= bytes.end;
  }
};

/// The permits of one side. Any thread may query them, one at a time may change them. Users that do
/// not fit take the slow path.
class Shortcut {
 public:
  /// Returns whether `user` may read, or write, any bytes.
  bool admits(const void* user, bool writes) const {
    const auto& first = writes ? writer_ : readers_[0];
    return first.load(std::memory_order_acquire) == user || (!writes && reads_too(user));
  }
  /// Returns whether a permitted part covers this one.
  bool admits(const Permit& asked) const {
    const std::uint32_t version = version_.load(std::memory_order_acquire);
    if (version % 2 != 0) return false;  // a change is in progress
    const std::size_t n = parts_in_use_.load(std::memory_order_relaxed);
    bool found = false;
    for (std::size_t i = 0; i < n && !found; ++i) found = parts_[i].load().covers(asked);
    std::atomic_thread_fence(std::memory_order_acquire);
    return found && version_.load(std::memory_order_relaxed) == version;
  }
  /// Returns the start of the side's memory, after `admits` has returned true.
  void* memory() const { return memory_.load(std::memory_order_relaxed); }

  /// Replaces the permits for all bytes: `list` calls its argument with each reader's key.
  template <class List>
  void set(void* memory, const void* writer, List list) {
    memory_.store(memory, std::memory_order_relaxed);
    std::size_t n = 0;
    list([&](const void* reader) {
      if (n < readers_.size()) readers_[n++].store(reader, std::memory_order_release);
    });
    while (n < readers_.size()) readers_[n++].store(&nobody, std::memory_order_release);
    writer_.store(writer, std::memory_order_release);
  }
  /// Keeps the parts that still hold, and adds `one` if it holds: joined with another part if both
  /// together hold, else as a part of its own, which replaces the oldest one if there is no space.
  template <class Holds>
  void update_parts(const Permit* one, Holds holds) {
    if (one == nullptr && parts_in_use_.load(std::memory_order_relaxed) == 0) return;
    const std::uint32_t version = version_.load(std::memory_order_relaxed);
    version_.store(version + 1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    std::size_t kept = 0;
    Permit joined = one != nullptr ? *one : Permit{};
    for (std::size_t i = 0; i < parts_in_use_.load(std::memory_order_relaxed); ++i) {
      const Permit part = parts_[i].load();
      if (!holds(part)) continue;
      if (one != nullptr && part.user == joined.user && part.writes == joined.writes) {
        const Permit both{part.user,
                          part.writes,
                          {std::min(part.bytes.begin, joined.bytes.begin),
                           std::max(part.bytes.end, joined.bytes.end)}};
        if (holds(both)) {
          joined = both;
          continue;
        }
      }
      parts_[kept++].store(part);
    }
    if (one != nullptr && holds(joined)) {
      if (kept == parts_.size()) {
        for (std::size_t i = 1; i < kept; ++i) parts_[i - 1].store(parts_[i].load());
        --kept;
      }
      parts_[kept++].store(joined);
    }
    parts_in_use_.store(kept, std::memory_order_relaxed);
    version_.store(version + 2, std::memory_order_release);
  }

  inline static const char nobody = 0;  // its address is the key of no user

 private:
  bool reads_too(const void* user) const {
    for (std::size_t i = 1; i < readers_.size(); ++i) {
      const void* const reader = readers_[i].load(std::memory_order_acquire);
      if (reader == user) return true;
      if (reader == &nobody) return false;
    }
    return false;
  }

  // A part, each word atomic by itself: the version tells whether they belong together.
  struct Part {
    std::atomic<const void*> user{&nobody};
    std::atomic<bool> writes{false};
    std::atomic<std::size_t> begin{0};
    std::atomic<std::size_t> end{0};

    Permit load() const {
      return {user.load(std::memory_order_relaxed),
              writes.load(std::memory_order_relaxed),
              {begin.load(std::memory_order_relaxed), end.load(std::memory_order_relaxed)}};
    }
    void store(const Permit& it) {
      user.store(it.user, std::memory_order_relaxed);
      writes.store(it.writes, std::memory_order_relaxed);
      begin.store(it.bytes.begin, std::memory_order_relaxed);
      end.store(it.bytes.end, std::memory_order_relaxed);
    }
  };

  std::array<std::atomic<const void*>, 8> readers_{&nobody, &nobody, &nobody, &nobody,
                                                   &nobody, &nobody, &nobody, &nobody};
  std::atomic<const void*> writer_{&nobody};
  std::atomic<void*> memory_{nullptr};
  std::atomic<std::uint32_t> version_{0};  // odd while the parts change
  std::atomic<std::size_t> parts_in_use_{0};
  std::array<Part, 4> parts_;
};

}  // namespace kolam::detail
