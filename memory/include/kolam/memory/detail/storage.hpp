// SPDX-License-Identifier: Apache-2.0
// The memory of an array: both sides, allocated on first use, their valid bytes, and the pending
// accesses to them. Independent of the element type, so it is compiled once.
#pragma once

#include <cstddef>
#include <kolam/core/any_instance.hpp>
#include <kolam/core/source_location.hpp>
#include <kolam/memory/detail/access_tracker.hpp>
#include <kolam/memory/detail/allocation.hpp>
#include <kolam/memory/detail/byte_ranges.hpp>
#include <kolam/memory/detail/shortcut.hpp>
#include <kolam/memory/detail/strict_memory.hpp>
#include <kolam/memory/detail/transfer_log.hpp>
#include <kolam/memory/memory_kind.hpp>
#include <kolam/memory/side.hpp>
#include <kolam/memory/sync_policy.hpp>
#include <kolam/memory/transfers.hpp>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace kolam::detail {

enum class Intent { read, write, read_write };

/// A request of a user for bytes of a side. Null as a user means host code, which is synchronous.
struct Access {
  Side side;
  RangeList ranges;  // ascending, not touching
  const AnyInstance* user;
  SourceLocation where;
};

/// The size and alignment of an array's values, in bytes.
struct ValueType {
  std::size_t bytes;
  std::size_t alignment;
};
template <class T>
inline constexpr ValueType value_type_of{sizeof(T), alignof(T)};

/// Existing memory of a caller; null for a side that has none.
struct Lent {
  void* host = nullptr;
  void* device = nullptr;
  bool host_valid = false;
  bool device_valid = false;
  std::shared_ptr<void> owner;  // keeps the memory alive
  bool read_only = false;       // the values are const
  bool adopted = false;         // no other code uses the memory
};

/// One side of an array: its memory, its valid bytes and the pending accesses to it.
struct SideState {
  explicit SideState(std::size_t bytes) : valid(bytes) {}

  void* memory = nullptr;  // null until its first use
  bool lent = false;       // `memory` is the caller's
  Allocation block;        // the allocation of `memory`, unless it is lent or strict
  ByteRanges valid;        // the bytes that hold the newest values
  AccessTracker users;     // the pending accesses
};

/// The storage of an array and its aliases. Thread-safe; an access that throws changes nothing. An
/// access to valid values that need not wait for other work takes the inline `finds`, without a
/// lock.
class Storage {
 public:
  Storage(const std::string& label, std::size_t bytes, const ValueType& type, MemoryKind kind,
          const Lent& lent = {});
  ~Storage();
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;
  Storage(Storage&&) = delete;
  Storage& operator=(Storage&&) = delete;

  /// Returns whether a user (null: the host) may read, or write, any bytes at `memory` right away.
  bool finds(Side side, Intent intent, const void* user) {
    if (!shortcut(side).admits(user, intent != Intent::read)) return false;
    if (intent != Intent::write) log_.avoided();
    return true;
  }
  /// The same for these bytes, if the array is valid in part.
  bool finds(Side side, Intent intent, const void* user, ByteRange bytes) {
    if (!shortcut(side).admits({user, intent != Intent::read, bytes})) return false;
    if (intent != Intent::write) log_.avoided();
    return true;
  }
  /// Returns the start of that side's memory, after `finds` has returned true.
  void* memory(Side side) const { return shortcut(side).memory(); }

  /// Throws NotRunning unless Kokkos runs. Call it before making an AnyInstance for an Access.
  void require_running() const;
  /// Makes the newest values of these bytes valid on that side and returns its memory. If they are
  /// written, the other side becomes stale. Throws as documented for Array.
  void* access(Intent intent, const Access& access);
  /// Copies stale values, under any policy.
  void sync(const Access& access);
  /// Records a write that the caller has already made.
  void modified(const Access& access);
  /// Waits for all work on a side and returns its memory as it is.
  void* mirror(Side side);
  /// Frees a side; values that only this side has are copied to the other (`carry`), or lost.
  void drop(Side side, bool carry, SourceLocation where);

  bool valid(Side side, RangeList ranges) const;
  const std::string& label() const { return log_.label(); }
  Transfers transfers() const { return log_.counts(); }
  MemoryKind kind() const { return kind_; }
  /// Returns whether host and device are one memory here.
  bool one_side() const { return device_ == 0; }

  void set_policy(const std::optional<SyncPolicy>& policy);
  SyncPolicy policy() const;
  std::optional<SyncPolicy> own_policy() const;
  /// Returns whether the MemoryKind has this side; `require_side` throws AccessError if not.
  bool has(Side side) const;
  void require_side(Side side) const;

  /// Sets how the memory ends with this object ("resized", ...), for reports of strict emulation;
  /// the first call counts.
  void ends(const char* how, SourceLocation where);
  /// Releases the memory of the sides, with its values, before Kokkos ends; lent memory stays.
  void close();

 private:
  friend class StoragePair;
  class Work;

  std::size_t index(Side side) const { return side == Side::host ? 0 : device_; }
  std::string values(ByteRange range) const;
  const SyncPolicy& policy_in_force() const;
  void require_written(RangeList ranges) const;
  void require_device(std::size_t s, const AnyInstance* user, SourceLocation where) const;
  std::vector<ByteRange> stale(std::size_t s, RangeList ranges) const;
  void allocate(std::size_t s, const AnyInstance* user);
  void refresh(std::size_t s, const Access& access, bool asked_for);
  void give_back(std::size_t s);
  void leave_lent_memory() noexcept;
  void report_lost_values() const noexcept;
  void reserve_for(RangeList ranges);
  void mark_written(std::size_t s, RangeList ranges);
  bool needs_nothing(std::size_t s, const Permit& permit) const;
  void update_shortcuts(const Access* last = nullptr, Intent intent = Intent::read);
  void* admit_strictly(const char* what, std::size_t s, const Access& access, bool writes,
                       bool grants, StrictFill fill);

  Shortcut& shortcut(Side side) { return shortcuts_[static_cast<std::size_t>(side)]; }
  const Shortcut& shortcut(Side side) const { return shortcuts_[static_cast<std::size_t>(side)]; }

  Shortcut shortcuts_[2];  // by Side, also if there is one side
  TransferLog log_;
  std::string name_;  // "array 'u'", for messages and fences

  mutable std::mutex guard_;
  std::size_t bytes_;
  ValueType type_;
  MemoryKind kind_;
  std::size_t device_;  // index of the device side: 0 if there is one side
  SideState sides_[2];  // only the first is used if there is one side
  bool tracks_users_;
  bool returns_values_;  // the lender uses the memory after the array's end
  std::shared_ptr<void> owner_;
  std::optional<SyncPolicy> policy_;
  std::unique_ptr<StrictMemory> strict_;  // in strict emulation
};

/// Calls `ends` if this pointer is the last one to the storage.
inline void ends(const std::shared_ptr<Storage>& storage, const char* how, SourceLocation where) {
  if (storage != nullptr && storage.use_count() == 1) storage->ends(how, where);
}

/// Copies bytes from one storage to another, each stretch on the device if it is valid there, else
/// on the host; they become valid on that side. Throws AccessError for bytes never written, unless
/// they are skipped.
void copy_storage(Storage& to, ByteRange to_bytes, Storage& from, ByteRange from_bytes,
                  const AnyInstance& instance, bool skip_unwritten, SourceLocation where);

}  // namespace kolam::detail
