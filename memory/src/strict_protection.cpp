// SPDX-License-Identifier: Apache-2.0
#include "strict_protection.hpp"

#ifdef __linux__

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <kolam/memory/detail/strict_keys.hpp>
#include <new>

#include "strict_pages.hpp"
#include "strict_windows.hpp"

namespace kolam::detail::strict_protection {
namespace {

// With more changes between pages, a window protects them in larger blocks.
constexpr std::size_t most_changes = 1024;

// Returns the bytes of the first page before the array.
std::size_t offset_of(const StrictWindow& window) {
  return static_cast<std::size_t>(window.begin - mapped(window));
}

// Returns whether one of the ranges holds all of these bytes.
bool has(RangeList ranges, ByteRange bytes) {
  const auto it = std::lower_bound(ranges.begin(), ranges.end(), bytes.end,
                                   [](ByteRange r, std::size_t end) { return r.end < end; });
  return it != ranges.end() && it->begin <= bytes.begin;
}

// Returns the common state of pages with common protection.
PageState state_of(const StrictWindow& window, std::size_t first, std::size_t last) {
  const ByteRange bytes = bytes_on(window, first, last);
  const bool reads_all = window.readable.contains(bytes);
  if (reads_all && window.writable.contains(bytes)) return PageState::open;
#ifdef __x86_64__
  if (reads_all) return window.writable.touches(bytes) ? PageState::partly : PageState::read;
  return window.readable.touches(bytes) ? PageState::mixed : PageState::closed;
#else  // no access can be let through singly
  if (window.writable.touches(bytes)) return PageState::open;
  return window.readable.touches(bytes) ? PageState::read : PageState::closed;
#endif
}

// Returns whether the page is to be closed because nothing was written to it since it was poisoned.
// On the host this is only on request: host code may pass memory to be filled to the system, which
// cannot write to closed pages.
bool is_unwritten([[maybe_unused]] const StrictWindow& window, [[maybe_unused]] std::size_t page,
                  [[maybe_unused]] RangeList ranges, [[maybe_unused]] StrictFill fill) {
#ifdef __x86_64__
  if ((window.side == Side::host && !window.array->looks_closer) || window.pages_a_block > 1 ||
      state_of(window, page, page) != PageState::open) {
    return false;
  }
  return (fill == StrictFill::poison && has(ranges, bytes_on(window, page, page))) ||
         (fill == StrictFill::none && window.pages[page] == PageState::unwritten);
#else  // faults do not say whether they are of writes
  return false;
#endif
}

bool apply(const StrictWindow& window, std::size_t first, std::size_t last, PageState state) {
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
    if (state == PageState::partly || state == PageState::mixed || state == PageState::unwritten) {
      protection = PROT_READ | PROT_WRITE;  // for threads that have the key
      const bool reads = state == PageState::partly && !window.array->one_side;
      key = reads ? keys.read_only[s] : window.closed_key;
    } else if (window.array->one_side) {
      key = 0;  // all threads have this key
    }
    return pkey_mprotect(address, bytes, protection, key) == 0;
  }
#endif
  if (state == PageState::partly) protection = PROT_READ;
  if (window.asleep) protection = PROT_NONE;
  return mprotect(address, bytes, protection) == 0;
}

// Sets the states of the pages from `first` on.
void set_states(StrictWindow& window, std::size_t first, const std::vector<PageState>& states) {
  bool fails = false;
  for (std::size_t i = 0; i < states.size();) {  // a run of pages with equal states
    std::size_t end = i + 1;
    bool differs = window.pages[first + i] != states[i];
    for (; end < states.size() && states[end] == states[i]; ++end) {
      differs = differs || window.pages[first + end] != states[i];
    }
    if (differs) fails = fails || !apply(window, first + i, first + end - 1, states[i]);
    i = end;
  }
  window.pages.set(first, states);
  if (!fails) return;
  // There are too few maps: uses one for the whole window.
  const std::size_t count = window.pages.size();
  window.pages_a_block = count;
  const PageState all = state_of(window, 0, count - 1);
  if (!apply(window, 0, count - 1, all)) {
    const char* const why = std::strerror(errno);
    StrictWindows::get().guard.unlock();
    die_of("kolam: array '" + window.array->label +
           "': the system does not protect its pages any more: " + why + "\n");
  }
  window.pages.set(0, count, all);
}

// Updates the states of these pages, which the ranges touch. Updates the whole window, in larger
// blocks, if this would take too many maps.
void update(StrictWindow& window, std::size_t first, std::size_t last, RangeList ranges,
            StrictFill fill) {
  if (fill == StrictFill::poison) window.first_writes = window.steps = 0;
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
    const std::ptrdiff_t change = window.pages.changes_with(first, states);
    const auto more = static_cast<std::size_t>(std::max<std::ptrdiff_t>(change, 0));
    const bool fits = more == 0 || (window.pages.changes() + more <= most_changes &&
                                    strict_pages::maps_left(more));
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

}  // namespace

char* mapped(const StrictWindow& window) { return window.reserved + strict_pages::page_bytes(); }

const char* own_values(const StrictWindow& window) { return window.own_pages + offset_of(window); }

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

void protect(StrictWindow& window, RangeList ranges, StrictFill fill) noexcept {
  std::size_t done = 0;  // pages before it are done
  for (std::size_t i = 0; i < ranges.size();) {
    if (ranges[i].size() == 0) {  // an intent on no values
      ++i;
      continue;
    }
    // Ranges on neighbouring pages are handled together.
    const std::size_t first = page_of(window, ranges[i].begin);
    std::size_t last = page_of(window, ranges[i].end - 1);
    std::size_t end = i + 1;
    while (end < ranges.size() && page_of(window, ranges[end].begin) <= last + 2) {
      last = page_of(window, ranges[end++].end - 1);
    }
    if (last >= done) {
      try {
        update(window, std::max(first, done), last, ranges.subspan(i, end - i), fill);
      } catch (const std::bad_alloc&) {  // page by page needs no memory
        for (std::size_t p = first; p <= last; ++p) protect_page(window, p);
      }
    }
    done = last + 1;
    i = end;
  }
}

bool protect_page(StrictWindow& window, std::size_t page) {
  window.pages.set(page, 1, state_of(window, page, page));
  return apply(window, page, page, window.pages[page]);
}

// Allocates nothing, unless there are too many changes of protection: pages that are written in
// random order are not worth that many maps.
void open_unwritten(StrictWindow& window, std::size_t first, std::size_t last) {
  const bool applied = apply(window, first, last, PageState::open);
  // (If the system refused, they are unchanged.)
  window.pages.set(first, last - first + 1, applied ? PageState::open : PageState::closed);
  if (applied && window.pages.changes() <= most_changes) return;
  try {
    forget_unwritten(window);
  } catch (const std::bad_alloc&) {  // the next fault retries this
  }
}

void forget_unwritten(StrictWindow& window) {
  update(window, 0, window.pages.size() - 1, {}, StrictFill::values);
}

void apply_states(const StrictWindow& window) {
  const PageStates& pages = window.pages;
  for (std::size_t p = 0; p < pages.size();) {
    const std::size_t end = window.asleep ? pages.size() : pages.end_of_run(p);
    apply(window, p, end - 1, pages[p]);
    p = end;
  }
}

void apply_state(const StrictWindow& window, std::size_t page) {
  apply(window, page, page, window.pages[page]);
}

}  // namespace kolam::detail::strict_protection

#endif
