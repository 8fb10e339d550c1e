// SPDX-License-Identifier: Apache-2.0
#include <Kokkos_Profiling_ScopedRegion.hpp>
#include <algorithm>
#include <kolam/core/detail/note.hpp>
#include <kolam/core/error.hpp>
#include <kolam/core/runtime.hpp>
#include <kolam/memory/access_error.hpp>
#include <kolam/memory/detail/copy.hpp>
#include <kolam/memory/detail/lent_memory.hpp>
#include <kolam/memory/detail/storage.hpp>
#include <kolam/memory/emulation.hpp>
#include <mutex>
#include <utility>

namespace kolam::detail {
namespace {

const char* side_name(std::size_t s) { return s == 0 ? "host" : "device"; }

std::size_t total(RangeList ranges) {
  std::size_t sum = 0;
  for (const ByteRange& range : ranges) sum += range.size();
  return sum;
}

PoolSpace space_of(MemoryKind kind, std::size_t s) {
  if (kind == MemoryKind::shared) return PoolSpace::shared_space;
  if (s == 1) return PoolSpace::device_space;
  return kind == MemoryKind::pinned ? PoolSpace::pinned_space : PoolSpace::host_space;
}

// Two pointers that a caller lends may be two memories in any build.
bool has_two_sides(MemoryKind kind, const Lent& lent) {
  if (kind == MemoryKind::shared) return false;
  if (lent.host != nullptr && lent.device != nullptr) return lent.host != lent.device;
  return !one_memory || emulating();
}

}  // namespace

Storage::Storage(const std::string& label, std::size_t bytes, const ValueType& type,
                 MemoryKind kind, const Lent& lent)
    : log_(label, *this),
      name_("array '" + label + "'"),
      bytes_(bytes),
      type_(type),
      kind_(kind),
      device_(has_two_sides(kind, lent) ? 1 : 0),
      sides_{SideState(bytes), SideState(bytes)},
      tracks_users_(!one_memory || emulating()),
      returns_values_(!lent.adopted),
      owner_(lent.owner) {
  const auto lend = [&](Side side, void* memory, bool valid) {
    if (memory == nullptr) return;
    SideState& it = sides_[index(side)];
    it.memory = memory;
    it.lent = true;
    if (valid) it.valid.add({0, bytes});
  };
  lend(Side::host, lent.host, lent.host_valid);
  lend(Side::device, lent.device, lent.device_valid);
  if (emulation() == Emulation::strict && bytes > 0) {
    strict_ = std::make_unique<StrictMemory>(label, bytes, type.bytes, one_side());
  }
  update_shortcuts();
  // Last, because the destructor does not run if the constructor throws.
  try {
    for (const SideState& each : sides_) {
      if (each.lent) LentMemory::get().enter(*this, each.memory, bytes, lent.read_only);
    }
  } catch (...) {
    leave_lent_memory();
    throw;
  }
}

void Storage::leave_lent_memory() noexcept {
  for (const SideState& each : sides_) {
    if (each.lent) LentMemory::get().leave(*this, each.memory);
  }
}

Storage::~Storage() {
  report_lost_values();
  for (const std::size_t s : {0, 1}) give_back(s);
  leave_lent_memory();
}

void Storage::require_running() const {
  if (!Runtime::running()) kolam::require_running(name_.c_str());
}

std::string Storage::values(ByteRange range) const {
  const std::size_t first = range.begin / type_.bytes;
  const std::size_t last = (range.end - 1) / type_.bytes;
  return first == last ? "value " + std::to_string(first)
                       : "values " + std::to_string(first) + " to " + std::to_string(last);
}

bool Storage::has(Side side) const {
  return one_side() ||
         kind_ != (side == Side::device ? MemoryKind::host_only : MemoryKind::device_only);
}

void Storage::require_side(Side side) const {
  if (has(side)) return;
  throw AccessError(name_ + " is asked for its " + side_name(index(side)) +
                    " side, but it is MemoryKind::" + std::string(kolam::name(kind_)) +
                    "; make it MemoryKind::paired");
}

void Storage::require_written(RangeList ranges) const {
  const auto missing = sides_[1].valid.missing(sides_[0].valid.missing(ranges));
  if (missing.empty()) return;
  throw AccessError(name_ + " is read before anything was written to its " +
                    values(missing.front()) + " of " + std::to_string(bytes_ / type_.bytes) +
                    "; take write() first");
}

// The first intent of an instance determines the device of an array.
void Storage::require_device(std::size_t s, const AnyInstance* user, SourceLocation where) const {
  const Allocation& block = sides_[s].block;
  if (user == nullptr || block.memory == nullptr || block.space != PoolSpace::device_space) return;
  const int device = user->device();
  if (device == block.device) return;
  throw AccessError(name_ + " is on device " + std::to_string(block.device) +
                    ", where it was used first, and an instance of device " +
                    std::to_string(device) + " asks for it (" + to_string(where) +
                    "); make an array for each device and copy with deep_copy");
}

// Returns the bytes that side `s` lacks and the other side has; no two segments touch.
std::vector<ByteRange> Storage::stale(std::size_t s, RangeList ranges) const {
  return sides_[1 - s].valid.present(sides_[s].valid.missing(ranges));
}

void Storage::allocate(std::size_t s, const AnyInstance* user) {
  SideState& it = sides_[s];
  if (bytes_ == 0 || it.memory != nullptr) return;
  if (strict_) {
    it.memory = strict_->allocate(s == 0 ? Side::host : Side::device);
    if (it.memory == nullptr) throw_out_of_memory(space_of(kind_, s), label(), bytes_);
    log_.allocated(bytes_);
    return;
  }
  Allocation block = detail::allocate(space_of(kind_, s), label(), bytes_, user,
                                      std::max(type_.alignment, least_alignment));
  it.users = std::move(block.users);
  it.memory = block.memory;
  it.block = std::move(block);
  log_.allocated(bytes_);
}

// The scope of an access under the lock. Refreshes the shortcuts on every exit.
class Storage::Work {
 public:
  explicit Work(Storage& storage, const Access* access = nullptr, Intent intent = Intent::read)
      : storage_(storage), access_(access), intent_(intent), lock_(storage.guard_) {
    if (storage.strict_) storage.strict_->begin_change();
  }
  ~Work() {
    storage_.update_shortcuts(access_, intent_);
    if (storage_.strict_) storage_.strict_->end_change();
  }
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;
  Work(Work&&) = delete;
  Work& operator=(Work&&) = delete;

