// SPDX-License-Identifier: Apache-2.0
#include <Kokkos_Core.hpp>
#include <kolam/core/device.hpp>
#include <kolam/core/error.hpp>
#include <kolam/core/runtime.hpp>
#include <kolam/memory/access_error.hpp>
#include <kolam/memory/detail/storage.hpp>
#include <mutex>
#include <utility>

namespace kolam {
namespace {

using HostMemory = HostSide::memory_space;
using DeviceMemory = DeviceSide::memory_space;
using detail::ByteRange;

template <class Space>
auto bytes_view(void* memory, ByteRange range) {
  return Kokkos::View<char*, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
      static_cast<char*>(memory) + range.begin, range.size());
}

std::mutex total_guard;
Transfers& total() {
  static Transfers sum;
  return sum;
}

void add(Transfers& sum, const Transfers& counts) {
  sum.copies_to_device += counts.copies_to_device;
  sum.bytes_to_device += counts.bytes_to_device;
  sum.copies_to_host += counts.copies_to_host;
  sum.bytes_to_host += counts.bytes_to_host;
  sum.copies_avoided += counts.copies_avoided;
  sum.allocations += counts.allocations;
  sum.allocated_bytes += counts.allocated_bytes;
}

// Both the array's own counts and the process's.
void count(Transfers& own, const Transfers& change) {
  add(own, change);
  const std::scoped_lock lock(total_guard);
  add(total(), change);
}

}  // namespace

Transfers total_transfers() {
  const std::scoped_lock lock(total_guard);
  return total();
}

namespace detail {

Storage::Storage(std::string label, std::size_t bytes)
    : label_(std::move(label)), bytes_(bytes), valid_{ByteRanges(bytes), ByteRanges(bytes)} {}

Storage::Storage(std::string label, std::size_t bytes, Side side, void* memory,
                 std::shared_ptr<void> owner)
    : Storage(std::move(label), bytes) {
  memory_[index(side)] = memory;
  lent_[index(side)] = true;
  owner_ = std::move(owner);
  valid_[index(side)].add({0, bytes});
}

Storage::~Storage() {
  {
    const std::scoped_lock lock(total_guard);
    total().copies_avoided += counts_.copies_avoided;  // counted here only, to keep a read cheap
  }
  if (!Runtime::running()) return;  // Kokkos has taken its memory back, or the process is ending
  if (memory_[0] != nullptr && !lent_[0]) Kokkos::kokkos_free<HostMemory>(memory_[0]);
  if (memory_[1] != nullptr && !lent_[1]) Kokkos::kokkos_free<DeviceMemory>(memory_[1]);
}

void Storage::allocate(Side side) {
  if (bytes_ == 0) return;
  require_running(("array '" + label_ + "'").c_str());
  try {
    memory_[index(side)] = side == Side::host ? Kokkos::kokkos_malloc<HostMemory>(label_, bytes_)
                                              : Kokkos::kokkos_malloc<DeviceMemory>(label_, bytes_);
  } catch (const std::runtime_error&) {
    const Backend backend =
        side == Side::host ? backend_of<Kokkos::DefaultHostExecutionSpace> : default_backend();
    const Device d = device_of(backend);
    throw OutOfMemory("array '" + label_ + "'", "the memory of " + d.name, bytes_,
                      d.memory_available);
  }
  count(counts_, {.allocations = 1, .allocated_bytes = bytes_});
}

void Storage::require_written(ByteRange range) const {
  for (const ByteRange& missing : valid_[0].missing(range)) {
    if (valid_[1].contains(missing)) continue;
    const ByteRange bytes = valid_[1].missing(missing).front();
    throw AccessError("array '" + label_ + "' is read before anything was written to its bytes " +
                      std::to_string(bytes.begin) + " to " + std::to_string(bytes.end) + " of " +
                      std::to_string(bytes_) + "; take write() first");
  }
}

void Storage::copy_stale(Side side, ByteRange range) {
  if (memory_[index(side)] == nullptr) allocate(side);
  for (const ByteRange& missing : valid_[index(side)].missing(range)) {
    for (const ByteRange& stale : valid_[1 - index(side)].present(missing)) {
      const auto at_host = bytes_view<HostMemory>(memory_[0], stale);
      const auto at_device = bytes_view<DeviceMemory>(memory_[1], stale);
      if (side == Side::host) {
        Kokkos::deep_copy(at_host, at_device);
        count(counts_, {.copies_to_host = 1, .bytes_to_host = stale.size()});
      } else {
        Kokkos::deep_copy(at_device, at_host);
        count(counts_, {.copies_to_device = 1, .bytes_to_device = stale.size()});
      }
      valid_[index(side)].add(stale);
    }
  }
}

}  // namespace detail
}  // namespace kolam
