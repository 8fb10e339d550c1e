// SPDX-License-Identifier: Apache-2.0
#include "strict_windows.hpp"

#ifdef __linux__

#include <pthread.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <kolam/core/error.hpp>
#include <new>
#include <utility>

#include "strict_pages.hpp"

namespace kolam::detail {
namespace {

// Bounds of the quarantine: address space, which costs nothing, and windows, some 400 bytes each.
constexpr std::size_t most_quarantine_bytes = std::size_t{1} << 40;
constexpr std::size_t most_quarantine_windows = std::size_t{1} << 16;
// A window whose pages differ more often has them protected in larger blocks.
constexpr std::size_t most_changes = 1024;

char* mapped(const StrictWindow& window) { return window.reserved + strict_pages::page_bytes(); }
// Bytes of its first page before the array.
std::size_t offset_of(const StrictWindow& window) {
  return static_cast<std::size_t>(window.begin - mapped(window));
}
// The array's bytes on these pages.
ByteRange bytes_on(const StrictWindow& window, std::size_t first, std::size_t last) {
  const std::size_t page = strict_pages::page_bytes();
  const std::size_t offset = offset_of(window);
  const std::size_t begin = first * page;
  const std::size_t end = (last + 1) * page;
  return {begin < offset ? 0 : begin - offset,
          std::min(window.array->bytes, end < offset ? 0 : end - offset)};
}
std::size_t page_of(const StrictWindow& window, std::size_t byte) {
  return (offset_of(window) + byte) / strict_pages::page_bytes();
}

// How often pages differ from the one before, at `count` pages from `first` on and right after
// them.
std::size_t changes_in(const std::vector<PageState>& pages, std::size_t first, std::size_t count) {
  std::size_t sum = 0;
  const std::size_t end = std::min(first + count + 1, pages.size());
  for (std::size_t p = std::max<std::size_t>(first, 1); p < end; ++p) {
    if (pages[p] != pages[p - 1]) ++sum;
  }
  return sum;
}

// Whether one of the ranges holds all of these bytes.
bool has(RangeList ranges, ByteRange bytes) {
  const auto it = std::lower_bound(ranges.begin(), ranges.end(), bytes.end,
                                   [](ByteRange r, std::size_t end) { return r.end < end; });
  return it != ranges.end() && it->begin <= bytes.begin;
}

}  // namespace

StrictWindows& StrictWindows::get() {
  static auto* const all = new StrictWindows;  // never destroyed: static arrays may outlive it
  return *all;
}

StrictWindows::StrictWindows() {
  pthread_atfork(
      [] {
        get().guard.lock();
        strict_pages::before_fork();
      },
      [] {
        strict_pages::after_fork_in_parent();
        get().guard.unlock();
      },
      [] {
        strict_pages::after_fork_in_child();
        get().show_again();
        get().guard.unlock();
      });
}

StrictWindow& StrictWindows::open(const std::shared_ptr<const StrictLife>& life,
                                  const std::shared_ptr<const StrictArray>& array, Side side,
                                  char* pages, std::size_t bytes) {
  const std::size_t page = strict_pages::page_bytes();
  const std::size_t count = bytes / page;
  const StrictKeys& keys = strict_keys();
  auto window = std::make_unique<StrictWindow>(
      StrictWindow{array,
                   life,
                   side,
                   nullptr,
                   bytes + 2 * page,
                   nullptr,
                   pages,
                   ByteRanges(array->bytes),
                   ByteRanges(array->bytes),
                   ByteRanges(array->bytes),
                   {},
                   {},
                   {},
                   std::vector<PageState>(count, PageState::closed),
                   1,
                   0,
                   0,
                   keys.used ? keys.closed[next_key_++ % keys.closed_count] : 0,
                   !keys.used && !array->one_side && (side == Side::device || kernels_run_)});
  const auto refuse = [&]() {
    throw OutOfMemory("out of address space: array '" + array->label + "' needs " +
                          std::to_string(window->reserved_bytes) +
                          " bytes more for strict emulation, and the system gives none; use fewer "
                          "arrays at a time, or raise `ulimit -v`",
                      window->reserved_bytes, 0);
  };
  // Address space may be short: that in quarantine can be had again.
  char* reserved = nullptr;
  while ((reserved = strict_pages::reserve(window->reserved_bytes)) == nullptr) {
    if (quarantine_.empty()) refuse();
    forget_oldest();
  }
  window->reserved = reserved;
  const auto undo = [reserved, size = window->reserved_bytes] {
    strict_pages::unreserve(reserved, size);
  };
  if (!strict_pages::show(pages, bytes, reserved + page)) {
    undo();
    refuse();
  }
  StrictWindow* const result = window.get();
  try {
    open_.insert(result);
    by_address_.emplace(reserved, std::move(window));
  } catch (const std::bad_alloc&) {
    open_.erase(result);
    undo();
    throw;
  }
  strict_pages::count_maps(2);  // with the gap between two windows
  return *result;
}

void StrictWindows::close(StrictWindow& window) noexcept {
  strict_pages::hide(mapped(window), window.reserved_bytes - 2 * strict_pages::page_bytes());
  strict_pages::count_maps(-static_cast<std::ptrdiff_t>(2 + window.changes));
  window.pages = {};
  window.changes = 0;
  open_.erase(&window);
  std::erase(awake_devices_, &window);
  try {
    quarantine_.push_back(&window);
  } catch (const std::bad_alloc&) {  // it stays reserved for good
    return;
  }
  quarantine_bytes_ += window.reserved_bytes;
  while (quarantine_bytes_ > most_quarantine_bytes ||
         quarantine_.size() > most_quarantine_windows) {
    forget_oldest();
  }
}

void StrictWindows::forget_oldest() noexcept {
  StrictWindow& window = *quarantine_.front();
  quarantine_.pop_front();
  quarantine_bytes_ -= window.reserved_bytes;
  strict_pages::unreserve(window.reserved, window.reserved_bytes);
  by_address_.erase(window.reserved);
}

// What the bytes of pages that are protected alike have in common.
PageState StrictWindows::state_of(const StrictWindow& window, std::size_t first, std::size_t last) {
  const ByteRange bytes = bytes_on(window, first, last);
  const bool reads_all = window.readable.contains(bytes);
  if (reads_all && window.writable.contains(bytes)) return PageState::open;
#ifdef __x86_64__
  if (reads_all) return window.writable.touches(bytes) ? PageState::partly : PageState::read;
  return window.readable.touches(bytes) ? PageState::mixed : PageState::closed;
#else  // nothing can be let through by itself
  if (window.writable.touches(bytes)) return PageState::open;
  return window.readable.touches(bytes) ? PageState::read : PageState::closed;
#endif
}

bool StrictWindows::apply(const StrictWindow& window, std::size_t first, std::size_t last,
                          PageState state) const {
  const std::size_t page = strict_pages::page_bytes();
  char* const address = mapped(window) + first * page;
  const std::size_t bytes = (last - first + 1) * page;
  int protection = PROT_NONE;
  if (state == PageState::read) protection = PROT_READ;
  if (state == PageState::open) protection = PROT_READ | PROT_WRITE;
#if defined(__x86_64__) && defined(PKEY_DISABLE_ACCESS)
  const StrictKeys& keys = strict_keys();
  if (keys.used) {
    const std::size_t s = window.side == Side::host ? 0 : 1;
    int key = keys.side[s];
    if (state == PageState::partly || state == PageState::mixed) {
      protection = PROT_READ | PROT_WRITE;  // of those who have the key
      const bool reads = state == PageState::partly && !window.array->one_side;
      key = reads ? keys.read_only[s] : window.closed_key;
    } else if (window.array->one_side) {
      key = 0;  // which all threads have
    }
    return pkey_mprotect(address, bytes, protection, key) == 0;
  }
#endif
  if (state == PageState::partly) protection = PROT_READ;
  if (window.asleep) protection = PROT_NONE;
  return mprotect(address, bytes, protection) == 0;
}

// Gives the pages from `first` on these states.
void StrictWindows::set_states(StrictWindow& window, std::size_t first,
                               const std::vector<PageState>& states) {
  const std::size_t before = changes_in(window.pages, first, states.size());
  bool fails = false;
  for (std::size_t i = 0; i < states.size();) {  // a run of pages that are alike
    std::size_t end = i + 1;
    bool differs = window.pages[first + i] != states[i];
    for (; end < states.size() && states[end] == states[i]; ++end) {
      differs = differs || window.pages[first + end] != states[i];
    }
    if (differs) fails = fails || !apply(window, first + i, first + end - 1, states[i]);
    i = end;
  }
  std::copy(states.begin(), states.end(),
            window.pages.begin() + static_cast<std::ptrdiff_t>(first));
  const std::size_t after = changes_in(window.pages, first, states.size());
  window.changes += after - before;
  strict_pages::count_maps(static_cast<std::ptrdiff_t>(after) -
                           static_cast<std::ptrdiff_t>(before));
  if (!fails) return;
  // The maps are short: one for all of the window.
  const std::size_t last = window.pages.size() - 1;
  window.pages_a_block = window.pages.size();
  const PageState all = state_of(window, 0, last);
  if (!apply(window, 0, last, all)) {
    const char* const why = std::strerror(errno);
    guard.unlock();
    die_of("kolam: array '" + window.array->label +
           "': the system does not protect its pages any more: " + why + "\n");
  }
  strict_pages::count_maps(-static_cast<std::ptrdiff_t>(window.changes));
  window.changes = 0;
  std::fill(window.pages.begin(), window.pages.end(), all);
}

void StrictWindows::protect(StrictWindow& window, RangeList ranges, StrictFill fill) noexcept {
  std::size_t done = 0;  // pages before it
  for (std::size_t i = 0; i < ranges.size();) {
    if (ranges[i].size() == 0) {  // an intent on no values
      ++i;
      continue;
    }
    // Ranges that lie on neighbouring pages go together.
    const std::size_t first = page_of(window, ranges[i].begin);
    std::size_t last = page_of(window, ranges[i].end - 1);
    std::size_t end = i + 1;
    while (end < ranges.size() && page_of(window, ranges[end].begin) <= last + 2) {
      last = page_of(window, ranges[end++].end - 1);
    }
    if (last >= done) {
      try {
        update(window, std::max(first, done), last, ranges.subspan(i, end - i), fill);
      } catch (const std::bad_alloc&) {  // page by page it needs no memory
        for (std::size_t p = first; p <= last; ++p) static_cast<void>(protect_page(window, p));
      }
    }
    done = last + 1;
    i = end;
  }
}

// False if the system refuses.
bool StrictWindows::protect_page(StrictWindow& window, std::size_t page) {
  const std::size_t before = changes_in(window.pages, page, 1);
  window.pages[page] = state_of(window, page, page);
  const std::size_t after = changes_in(window.pages, page, 1);
  window.changes += after - before;
  strict_pages::count_maps(static_cast<std::ptrdiff_t>(after) -
                           static_cast<std::ptrdiff_t>(before));
  return apply(window, page, page, window.pages[page]);
}

// Gives these pages, which the ranges touch, their states; all of the window, in larger blocks, if
// that took more maps than there may be.
void StrictWindows::update(StrictWindow& window, std::size_t first, std::size_t last,
                           RangeList ranges, StrictFill fill) {
  if (fill == StrictFill::poison) window.first_writes = 0;
  for (;;) {
    const std::size_t block = window.pages_a_block;
    first = first / block * block;
    last = std::min((last / block + 1) * block, window.pages.size()) - 1;
    std::vector<PageState> states(last - first + 1);
    for (std::size_t p = first; p <= last; p += block) {
      const std::size_t end = std::min(p + block - 1, last);
      const PageState state =
          is_unwritten(window, p, ranges, fill) ? PageState::unwritten : state_of(window, p, end);
      std::fill(states.begin() + static_cast<std::ptrdiff_t>(p - first),
                states.begin() + static_cast<std::ptrdiff_t>(end - first + 1), state);
    }
    const std::size_t before = changes_in(window.pages, first, states.size());
    const std::size_t after =
        changes_in(states, 0, states.size()) +
        (first > 0 && window.pages[first - 1] != states.front() ? 1 : 0) +
        (last + 1 < window.pages.size() && window.pages[last + 1] != states.back() ? 1 : 0);
    const bool fits = after <= before || (window.changes + after - before <= most_changes &&
                                          strict_pages::maps_left(after - before));
    if (fits || block >= window.pages.size()) {
      set_states(window, first, states);
      return;
    }
    window.pages_a_block *= 2;
    first = 0;
    last = window.pages.size() - 1;
    fill = StrictFill::values;
  }
}

// Whether nothing was written to the page since it was poisoned. Kernels alone are checked for
// reads before writes: host code may pass what it is to fill to the system, which cannot write to
// closed pages.
bool StrictWindows::is_unwritten([[maybe_unused]] const StrictWindow& window,
                                 [[maybe_unused]] std::size_t page,
                                 [[maybe_unused]] RangeList ranges,
                                 [[maybe_unused]] StrictFill fill) {
#ifdef __x86_64__
  if (window.side == Side::host || window.pages_a_block > 1 ||
      state_of(window, page, page) != PageState::open) {
    return false;
  }
  return (fill == StrictFill::poison && has(ranges, bytes_on(window, page, page))) ||
         (fill == StrictFill::none && window.pages[page] == PageState::unwritten);
#else  // faults do not say whether they are of writes
  return false;
#endif
}

StrictWindow* StrictWindows::find(const char* address) const {
  auto entry = by_address_.upper_bound(address);
  if (entry == by_address_.begin()) return nullptr;
  --entry;
  return address < entry->first + entry->second->reserved_bytes ? entry->second.get() : nullptr;
}

// Opens pages that nobody had written to. It allocates nothing, unless there are too many changes
// of protection: pages that are written in no order are not worth as many maps.
void StrictWindows::open_pages(StrictWindow& window, std::size_t first, std::size_t last) {
  const std::size_t count = last - first + 1;
  const std::size_t before = changes_in(window.pages, first, count);
  std::fill_n(window.pages.begin() + static_cast<std::ptrdiff_t>(first), count, PageState::open);
  const std::size_t after = changes_in(window.pages, first, count);
  window.changes += after - before;
  strict_pages::count_maps(static_cast<std::ptrdiff_t>(after) -
                           static_cast<std::ptrdiff_t>(before));
  const bool applied = apply(window, first, last, PageState::open);
  if (applied && window.changes <= most_changes) return;
  if (!applied) {  // they are as they were
    std::fill_n(window.pages.begin() + static_cast<std::ptrdiff_t>(first), count,
                PageState::closed);
  }
  try {
    update(window, 0, window.pages.size() - 1, {}, StrictFill::values);
  } catch (const std::bad_alloc&) {  // the next fault tries it again
  }
}

StrictMemory::Verdict StrictWindows::judge(const char* address, bool writes,
                                           const void* instruction) {
  using Verdict = StrictMemory::Verdict;
  const std::scoped_lock lock(guard);
  StrictWindow* const window = find(address);
  if (window == nullptr) return {Verdict::Kind::not_ours, {}};
  const auto misuse = [&]() -> Verdict {
    const StrictWindow* newest = nullptr;
    if (window->life->memory != nullptr) {
      const auto& windows = window->life->memory->sides_[StrictMemory::index(window->side)].windows;
      if (!windows.empty()) newest = windows.back();
    }
    return {Verdict::Kind::misuse, report_access(*window, address, writes, newest, instruction)};
  };
  if (address < window->begin || address >= window->begin + window->array->bytes) return misuse();
  const auto byte = static_cast<std::size_t>(address - window->begin);
  if (window->pages.empty()) return misuse();  // it is closed for good
  if (!window->array->one_side && !may_touch(running_code(), window->side)) return misuse();
  if (!(writes ? window->writable : window->readable).contains({byte, byte + 1})) return misuse();
  if (window->asleep) {
    // The host's code goes on on another thread while kernels run.
    if (kernels_run_ && window->side == Side::host) return {Verdict::Kind::step, {}};
    wake(*window);
    return {Verdict::Kind::again, {}};
  }
  const std::size_t p = page_of(*window, byte);
  const PageState known = window->pages[p];
  if (known == PageState::closed || (known == PageState::read && writes)) {
    // The system did not do it when the page was to get what its bytes may.
    return {protect_page(*window, p) ? Verdict::Kind::again : Verdict::Kind::step, {}};
  }
  switch (window->pages[p]) {
    case PageState::unwritten: {
      if (!writes) return misuse();
      // Others of this loop will write what follows: the more it wrote, the more is opened.
      std::size_t last = p;
      const std::size_t most = p + window->first_writes / 8;
      while (last < most && last + 1 < window->pages.size() &&
             window->pages[last + 1] == PageState::unwritten) {
        ++last;
      }
      window->first_writes += last - p + 1;
      open_pages(*window, p, last);
      return {Verdict::Kind::again, {}};
    }
    case PageState::mixed:
      return {Verdict::Kind::step, {}, window->closed_key};
    case PageState::partly:
      if (window->array->one_side) return {Verdict::Kind::step, {}, window->closed_key};
      if (!writes) return {Verdict::Kind::again, {}};
      return {Verdict::Kind::step, {}, strict_keys().read_only[window->side == Side::host ? 0 : 1]};
    default:  // another thread was there first, or this one has not got the side's key yet
      return {Verdict::Kind::again, {}};
  }
}

bool StrictWindows::open_page(const char* address) {
  const std::size_t page = strict_pages::page_bytes();
  char* const at = const_cast<char*>(address);
  return mprotect(at - reinterpret_cast<std::uintptr_t>(at) % page, page, PROT_READ | PROT_WRITE) ==
         0;
}

void StrictWindows::close_page(const char* address) {
  const std::scoped_lock lock(guard);
  const StrictWindow* const window = find(address);
  if (window == nullptr || window->pages.empty()) return;
  const auto p = static_cast<std::size_t>(address - mapped(*window)) / strict_pages::page_bytes();
  static_cast<void>(apply(*window, p, p, window->pages[p]));
}

void StrictWindows::wake(StrictWindow& window) {
  window.asleep = false;
  if (window.side == Side::device) awake_devices_.push_back(&window);
  for (std::size_t p = 0; p < window.pages.size();) {
    std::size_t end = p + 1;
    while (end < window.pages.size() && window.pages[end] == window.pages[p]) ++end;
    static_cast<void>(apply(window, p, end - 1, window.pages[p]));
    p = end;
  }
}

void StrictWindows::put_to_sleep(StrictWindow& window) {
  window.asleep = true;
  static_cast<void>(apply(window, 0, window.pages.size() - 1, PageState::closed));
}

void StrictWindows::device_sleeps() {
  for (StrictWindow* window : awake_devices_) put_to_sleep(*window);
  awake_devices_.clear();
}

void StrictWindows::kernels_run(bool now) {
  const std::scoped_lock lock(guard);
  kernels_run_ = now;
  for (StrictWindow* window : open_) {
    if (window->side == Side::device || window->array->one_side || window->asleep == now) continue;
    now ? put_to_sleep(*window) : wake(*window);
  }
  if (!now) device_sleeps();
}

void StrictWindows::forget_unwritten() {
  const std::scoped_lock lock(guard);
  for (StrictWindow* window : open_) {
    const auto& pages = window->pages;
    if (std::find(pages.begin(), pages.end(), PageState::unwritten) == pages.end()) continue;
    update(*window, 0, pages.size() - 1, {}, StrictFill::values);
  }
}

void StrictWindows::code_of_both_ends() {
  const std::scoped_lock lock(guard);
  if (!kernels_run_) device_sleeps();
}

// In the child of a fork, whose pages are others.
void StrictWindows::show_again() {
  for (auto& [address, window] : by_address_) {
    if (window->pages.empty()) continue;
    const std::size_t bytes = window->reserved_bytes - 2 * strict_pages::page_bytes();
    if (!strict_pages::show(window->own_pages, bytes, mapped(*window))) {
      strict_pages::hide(mapped(*window), bytes);
      continue;
    }
    window->asleep ? put_to_sleep(*window) : wake(*window);
  }
}

}  // namespace kolam::detail

#endif
