// SPDX-License-Identifier: Apache-2.0
// The memory of an array: both sides, allocated when first asked for, which of their bytes are
// valid, and who works on them. Free of the element type, so it is compiled once.
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

/// Who asks for which bytes of which side. No user means code of the host, which works at once.
struct Access {
  Side side;
  RangeList ranges;  // ascending, apart
  const AnyInstance* user;
  SourceLocation where;
};

/// What an array holds, in bytes.
struct ValueType {
  std::size_t bytes;
  std::size_t alignment;
};
template <class T>
inline constexpr ValueType value_type_of{sizeof(T), alignof(T)};

/// Memory that is there already; null where a side has none.
struct Lent {
  void* host = nullptr;
  void* device = nullptr;
  bool host_valid = false;
  bool device_valid = false;
  std::shared_ptr<void> owner;  // keeps it alive
  bool read_only = false;       // the values are const
  bool adopted = false;         // nobody else sees it
};

/// One side of an array: its memory, and who may see what of it.
struct SideState {
  explicit SideState(std::size_t bytes) : valid(bytes) {}

  void* memory = nullptr;  // null until it is asked for
  bool lent = false;       // `memory` is the caller's
  Allocation block;        // where `memory` comes from, unless it is lent or strict
  ByteRanges valid;        // the bytes that hold the newest values
  AccessTracker users;     // whose work on them may be under way
};

/// Safe from many threads; what one access throws leaves everything as it was. An access that finds
/// its values, and nobody whose work it has to wait for, is one of the inline `finds`: no lock.
class Storage {
 public:
  Storage(const std::string& label, std::size_t bytes, const ValueType& type, MemoryKind kind,
          const Lent& lent = {});
  ~Storage();
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;
  Storage(Storage&&) = delete;
  Storage& operator=(Storage&&) = delete;

  /// Whether a user (null: the host) may go on to read, or to write, any bytes at `memory`.
  bool finds(Side side, Intent intent, const void* user) {
    if (!shortcut(side).admits(user, intent != Intent::read)) return false;
    if (intent != Intent::write) log_.avoided();
    return true;
  }
  /// The same of these bytes: of an array that is valid in part.
  bool finds(Side side, Intent intent, const void* user, ByteRange bytes) {
    if (!shortcut(side).admits({user, intent != Intent::read, bytes})) return false;
    if (intent != Intent::write) log_.avoided();
    return true;
  }
  /// Where that side's memory begins, when `finds` has said that all is well there.
  void* memory(Side side) const { return shortcut(side).memory(); }

  /// Throws NotRunning. Whoever makes an Instance for an Access has asked before.
  void require_running() const;
  /// Makes the newest values of these bytes valid on that side and returns its memory. Where they
  /// are written, the other side becomes stale. Throws as Array says.
  void* access(Intent intent, const Access& access);
  /// Copies what is stale, whatever the policy.
  void sync(const Access& access);
  /// As if written by an intent, but the caller has written already.
  void modified(const Access& access);
  /// The side's memory as it is, when all work on it is done.
  void* mirror(Side side);
  /// Gives up a side: what only it has is carried to the other one, or lost.
  void drop(Side side, bool carry, SourceLocation where);

  bool valid(Side side, RangeList ranges) const;
  const std::string& label() const { return log_.label(); }
  Transfers transfers() const { return log_.counts(); }
  MemoryKind kind() const { return kind_; }
  /// Whether host and device are one memory to it.
  bool one_side() const { return device_ == 0; }

  void set_policy(const std::optional<SyncPolicy>& policy);
  SyncPolicy policy() const;
  std::optional<SyncPolicy> own_policy() const;
  /// Whether the MemoryKind has this side; or else throws AccessError.
  bool has(Side side) const;
  void require_side(Side side) const;

  /// What will have become of the memory when this object ends, for reports of strict emulation:
  /// "resized", ...; the first call counts.
  void ends(const char* how, SourceLocation where);
  /// Kokkos is about to end, and takes what the sides hold with it; lent memory stays.
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
  std::string name_;  // "array 'u'", for messages and fences: made once

  mutable std::mutex guard_;
  std::size_t bytes_;
  ValueType type_;
  MemoryKind kind_;
  std::size_t device_;  // which of the sides is the device's: 0 if there is one side
  SideState sides_[2];  // of which only the first is used if there is one side
  bool tracks_users_;
  bool returns_values_;  // whoever lent the memory looks at it when the array is gone
  std::shared_ptr<void> owner_;
  std::optional<SyncPolicy> policy_;
  std::unique_ptr<StrictMemory> strict_;  // in strict emulation
};

/// The same, if the memory goes with this pointer.
inline void ends(const std::shared_ptr<Storage>& storage, const char* how, SourceLocation where) {
  if (storage != nullptr && storage.use_count() == 1) storage->ends(how, where);
}

/// Copies bytes from one storage to another, each stretch on the device if it is valid there, else
/// on the host; on that side they become valid. Bytes never written throw AccessError unless they
/// are skipped.
void copy_storage(Storage& to, ByteRange to_bytes, Storage& from, ByteRange from_bytes,
                  const AnyInstance& instance, bool skip_unwritten, SourceLocation where);

}  // namespace kolam::detail
