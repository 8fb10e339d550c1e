// SPDX-License-Identifier: Apache-2.0
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <kolam/core/detail/allocate.hpp>
#include <kolam/core/detail/sanitizers.hpp>
#include <kolam/core/device.hpp>
#include <kolam/core/instances.hpp>
#include <kolam/core/runtime.hpp>
#include <kolam/memory/detail/allocation.hpp>
#include <kolam/memory/detail/environment.hpp>
#include <kolam/memory/side.hpp>
#include <map>
#include <mutex>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace kolam {
namespace {

using detail::Allocation;

#ifdef KOKKOS_HAS_SHARED_HOST_PINNED_SPACE
using PinnedMemory = Kokkos::SharedHostPinnedSpace;
#else
using PinnedMemory = Kokkos::HostSpace;
#endif
#ifdef KOKKOS_HAS_SHARED_SPACE
using SharedMemory = Kokkos::SharedSpace;
#else
using SharedMemory = Kokkos::HostSpace;
#endif

template <class F>
decltype(auto) with_memory(PoolSpace space, F&& f) {
  switch (space) {
    // NOLINTNEXTLINE(bugprone-branch-clone): without a device they are one memory
    case PoolSpace::device_space:
      return f(DeviceSide::memory_space{});
    case PoolSpace::pinned_space:
      return f(PinnedMemory{});
    case PoolSpace::shared_space:
      return f(SharedMemory{});
    case PoolSpace::host_space:
      break;
  }
  return f(Kokkos::HostSpace{});
}

constexpr std::size_t huge_page = std::size_t{2} << 20;

std::size_t round_up(std::size_t bytes, std::size_t step) {
  return (bytes + step - 1) / step * step;
}

bool on_host(PoolSpace space) {
  return with_memory(space, [](const auto& memory) {
    return std::is_same_v<std::decay_t<decltype(memory)>, Kokkos::HostSpace>;
  });
}

// Large host blocks are placed. If arrays of one size lie a power of two apart, equal indices fall
// into the same sets of caches and way predictors, and a loop over several arrays takes up to 1.5
// times as long. A placed block is one period larger than needed, and its values begin at one of 16
// offsets within the period.
constexpr std::size_t least_placed = std::size_t{1} << 20;
constexpr std::size_t offsets = 16;
std::size_t period(std::size_t bytes) { return std::min(huge_page, std::bit_floor(bytes) / 16); }
bool placed(PoolSpace space, std::size_t bytes) { return bytes >= least_placed && on_host(space); }

// Returns a power of two or its eighths; for large blocks, which rarely differ, multiples of 2 MiB.
std::size_t size_class(PoolSpace space, std::size_t bytes) {
  if (bytes <= 256) return 256;
  if (placed(space, bytes)) return round_up(bytes, period(bytes)) + period(bytes);
  const std::size_t eighth = std::size_t{1} << (std::bit_width(bytes - 1) - 4);
  return round_up(bytes, std::min(eighth, huge_page));
}

// Returns where the values of a placed block begin. (The extra lines make the offsets differ within
// a page as well; the largest extra is less than the smallest period.)
char* place(char* start, std::size_t which, std::size_t period) {
  constexpr std::size_t line = 64;
  const auto phase = reinterpret_cast<std::uintptr_t>(start) % period;
  const std::size_t at = which % offsets * (period / offsets) + which % offsets * 4 * line;
  return start + (at % period + period - phase) % period;
}

// Requests huge pages, so that page faults and translations cover 2 MiB if the system offers them.
void ask_for_huge_pages([[maybe_unused]] char* start, [[maybe_unused]] std::size_t bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  const auto begin = reinterpret_cast<std::uintptr_t>(start);
  const std::size_t skipped = (huge_page - begin % huge_page) % huge_page;
  if (bytes < skipped + huge_page) return;
  const std::size_t whole = (bytes - skipped) / huge_page * huge_page;
  static_cast<void>(madvise(start + skipped, whole, MADV_HUGEPAGE));  // a hint: it may be refused
#endif
}

bool pools_at_first() {
  // (The address sanitizer finds more errors if every array has its own memory.)
  return !detail::address_sanitized && detail::environment_flag("KOLAM_POOL", true);
}

// Returns the device that `user` works on, of several of one kind; without a user, Kokkos' own.
int device_of_user(const AnyInstance* user) {
  return user == nullptr ? device_number(Kokkos::DefaultExecutionSpace{}) : user->device();
}

struct Pool {
  PoolState state;
  // By device, size class and alignment.
  std::map<std::tuple<int, std::size_t, std::size_t>, std::vector<Allocation>> cached;
  std::size_t blocks_placed = 0;
};

struct Pools {
  std::mutex guard;
  bool used = pools_at_first();
  std::array<Pool, 4> pools;
  bool (*allocation_fails)() = nullptr;  // set by AllocationFaults
  // Made in advance, because memory is short or nothing may be thrown when they are used.
  const std::string trimmed = "kolam: a pool is trimmed";
  const std::string freed = "kolam: the memory of an array is freed";

