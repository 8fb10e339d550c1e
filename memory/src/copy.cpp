// SPDX-License-Identifier: Apache-2.0
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <kolam/core/forall.hpp>
#include <kolam/memory/detail/allocation.hpp>
#include <kolam/memory/detail/copy.hpp>
#include <kolam/memory/detail/transfer_log.hpp>
#include <type_traits>
#include <utility>
#include <vector>

namespace kolam::detail {

// (Not in an unnamed namespace, because nvcc does not accept kernels there.)
namespace segments {

using Exec = Kokkos::DefaultExecutionSpace;
using DeviceMemory = DeviceSide::memory_space;

template <class T, class Space>
using Raw = Kokkos::View<T*, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

// Every copy costs a launch of some microseconds; more copies than this are packed into one.
constexpr std::size_t most_single_copies = 8;

// The offsets of a segment in the array and in the packed buffer, in words.
struct Entry {
  index_t begin;
  index_t packed;
};

// Gathers or scatters words between an array on the device and its packed buffer.
template <class Word>
struct Move {
  Word* array;
  Word* packed;
  const Entry* table;
  index_t entries;
  bool gather;

  KOKKOS_FUNCTION void operator()(index_t i) const {
    index_t low = 0;  // the last segment that begins at or before `i`
    for (index_t high = entries; high - low > 1;) {
      const index_t middle = (low + high) / 2;
      (table[middle].packed <= i ? low : high) = middle;
    }
    Word& value = array[table[low].begin + i - table[low].packed];
    gather ? static_cast<void>(packed[i] = value) : static_cast<void>(value = packed[i]);
  }
};

// Memory from a pool, which returns there with the pending work of `exec` on it.
class Staging {
 public:
  Staging(PoolSpace space, std::size_t bytes, const Exec& exec)
      : exec_(exec), block_(allocate(space, "kolam staging", bytes, &exec_)) {
    use(space == PoolSpace::device_space ? &exec_ : nullptr);
  }
  ~Staging() {
    try {
      use(&exec_);
    } catch (const std::bad_alloc&) {
      exec_.fence("kolam staging");
    }
    deallocate(std::move(block_));
  }
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;
  Staging(Staging&&) = delete;
  Staging& operator=(Staging&&) = delete;

  template <class T>
  T* as() const {
    return static_cast<T*>(block_.memory);
  }

 private:
  void use(const AnyInstance* user) {
    const ByteRange all[] = {{0, block_.bytes}};
    block_.users.admit(all, user, true, "kolam staging");
  }

