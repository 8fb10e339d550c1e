// SPDX-License-Identifier: Apache-2.0
// Single instructions that are let through to pages on which only some bytes are allowed. The page
// may be open to other threads meanwhile, and the instruction may access more than the byte that
// was judged: forbidden writes are found by comparing values.
#include "strict_windows.hpp"

#ifdef __linux__

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "strict_pages.hpp"
#include "strict_protection.hpp"

namespace kolam::detail {
namespace {

char* page_at(const char* address) {
  char* const at = const_cast<char*>(address);
  return at - reinterpret_cast<std::uintptr_t>(at) % strict_pages::page_bytes();
}

}  // namespace

bool StrictWindows::open_page(const char* address, bool writes) {
  return mprotect(page_at(address), strict_pages::page_bytes(),
                  writes ? PROT_READ | PROT_WRITE : PROT_READ) == 0;
}

void StrictWindows::close_page(const char* address) {
  const std::scoped_lock lock(guard);
  const StrictWindow* const window = find(address);
  if (window == nullptr || window->pages.empty()) return;
  const auto p = static_cast<std::size_t>(address - strict_protection::mapped(*window)) /
                 strict_pages::page_bytes();
  strict_protection::apply_state(*window, p);
}

// Returns the bytes of the array on the page of this address.
ByteRange StrictWindows::page_in_array(const StrictWindow& window, const char* address) {
  const std::ptrdiff_t begin = page_at(address) - window.begin;  // negative on the first page
  const auto end = static_cast<std::size_t>(begin) + strict_pages::page_bytes();
  return {static_cast<std::size_t>(std::max<std::ptrdiff_t>(begin, 0)),
          std::min(window.array->bytes, end)};
}

std::unique_ptr<StrictStep> StrictWindows::begin_write(const char* address,
                                                       const void* instruction) {
  const std::scoped_lock lock(guard);
  const StrictWindow* const window = find(address);
  if (window == nullptr || window->life->memory == nullptr) return nullptr;
  const StrictMemory& memory = *window->life->memory;
  const std::uint64_t changes = memory.changes_;
  if (changes % 2 == 1 || memory.mirrored_) return nullptr;  // there are other, permitted writes
  std::unique_ptr<StrictStep> step;
  if (unused_steps_.empty()) {
    step = std::make_unique<StrictStep>();
  } else {
    step = std::move(unused_steps_.back());
    unused_steps_.pop_back();
  }
  const ByteRange bytes = page_in_array(*window, address);
  const char* const values = strict_protection::own_values(*window);
  step->address = address;
  step->instruction = instruction;
  step->before.assign(values + bytes.begin, values + bytes.end);
  step->changes = changes;
  return step;
}

std::string StrictWindows::end_write(std::unique_ptr<StrictStep> step) {
  const std::scoped_lock lock(guard);
  std::string report;
  const StrictWindow* const window = find(step->address);
  if (window != nullptr && window->life->memory != nullptr) {
    const ByteRange bytes = page_in_array(*window, step->address);
    const std::size_t byte = bytes.begin + first_forbidden(*window, bytes, step->before);
    // (Values that kolam wrote meanwhile were not written through a View.)
    if (byte < bytes.end && window->life->memory->changes_ == step->changes) {
      report =
          report_access(*window, window->begin + byte, true, newest(*window), step->instruction,
                        "by this instruction, which was let through for values that may be "
                        "written, or by another thread at that moment");
    }
  }
  unused_steps_.push_back(std::move(step));
  return report;
}

// Returns the index of the first of these bytes that changed although no View may write to it;
// their number if there is none.
std::size_t StrictWindows::first_forbidden(const StrictWindow& window, ByteRange bytes,
                                           const std::vector<char>& before) {
  const char* const now = strict_protection::own_values(window) + bytes.begin;
  const auto windows = of_same_side(window);
  constexpr std::size_t at_once = 64;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i % at_once == 0 && i + at_once < bytes.size() &&
        std::memcmp(before.data() + i, now + i, at_once) == 0) {
      i += at_once - 1;
      continue;
    }
    const std::size_t byte = bytes.begin + i;
    const auto allows = [&](const StrictWindow* w) {
      return w->writable.contains({byte, byte + 1});
    };
    if (now[i] != before[i] && std::none_of(windows.begin(), windows.end(), allows)) return i;
  }
  return bytes.size();
}

}  // namespace kolam::detail

#endif
