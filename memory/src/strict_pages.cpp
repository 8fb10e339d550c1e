// SPDX-License-Identifier: Apache-2.0
#include "strict_pages.hpp"

#ifdef __linux__

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <map>
#include <new>
#include <vector>

namespace kolam::detail::strict_pages {
namespace {

constexpr std::size_t chunk_bytes = std::size_t{16} << 20;

// Shared pages in one map, split among arrays: a map for each side would be too many.
struct Chunk {
  char* base;
  std::size_t bytes;
  std::map<std::size_t, std::size_t> unused;  // begin and size; no two touch
  char* copy = nullptr;                       // for the child of a fork

  bool empty() const { return unused.size() == 1 && unused.begin()->second == bytes; }
};

struct State {
  std::vector<Chunk> chunks;
  std::ptrdiff_t maps = 0;          // kolam's
  std::ptrdiff_t maps_counted = 0;  // kolam's when all were counted
  std::size_t all_maps = 0;
};

State& state() {
  static auto* const all = new State;  // never destroyed: static arrays may outlive it
  return *all;
}

char* map(std::size_t bytes, int protection, int flags) {
  void* const address = mmap(nullptr, bytes, protection, flags | MAP_ANONYMOUS, -1, 0);
  return address == MAP_FAILED ? nullptr : static_cast<char*>(address);
}

// Returns the number of all maps of this process: a line each.
std::size_t count_all_maps() {
  const int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  std::size_t lines = 0;
  std::vector<char> buffer(std::size_t{1} << 16);
  for (ssize_t got = 0; (got = read(file, buffer.data(), buffer.size())) > 0;) {
    lines += static_cast<std::size_t>(std::count(buffer.data(), buffer.data() + got, '\n'));
  }
  close(file);
  return lines;
}

}  // namespace

std::size_t page_bytes() {
  static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

char* allocate(std::size_t bytes) {
  auto& chunks = state().chunks;
  for (Chunk& chunk : chunks) {
    const auto found = std::find_if(chunk.unused.begin(), chunk.unused.end(),
                                    [&](const auto& part) { return part.second >= bytes; });
    if (found == chunk.unused.end()) continue;
    const auto [begin, size] = *found;
    if (size > bytes) chunk.unused.emplace(begin + bytes, size - bytes);
    chunk.unused.erase(begin);
    return chunk.base + begin;
  }
  const std::size_t chunk = std::max(bytes, chunk_bytes);
  chunks.reserve(chunks.size() + 1);
  std::map<std::size_t, std::size_t> unused;
  if (chunk > bytes) unused.emplace(bytes, chunk - bytes);
  char* const base = map(chunk, PROT_READ | PROT_WRITE, MAP_SHARED);
  if (base == nullptr) return nullptr;
  chunks.push_back({base, chunk, std::move(unused)});
  count_maps(1);
  return base;
}

void free(char* pages, std::size_t bytes) noexcept {
  auto& chunks = state().chunks;
  const auto chunk = std::find_if(chunks.begin(), chunks.end(), [&](const Chunk& c) {
    return c.base <= pages && pages < c.base + c.bytes;
  });
  madvise(pages, bytes, MADV_REMOVE);  // returns them to the system
  try {
    auto begin = static_cast<std::size_t>(pages - chunk->base);
    auto& unused = chunk->unused;
    auto next = unused.upper_bound(begin);
    if (next != unused.end() && next->first == begin + bytes) {
      bytes += next->second;
      next = unused.erase(next);
    }
    if (next != unused.begin() && std::prev(next)->first + std::prev(next)->second == begin) {
      std::prev(next)->second += bytes;
    } else {
      unused.emplace_hint(next, begin, bytes);
    }
  } catch (const std::bad_alloc&) {  // their addresses are lost
    return;
  }
  if (!chunk->empty() || (chunk->bytes == chunk_bytes && chunks.size() == 1)) return;
  munmap(chunk->base, chunk->bytes);
  chunks.erase(chunk);
  count_maps(-1);
}

char* reserve(std::size_t bytes) { return map(bytes, PROT_NONE, MAP_PRIVATE | MAP_NORESERVE); }

void unreserve(char* address, std::size_t bytes) noexcept { munmap(address, bytes); }

bool show(char* pages, std::size_t bytes, char* address) {
  // A length of 0 maps the same pages once more.
  if (mremap(pages, 0, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, address) == MAP_FAILED) return false;
  if (mprotect(address, bytes, PROT_NONE) == 0) return true;
  hide(address, bytes);
  return false;
}

void hide(char* address, std::size_t bytes) noexcept {
  // Mapped like the address space around it, so that the system merges all into one map.
  static_cast<void>(mmap(address, bytes, PROT_NONE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0));
}

std::size_t most_maps() {
  static const std::size_t most = [] {
    const int file = open("/proc/sys/vm/max_map_count", O_RDONLY | O_CLOEXEC);
    char digits[32] = {};
    std::size_t value = 0;
    if (file >= 0) {
      if (read(file, digits, sizeof digits - 1) <= 0) digits[0] = 0;
      close(file);
    }
    for (const char* d = digits; *d >= '0' && *d <= '9'; ++d) {
      value = 10 * value + static_cast<std::size_t>(*d - '0');
    }
    return value > 0 ? value : std::size_t{65530};
  }();
  return most;
}

void count_maps(std::ptrdiff_t more) noexcept { state().maps += more; }

bool maps_left(std::size_t more) {
  State& s = state();
  const std::size_t left_to_others = most_maps() / 16;
  // Counting all maps takes long: the estimate is the last count plus kolam's maps since.
  const auto estimate = [&] {
    return static_cast<std::ptrdiff_t>(s.all_maps) + s.maps - s.maps_counted;
  };
  const auto enough = [&] {
    return estimate() + static_cast<std::ptrdiff_t>(more + left_to_others) <=
           static_cast<std::ptrdiff_t>(most_maps());
  };
  const std::ptrdiff_t drift = s.maps - s.maps_counted;
  if (s.all_maps > 0 && enough() && drift < 4096) return true;
  if (s.all_maps > 0 && !enough() && drift < 64 && drift > -64) return false;
  s.all_maps = count_all_maps();
  s.maps_counted = s.maps;
  return enough();
}

void before_fork() noexcept {
  for (Chunk& chunk : state().chunks) {
    chunk.copy = map(chunk.bytes, PROT_READ | PROT_WRITE, MAP_SHARED);
    if (chunk.copy == nullptr) continue;
    std::size_t used = 0;  // begin of the used part before the next unused one
    for (const auto& [begin, size] : chunk.unused) {
      std::memcpy(chunk.copy + used, chunk.base + used, begin - used);
      used = begin + size;
    }
    std::memcpy(chunk.copy + used, chunk.base + used, chunk.bytes - used);
  }
}

void after_fork_in_parent() noexcept {
  for (Chunk& chunk : state().chunks) {
    if (chunk.copy != nullptr) munmap(chunk.copy, chunk.bytes);
    chunk.copy = nullptr;
  }
}

void after_fork_in_child() noexcept {
  for (Chunk& chunk : state().chunks) {
    if (chunk.copy == nullptr) {  // no memory for a copy: better none than the parent's
      hide(chunk.base, chunk.bytes);
    } else {
      static_cast<void>(
          mremap(chunk.copy, chunk.bytes, chunk.bytes, MREMAP_MAYMOVE | MREMAP_FIXED, chunk.base));
    }
    chunk.copy = nullptr;
  }
}

}  // namespace kolam::detail::strict_pages

#endif
