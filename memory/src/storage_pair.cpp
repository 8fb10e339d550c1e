// SPDX-License-Identifier: Apache-2.0
#include <Kokkos_Profiling_ScopedRegion.hpp>
#include <kolam/memory/detail/copy.hpp>
#include <kolam/memory/detail/storage.hpp>
#include <mutex>
#include <vector>

namespace kolam::detail {

// Copies between two storages, with both locked.
class StoragePair {
 public:
  StoragePair(Storage& to, Storage& from, const AnyInstance& instance, SourceLocation where)
      : to_(to), from_(from), instance_(instance), where_(where) {
    if (&to == &from) {
      first_ = std::unique_lock(to.guard_);
    } else {
      first_ = std::unique_lock(to.guard_, std::defer_lock);
      second_ = std::unique_lock(from.guard_, std::defer_lock);
      std::lock(first_, second_);
    }
    if (to_.strict_) to_.strict_->begin_change();
  }

  ~StoragePair() {
    to_.update_shortcuts();
    from_.update_shortcuts();
    if (to_.strict_) to_.strict_->end_change();
  }
  StoragePair(const StoragePair&) = delete;
  StoragePair& operator=(const StoragePair&) = delete;
  StoragePair(StoragePair&&) = delete;
  StoragePair& operator=(StoragePair&&) = delete;

  void copy(ByteRange to, ByteRange from, bool skip_unwritten) {
    const RangeList all(&from, 1);
    if (!skip_unwritten) from_.require_written(all);
    const std::size_t shift = to.begin - from.begin;  // wraps around, and back
    // Values that are valid on both sides are copied on the device, if the target has that side.
    const std::size_t device = from_.index(Side::device);
    const bool device_first = to_.has(Side::device);
    const auto on_device =
        device_first ? from_.sides_[device].valid.present(all) : from_.stale(0, all);
    const auto on_host =
        device_first ? from_.stale(device, all) : from_.sides_[0].valid.present(all);
    if (!on_device.empty()) to_.require_side(Side::device);
    if (!on_host.empty()) to_.require_side(Side::host);
    copy_on(Side::device, on_device, shift);
    copy_on(Side::host, on_host, shift);
  }

 private:
  void copy_on(Side side, const std::vector<ByteRange>& segments, std::size_t shift) {
    if (segments.empty()) return;
    const std::size_t from = from_.index(side);
    const std::size_t to = to_.index(side);
    const bool tracks = to_.tracks_users_ || from_.tracks_users_;
    const AnyInstance* const user = side == Side::device && tracks ? &instance_ : nullptr;
    to_.allocate(to, user);
    std::vector<ByteRange> targets = segments;
    for (ByteRange& target : targets) target = {target.begin + shift, target.end + shift};
    from_.sides_[from].users.admit(segments, user, false, from_.name_);
    to_.sides_[to].users.admit(targets, user, true, to_.name_);
    for (SideState& each : to_.sides_) each.valid.reserve(2 * segments.size());
    if (to_.strict_) {
      to_.admit_strictly("deep_copy", to, {side, targets, user, where_}, true, false,
                         StrictFill::values);
    }
    to_.sides_[to].valid.remove(targets);  // until they have arrived: a copy may fail half way
    const Kokkos::Profiling::ScopedRegion region(to_.name_);
    for (std::size_t i = 0; i < segments.size(); ++i) {
      copy_beside(side, instance_, static_cast<char*>(to_.sides_[to].memory) + targets[i].begin,
                  static_cast<const char*>(from_.sides_[from].memory) + segments[i].begin,
                  segments[i].size());
    }
    to_.mark_written(to, targets);
  }

  Storage& to_;
  Storage& from_;
  const AnyInstance& instance_;
  SourceLocation where_;
  std::unique_lock<std::mutex> first_;
  std::unique_lock<std::mutex> second_;
};

void copy_storage(Storage& to, ByteRange to_bytes, Storage& from, ByteRange from_bytes,
                  const AnyInstance& instance, bool skip_unwritten, SourceLocation where) {
  to.require_running();
  StoragePair(to, from, instance, where).copy(to_bytes, from_bytes, skip_unwritten);
}

}  // namespace kolam::detail