  Pool& operator[](PoolSpace space) { return pools[static_cast<std::size_t>(space)]; }
};

Pools& pools() {
  static auto* const all = new Pools;  // never destroyed: static arrays may outlive it
  return *all;
}

// Kokkos allocates memory for the name of the fence before it frees. If that fails, a leak is
// better than the end of the program, or a block that is freed and still cached.
void give_back(Allocation& block, const std::string& why) noexcept {
  try {
    block.users.finish(why);
    with_memory(block.space,
                [&](const auto& memory) { memory.deallocate(block.start, block.bytes); });
  } catch (const std::bad_alloc&) {
  }
}

// The caller holds the guard.
void trim(Pool& pool) {
  for (auto& [key, blocks] : pool.cached) {
    for (Allocation& block : blocks) {
      pool.state.cached -= block.bytes;
      give_back(block, pools().trimmed);
    }
  }
  pool.cached.clear();
}

// The caller holds the guard.
void* allocate_from_system(PoolSpace space, const std::string& label, std::size_t bytes,
                           const AnyInstance* user) {
  if (pools().allocation_fails != nullptr && pools().allocation_fails()) return nullptr;
  try {
    return with_memory(space, [&](const auto& memory) -> void* {
      if (user != nullptr && space == PoolSpace::device_space) {
        return user->visit([&](const auto& exec) -> void* {
          if constexpr (requires { memory.allocate(exec, label.c_str(), bytes); }) {
            return memory.allocate(exec, label.c_str(), bytes);
          } else {
            return memory.allocate(label.c_str(), bytes);
          }
        });
      }
      return memory.allocate(label.c_str(), bytes);
    });
  } catch (const std::exception&) {  // Kokkos 4.7-5.1: std::runtime_error; 5.2: its own BadAlloc
    return nullptr;
  }
}

}  // namespace

std::string_view name(PoolSpace space) {
  constexpr std::array<std::string_view, 4> names{"host", "pinned", "device", "shared"};
  return names[static_cast<std::size_t>(space)];
}

bool pools_used() {
  const std::scoped_lock lock(pools().guard);
  return pools().used;
}

void use_pools(bool on) {
  {
    const std::scoped_lock lock(pools().guard);
    pools().used = on;
  }
  if (!on) trim_pools();
}

PoolState pool_state(PoolSpace space) {
  const std::scoped_lock lock(pools().guard);
  return pools()[space].state;
}

void trim_pools() {
  if (!Runtime::running()) return;
  const std::scoped_lock lock(pools().guard);
  for (Pool& pool : pools().pools) trim(pool);
}

namespace detail {

AllocationFaults::AllocationFaults(bool (*fails)()) {
  const std::scoped_lock lock(pools().guard);
  before_ = std::exchange(pools().allocation_fails, fails);
}
AllocationFaults::~AllocationFaults() {
  const std::scoped_lock lock(pools().guard);
  pools().allocation_fails = before_;
}
bool AllocationFaults::next_fails() {
  const std::scoped_lock lock(pools().guard);
  return pools().allocation_fails != nullptr && pools().allocation_fails();
}

void throw_out_of_memory(PoolSpace space, const std::string& label, std::size_t bytes) {
  const bool on_device = space == PoolSpace::device_space || space == PoolSpace::shared_space;
  throw_out_of_memory(
      device_of(on_device ? default_backend() : backend_of<Kokkos::DefaultHostExecutionSpace>),
      "array '" + label + "'", bytes);
}

Allocation allocate(PoolSpace space, const std::string& label, std::size_t bytes,
                    const AnyInstance* user, std::size_t alignment) {
  require_running(("array '" + label + "'").c_str());
  const std::scoped_lock lock(pools().guard);
  Pool& pool = pools()[space];
  const std::size_t aligned = bytes + (alignment > least_alignment ? alignment : 0);
  const bool pooled = pools().used && bytes < PTRDIFF_MAX / 2;
  Allocation block;
  block.bytes = pooled ? size_class(space, aligned) : aligned;
  block.alignment = alignment;
  block.space = space;
  block.device = space != PoolSpace::device_space ? 0 : device_of_user(user);
  const auto count = [&](std::uint64_t& kind) {
    ++kind;
    pool.state.in_use += block.bytes;
    pool.state.high_water = std::max(pool.state.high_water, pool.state.in_use);
  };
  if (const auto found = pool.cached.find({block.device, block.bytes, alignment});
      found != pool.cached.end() && !found->second.empty()) {
    block = std::move(found->second.back());
    found->second.pop_back();
    pool.state.cached -= block.bytes;
    count(pool.state.hits);
    return block;
  }
  block.start = allocate_from_system(space, label, block.bytes, user);
  if (block.start == nullptr) {
    for (Pool& each : pools().pools) trim(each);
    block.start = allocate_from_system(space, label, block.bytes, user);
  }
  if (block.start == nullptr) throw_out_of_memory(space, label, bytes);
  auto* begin = static_cast<char*>(block.start);
  if (pooled && placed(space, aligned)) {
    ask_for_huge_pages(begin, block.bytes);
    begin = place(begin, pool.blocks_placed++, period(aligned));
  }
  begin += (alignment - reinterpret_cast<std::uintptr_t>(begin) % alignment) % alignment;
  block.memory = begin;
  count(pool.state.misses);
  return block;
}

void deallocate(Allocation block) noexcept {
  if (block.memory == nullptr || !Runtime::running()) return;
  const std::scoped_lock lock(pools().guard);
  Pool& pool = pools()[block.space];
  pool.state.in_use -= block.bytes;
  if (pools().used) {
    try {
      // If push_back throws, the block is unchanged and is still to be given back.
      static_assert(std::is_nothrow_move_constructible_v<Allocation>);
      const std::size_t bytes = block.bytes;
      pool.cached[{block.device, bytes, block.alignment}].push_back(std::move(block));
      pool.state.cached += bytes;
      return;
    } catch (const std::bad_alloc&) {  // the block then goes back to the system
    }
  }
  give_back(block, pools().freed);
}

}  // namespace detail
}  // namespace kolam
