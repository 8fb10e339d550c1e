// SPDX-License-Identifier: Apache-2.0
#include <kolam/memory/detail/strict_memory.hpp>

#ifdef __linux__

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <kolam/memory/detail/allocation.hpp>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <sstream>
#include <utility>

namespace kolam::detail {
namespace {

// Old windows of one side that are still recognised, and events that are still remembered.
constexpr std::size_t most_windows = 16;
constexpr std::size_t most_events = 64;

std::size_t page_bytes() {
  static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

std::size_t round_up(std::size_t bytes, std::size_t to) { return (bytes + to - 1) / to * to; }

// Every window of the process by its first address. The fault handler takes the lock too: a fault
// in a window comes from code of the user, which does not hold it.
struct Windows {
  std::mutex guard;
  std::map<const char*, StrictMemory::Place> by_address;
};

Windows& windows() {
  static auto* const all = new Windows;  // never destroyed: static arrays may outlive it
  return *all;
}

}  // namespace

StrictMemory::StrictMemory(std::string label, std::size_t bytes, std::size_t value_bytes)
    : label_(std::move(label)), bytes_(bytes), value_bytes_(value_bytes) {
  const std::size_t page = page_bytes();
  mapped_bytes_ = bytes > PTRDIFF_MAX - 2 * page ? 0 : round_up(bytes, page);
  watch_faults();
}

StrictMemory::~StrictMemory() {
  free(Side::host);
  free(Side::device);
}

void* StrictMemory::allocate(Side side) {
  if (mapped_bytes_ == 0 || AllocationFaults::next_fails()) return nullptr;
  void* const memory =
      mmap(nullptr, mapped_bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  const std::scoped_lock lock(windows().guard);
  SideMemory& it = sides_[index(side)];
  it.memory = memory;
  std::memset(first_byte(it.memory), 0xff, bytes_);  // NaN, until something is written
  return first_byte(it.memory);
}

void StrictMemory::free(Side side) noexcept {
  const std::scoped_lock lock(windows().guard);
  SideMemory& it = sides_[index(side)];
  if (it.memory == nullptr) return;
  for (StrictWindow& window : it.windows) close_window(window);
  it.windows.clear();
  munmap(std::exchange(it.memory, nullptr), mapped_bytes_);
}

StrictWindow& StrictMemory::open_window(SideMemory& side) {
  const std::size_t page = page_bytes();
  const std::size_t reserved_bytes = mapped_bytes_ + 2 * page;
  // What is made before something throws goes again.
  const auto unmap = [&](char* memory) { munmap(memory, reserved_bytes); };
  void* const address =
      mmap(nullptr, reserved_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (address == MAP_FAILED) throw std::bad_alloc();
  std::unique_ptr<char, decltype(unmap)> reserved(static_cast<char*>(address), unmap);
  char* const mapped = reserved.get() + page;
  // A length of 0 maps the same pages once more.
  if (mremap(side.memory, 0, mapped_bytes_, MREMAP_MAYMOVE | MREMAP_FIXED, mapped) == MAP_FAILED) {
    throw std::bad_alloc();
  }
  mprotect(mapped, mapped_bytes_, PROT_NONE);
  std::list<StrictWindow> window;
  window.push_back({reserved.get(), reserved_bytes, first_byte(mapped), ByteRanges(bytes_),
                    ByteRanges(bytes_), ByteRanges(bytes_)});
  const Side which = &side == sides_ ? Side::host : Side::device;
  windows().by_address[reserved.get()] = {this, which, &window.back()};
  static_cast<void>(reserved.release());
  side.windows.splice(side.windows.end(), window);
  if (side.windows.size() > most_windows) {
    const auto over = std::find_if(side.windows.begin(), side.windows.end(),
                                   [](const StrictWindow& w) { return w.readable.none(); });
    if (over != std::prev(side.windows.end()) && over != side.windows.end()) {
      close_window(*over);
      side.windows.erase(over);
    }
  }
  return side.windows.back();
}

void StrictMemory::close_window(StrictWindow& window) noexcept {
  windows().by_address.erase(window.reserved);
  munmap(window.reserved, window.reserved_bytes);
}

void* StrictMemory::admit(const StrictEvent& event, RangeList ranges, bool grants, bool poisons) {
  const std::scoped_lock lock(windows().guard);
  SideMemory& here = sides_[index(event.side)];
  SideMemory& there = sides_[1 - index(event.side)];
  grants = grants && here.memory != nullptr;

  // What can fail comes first.
  events_.reserve(events_.size() + 1);
  const auto reserve = [&](StrictWindow& window) {
    for (ByteRanges* set : {&window.readable, &window.writable, &window.lapsed}) {
      set->reserve(ranges.size());
    }
  };
  std::for_each(there.windows.begin(), there.windows.end(), reserve);
  if (grants) {
    const bool again = here.windows.empty() ||
                       std::any_of(ranges.begin(), ranges.end(), [&](const ByteRange& range) {
                         return here.windows.back().lapsed.touches(range);
                       });
    if (again) open_window(here);
    reserve(here.windows.back());
  }

  events_.push_back(event);
  if (events_.size() > most_events) events_.erase(events_.begin());
  for (StrictWindow& window : there.windows) {
    for (const ByteRange& range : ranges) take(window, range, event.writes);
  }
  if (!grants) return nullptr;
  StrictWindow& window = here.windows.back();
  for (const ByteRange& range : ranges) {
    if (poisons) std::memset(first_byte(here.memory) + range.begin, 0xff, range.size());
    const bool known =
        window.readable.contains(range) && (!event.writes || window.writable.contains(range));
    if (known) continue;
    window.readable.add(range);
    if (event.writes) window.writable.add(range);
    protect(window, range);
  }
  return window.begin;
}

// Ends writing, or also reading, of a range.
void StrictMemory::take(StrictWindow& window, ByteRange range, bool reading) {
  if (!window.writable.touches(range) && !(reading && window.readable.touches(range))) return;
  window.lapsed.add(range);
  window.writable.remove(range);
  if (reading) window.readable.remove(range);
  protect(window, range);
}

// Of the array in these pages: it ends where the last one does, so that what is behind is a
// guard's.
char* StrictMemory::first_byte(void* pages) const {
  return static_cast<char*>(pages) + mapped_bytes_ - round_up(bytes_, 64);
}

// What the bytes of one page have in common.
int StrictMemory::protection(const StrictWindow& window, ByteRange page) const {
  const bool reads_all = window.readable.contains(page);
  const bool writes_all = window.writable.contains(page);
  if (writes_all && reads_all) return PROT_READ | PROT_WRITE;
#ifdef __x86_64__
  return reads_all ? PROT_READ : PROT_NONE;
#else
  if (window.writable.touches(page)) return PROT_READ | PROT_WRITE;
  return window.readable.touches(page) ? PROT_READ : PROT_NONE;
#endif
}

void StrictMemory::protect(const StrictWindow& window, ByteRange range) const {
  if (range.size() == 0) return;
  const std::size_t page = page_bytes();
  char* const mapped = window.reserved + page;
  const auto offset = static_cast<std::size_t>(window.begin - mapped);
  const std::size_t first = (offset + range.begin) / page;
  const std::size_t last = (offset + range.end - 1) / page;
  const auto bytes_of = [&](std::size_t p) {  // those of the array
    const std::size_t begin = p * page;
    return ByteRange{begin < offset ? 0 : begin - offset,
                     std::min(bytes_, begin + page < offset ? 0 : begin + page - offset)};
  };
  for (std::size_t p = first; p <= last;) {  // a run of pages that are alike
    const int common = protection(window, bytes_of(p));
    std::size_t end = p + 1;
    while (end <= last && protection(window, bytes_of(end)) == common) ++end;
    mprotect(mapped + p * page, (end - p) * page, common);
    p = end;
  }
}

StrictMemory::Place StrictMemory::find(const void* address) {
  const std::scoped_lock lock(windows().guard);
  const auto* const at = static_cast<const char*>(address);
  auto entry = windows().by_address.upper_bound(at);
  if (entry == windows().by_address.begin()) return {nullptr, Side::host, nullptr};
  --entry;
  const Place& place = entry->second;
  if (at >= entry->first + place.window->reserved_bytes) return {nullptr, Side::host, nullptr};
  return place;
}

bool StrictMemory::allows(const Place& place, const void* address, bool writes) {
  const std::scoped_lock lock(windows().guard);
  const auto* const at = static_cast<const char*>(address);
  const StrictWindow& window = *place.window;
  if (at < window.begin || at >= window.begin + place.memory->bytes_) return false;
  const auto byte = static_cast<std::size_t>(at - window.begin);
  return (writes ? window.writable : window.readable).contains({byte, byte + 1});
}

void StrictMemory::open_page(const void* address) {
  char* const at = const_cast<char*>(static_cast<const char*>(address));
  char* const page = at - reinterpret_cast<std::uintptr_t>(at) % page_bytes();
  mprotect(page, page_bytes(), PROT_READ | PROT_WRITE);
}

void StrictMemory::close_page(const void* address) {
  const Place place = find(address);
  if (place.memory == nullptr) return;
  const std::scoped_lock lock(windows().guard);
  const auto* const at = static_cast<const char*>(address);
  const char* const begin = place.window->begin;
  if (at < begin || at >= begin + place.memory->bytes_) return;
  const auto byte = static_cast<std::size_t>(at - begin);
  place.memory->protect(*place.window, {byte, byte + 1});
}

// The newest access that ended what is now missing.
const StrictEvent* StrictMemory::blame(const Place& place, std::size_t byte, bool writes) const {
  const auto found = std::find_if(events_.rbegin(), events_.rend(), [&](const StrictEvent& e) {
    return e.side != place.side && (e.writes || writes) && e.range.begin <= byte &&
           byte < e.range.end;
  });
  return found == events_.rend() ? nullptr : &*found;
}

std::string StrictMemory::report(const Place& place, const void* address, bool writes,
                                 const CallStack& stack) {
  const std::scoped_lock lock(windows().guard);
  const StrictMemory& array = *place.memory;
  const StrictWindow& window = *place.window;
  const char* const side = place.side == Side::host ? "host" : "device";
  const char* const other = place.side == Side::host ? "device" : "host";
  const auto* const at = static_cast<const char*>(address);
  std::ostringstream out;
  out << "kolam: array '" << array.label_ << "': " << (writes ? "a write" : "a read") << ' ';
  if (at < window.begin || at >= window.begin + array.bytes_) {
    const bool behind = at >= window.begin;
    out << (behind ? at - window.begin - static_cast<std::ptrdiff_t>(array.bytes_) + 1
                   : window.begin - at)
        << " bytes " << (behind ? "behind" : "before") << " its "
        << array.bytes_ / array.value_bytes_ << " values on the " << side << '\n'
        << "  by\n"
        << stack.text() << "  check the indices of this loop\n";
    return out.str();
  }
  const auto byte = static_cast<std::size_t>(at - window.begin);
  const StrictEvent* const event = array.blame(place, byte, writes);
  const bool lapsed = window.lapsed.contains({byte, byte + 1});
  const bool stale =
      !array.sides_[index(place.side)].windows.back().readable.contains({byte, byte + 1});
  out << (writes ? "to" : "of") << " value " << byte / array.value_bytes_ << " (bytes "
      << byte / array.value_bytes_ * array.value_bytes_ << " to "
      << (byte / array.value_bytes_ + 1) * array.value_bytes_ << ") on the " << side;
  const char* const intent = writes ? "read_write" : "read";
  if (lapsed && event != nullptr) {
    out << (stale && event->writes ? ", which is stale there\n"
                                   : " through a View that has lapsed\n");
    out << "  since " << event->what << '(' << other << ") of "
        << "bytes " << event->range.begin << " to " << event->range.end << " at "
        << to_string(event->where) << '\n'
        << event->stack.text();
  } else {
    out << ", which no intent allows\n";
    const auto granted =
        std::find_if(array.events_.rbegin(), array.events_.rend(), [&](const StrictEvent& e) {
          return e.side == place.side && e.range.begin <= byte && byte < e.range.end;
        });
    if (granted != array.events_.rend()) {
      out << "  the last one there is " << granted->what << '(' << side << ") of bytes "
          << granted->range.begin << " to " << granted->range.end << " at "
          << to_string(granted->where) << '\n'
          << granted->stack.text();
    }
  }
  out << "  by\n"
      << stack.text() << "  take " << intent << '(' << side << ") "
      << (lapsed ? "again, after that, and use its View\n" : "for it\n");
  return out.str();
}

}  // namespace kolam::detail

#endif