 private:
  Storage& storage_;
  const Access* access_;  // if it may be repeated
  Intent intent_;
  std::scoped_lock<std::mutex> lock_;
};

void* Storage::access(Intent intent, const Access& access) {
  const Work work(*this, &access, intent);
  require_side(access.side);
  const std::size_t s = index(access.side);
  SideState& here = sides_[s];
  const AnyInstance* const user = tracks_users_ ? access.user : nullptr;
  require_device(s, user, access.where);
  const bool there = here.valid.contains(access.ranges);
  if (intent == Intent::read && !there) require_written(access.ranges);
  if (intent != Intent::write && !there) refresh(s, access, false);
  allocate(s, user);
  if (intent != Intent::write && there) log_.avoided();
  here.users.admit(access.ranges, user, intent != Intent::read, name_);
  if (intent != Intent::read) reserve_for(access.ranges);
  void* begin = here.memory;
  if (strict_) {
    constexpr const char* names[] = {"read", "write", "read_write"};
    begin = admit_strictly(names[static_cast<int>(intent)], s, access, intent != Intent::read, true,
                           intent == Intent::write ? StrictFill::poison : StrictFill::none);
  }
  if (intent != Intent::read) mark_written(s, access.ranges);
  return begin;
}

// Returns where Views of side `s` begin.
void* Storage::admit_strictly(const char* what, std::size_t s, const Access& access, bool writes,
                              bool grants, StrictFill fill) {
  const Side side = s == 0 ? Side::host : Side::device;
  void* const begin = strict_->admit(
      std::make_shared<StrictEvent>(StrictEvent{side,
                                                what,
                                                writes,
                                                {access.ranges.begin(), access.ranges.end()},
                                                access.where,
                                                CallStack::here()}),
      grants, fill);
  return begin == nullptr ? sides_[s].memory : begin;  // lent memory is not protected
}

void Storage::sync(const Access& access) {
  const Work work(*this);
  require_side(access.side);
  const std::size_t s = index(access.side);
  const AnyInstance* const user = tracks_users_ ? access.user : nullptr;
  require_device(s, user, access.where);
  refresh(s, access, true);
  // The copies of a prefetch continue; the next access to the values waits for them.
  const bool goes_on = user == nullptr && policy_in_force().mode() == SyncPolicy::Mode::prefetch;
  if (!goes_on) sides_[s].users.admit(access.ranges, user, false, name_);
  if (strict_) admit_strictly("sync", s, access, false, false, StrictFill::none);
}

void Storage::modified(const Access& access) {
  const Work work(*this);
  require_side(access.side);
  const std::size_t s = index(access.side);
  allocate(s, nullptr);
  sides_[s].users.admit(access.ranges, tracks_users_ ? access.user : nullptr, true, name_);
  reserve_for(access.ranges);
  if (strict_) admit_strictly("modified", s, access, true, false, StrictFill::values);
  mark_written(s, access.ranges);
}

void* Storage::mirror(Side side) {
  require_running();
  const Work work(*this);
  require_side(side);
  allocate(index(side), nullptr);
  SideState& it = sides_[index(side)];
  it.users.finish(name_);
  if (strict_) strict_->is_mirrored();
  return it.memory;
}

void Storage::drop(Side side, bool carry, SourceLocation where) {
  require_running();
  const Work work(*this);
  const std::size_t s = index(side);
  if (one_side() || sides_[s].memory == nullptr) return;
  if (sides_[s].lent) {
    throw AccessError(name_ + ": its " + side_name(s) +
                      " side is memory that belongs to other code and cannot be dropped");
  }
  if (carry) {
    const ByteRange all[] = {{0, bytes_}};
    const Side other = side == Side::host ? Side::device : Side::host;
    if (!stale(1 - s, all).empty()) require_side(other);
    refresh(1 - s, {other, all, nullptr, where}, true);
  }
  if (strict_) strict_->free(side, carry ? "released" : "discarded", where);
  give_back(s);
}

// Copies the bytes that side `s` lacks and the other side has, each stretch in one copy.
void Storage::refresh(std::size_t s, const Access& access, bool asked_for) {
  const std::vector<ByteRange> segments = stale(s, access.ranges);
  if (segments.empty()) return;
  SideState& here = sides_[s];
  SideState& there = sides_[1 - s];
  const Side side = s == 0 ? Side::host : Side::device;
  const SyncPolicy policy = policy_in_force();
  if (policy.mode() == SyncPolicy::Mode::explicit_only && !asked_for) {
    throw AccessError(name_ + " lacks the newest " + values(segments.front()) + " on the " +
                      side_name(s) + " (" + to_string(access.where) +
                      "), and its policy is explicit_only; call sync(" + side_name(s) + ") first");
  }
  const AnyInstance* const user = tracks_users_ ? access.user : nullptr;
  const AnyInstance* instance = policy.instance() ? &*policy.instance() : user;
  if (instance == nullptr) instance = there.users.writer(segments);
  const AnyInstance chosen =
      instance != nullptr ? *instance : AnyInstance(Kokkos::DefaultExecutionSpace{});

  log_.require_budget(side, total(segments), access.where);
  for (SideState& each : sides_) each.valid.reserve(segments.size());
  allocate(s, user);
  const AnyInstance* const at_host = host_moves(segments) ? nullptr : &chosen;
  there.users.admit(segments, s == 1 ? at_host : &chosen, false, name_);
  here.users.admit(segments, s == 0 ? at_host : &chosen, true, name_);
  log_.copy(side, segments.size(), total(segments), access.where);
  const Kokkos::Profiling::ScopedRegion region(name_);  // tools see copies of bytes without a label
  copy_segments(chosen, side, sides_[0].memory, sides_[1].memory, segments);
  here.valid.add(segments);
}

// Reserves memory for mark_written, so that it cannot fail.
void Storage::reserve_for(RangeList ranges) {
  if (total(ranges) == bytes_) return;  // a flag records this
  for (SideState& each : sides_) each.valid.reserve(ranges.size());
}

void Storage::mark_written(std::size_t s, RangeList ranges) {
  sides_[s].valid.add(ranges);
  if (!one_side()) sides_[1 - s].valid.remove(ranges);
}

bool Storage::valid(Side side, RangeList ranges) const {
  const std::scoped_lock lock(guard_);
  return sides_[index(side)].valid.contains(ranges);
}

void Storage::set_policy(const std::optional<SyncPolicy>& policy) {
  const std::scoped_lock lock(guard_);
  policy_ = policy;
}

SyncPolicy Storage::policy() const {
  const std::scoped_lock lock(guard_);
  return policy_in_force();
}

std::optional<SyncPolicy> Storage::own_policy() const {
  const std::scoped_lock lock(guard_);
  return policy_;
}

const SyncPolicy& Storage::policy_in_force() const {
  return policy_ ? *policy_ : SyncScope::current();
}

void Storage::ends(const char* how, SourceLocation where) {
  if (strict_) strict_->ends(how, where);
}

void Storage::close() {
  const Work work(*this);
  report_lost_values();
  ends("given back at the end of Kokkos", {});
  for (const std::size_t s : {0, 1}) {
    give_back(s);
    sides_[s].users.finish(name_);
  }
  policy_.reset();  // an instance that outlives Kokkos aborts the program
}

// Reports that a caller's memory, which stays in use, lacks values that are lost with the array.
void Storage::report_lost_values() const noexcept {
  if (!returns_values_) return;
  for (const std::size_t s : {0, 1}) {
    const SideState& lent = sides_[s];
    if (!lent.lent || one_side() || sides_[1 - s].lent) continue;
    try {
      const ByteRange all[] = {{0, bytes_}};
      const auto lost = stale(s, all);
      if (lost.empty()) continue;
      const std::string side = side_name(s);
      note(name_ + " goes, and the memory that it borrows on the " + side + " lacks the newest " +
           values({lost.front().begin, lost.back().end}) + " of " +
           std::to_string(bytes_ / type_.bytes) + ", which only the " + side_name(1 - s) +
           " has; call sync(" + side + ") before");
    } catch (const std::bad_alloc&) {  // no memory for a message
    }
  }
}

// Gives back a side's memory, if it is the array's own.
void Storage::give_back(std::size_t s) {
  SideState& it = sides_[s];
  if (it.lent || it.memory == nullptr) return;
  it.valid.remove({0, bytes_});
  it.memory = nullptr;
  it.block.users = std::exchange(it.users, {});
  deallocate(std::exchange(it.block, {}));
  if (strict_) strict_->free(s == 0 ? Side::host : Side::device);  // does nothing if it is free
  log_.freed(bytes_);
}

}  // namespace kolam::detail