  AnyInstance exec_;
  Allocation block_;
};

template <class Word>
void copy_packed(const Exec& exec, Side to, char* at_host, char* at_device, RangeList segments) {
  std::vector<Entry> table;
  index_t words = 0;
  for (const ByteRange& segment : segments) {
    table.push_back({static_cast<index_t>(segment.begin / sizeof(Word)), words});
    words += static_cast<index_t>(segment.size() / sizeof(Word));
  }
  const std::size_t bytes = static_cast<std::size_t>(words) * sizeof(Word);
  const std::size_t table_bytes = table.size() * sizeof(Entry);
  const Staging host_staging(PoolSpace::pinned_space, bytes + table_bytes, exec);
  const Staging device_staging(PoolSpace::device_space, bytes + table_bytes, exec);
  // The table comes first, because its entries need their alignment.
  const auto send = [&](std::size_t begin, std::size_t size, bool to_device) {
    const Raw<char, Kokkos::HostSpace> h(host_staging.as<char>() + begin, size);
    const Raw<char, DeviceMemory> d(device_staging.as<char>() + begin, size);
    to_device ? Kokkos::deep_copy(exec, d, h) : Kokkos::deep_copy(exec, h, d);
  };
  const auto move = [&](bool gather) {
    forall(exec, "kolam: copy segments", words,
           Move<Word>{reinterpret_cast<Word*>(at_device),
                      reinterpret_cast<Word*>(device_staging.as<char>() + table_bytes),
                      device_staging.as<Entry>(), static_cast<index_t>(table.size()), gather});
  };
  const auto on_host = [&](bool gather) {
    char* packed = host_staging.as<char>() + table_bytes;
    for (const ByteRange& segment : segments) {
      gather ? std::memcpy(packed, at_host + segment.begin, segment.size())
             : std::memcpy(at_host + segment.begin, packed, segment.size());
      packed += segment.size();
    }
  };
  std::memcpy(host_staging.as<char>(), table.data(), table_bytes);
  if (to == Side::device) {
    on_host(true);
    send(0, table_bytes + bytes, true);
    move(false);
  } else {
    send(0, table_bytes, true);
    move(true);
    send(table_bytes, bytes, false);
    exec.fence("kolam: segments arrive on the host");
    on_host(false);
  }
}

bool all_multiples_of(std::size_t size, RangeList segments) {
  return std::all_of(segments.begin(), segments.end(), [&](const ByteRange& segment) {
    return segment.begin % size == 0 && segment.end % size == 0;
  });
}

void copy(const Exec& exec, Side to, char* at_host, char* at_device, RangeList segments) {
  if (host_moves(segments)) {
    if constexpr (one_memory) {
      for (const ByteRange& segment : segments) {
        char* const there = at_device + segment.begin;
        char* const here = at_host + segment.begin;
        std::memcpy(to == Side::device ? there : here, to == Side::device ? here : there,
                    segment.size());
      }
      return;
    }
    if (all_multiples_of(8, segments))
      return copy_packed<std::uint64_t>(exec, to, at_host, at_device, segments);
    if (all_multiples_of(4, segments))
      return copy_packed<std::uint32_t>(exec, to, at_host, at_device, segments);
    return copy_packed<unsigned char>(exec, to, at_host, at_device, segments);
  }
  for (const ByteRange& segment : segments) {
    const Raw<char, Kokkos::HostSpace> h(at_host + segment.begin, segment.size());
    const Raw<char, DeviceMemory> d(at_device + segment.begin, segment.size());
    to == Side::device ? Kokkos::deep_copy(exec, d, h) : Kokkos::deep_copy(exec, h, d);
  }
}

}  // namespace segments

bool host_moves(RangeList parts) { return parts.size() > segments::most_single_copies; }

namespace {

// Calls `f` with the instance, or with the default instance if it is of a space that cannot copy.
template <class F>
void with_exec(const AnyInstance& instance, F f) {
  instance.visit([&](const auto& exec) {
    if constexpr (std::is_same_v<std::decay_t<decltype(exec)>, segments::Exec>) {
      f(exec);
    } else {
      f(segments::Exec{});
    }
  });
}

}  // namespace

void copy_segments(const AnyInstance& instance, Side to, void* at_host, void* at_device,
                   RangeList parts) {
  const OwnCopies own;
  with_exec(instance, [&](const segments::Exec& exec) {
    segments::copy(exec, to, static_cast<char*>(at_host), static_cast<char*>(at_device), parts);
  });
}

void copy_beside(Side side, const AnyInstance& instance, void* to, const void* from,
                 std::size_t bytes) {
  const OwnCopies own;
  if (side == Side::host) {
    const Kokkos::DefaultHostExecutionSpace exec;
    const segments::Raw<char, Kokkos::HostSpace> target(static_cast<char*>(to), bytes);
    const segments::Raw<const char, Kokkos::HostSpace> source(static_cast<const char*>(from),
                                                              bytes);
    Kokkos::deep_copy(exec, target, source);
    exec.fence("kolam: copied on the host");
    return;
  }
  with_exec(instance, [&](const segments::Exec& exec) {
    const segments::Raw<char, segments::DeviceMemory> target(static_cast<char*>(to), bytes);
    const segments::Raw<const char, segments::DeviceMemory> source(static_cast<const char*>(from),
                                                                   bytes);
    Kokkos::deep_copy(exec, target, source);
  });
}

}  // namespace kolam::detail
