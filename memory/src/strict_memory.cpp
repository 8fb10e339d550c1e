// SPDX-License-Identifier: Apache-2.0
#include <kolam/memory/detail/strict_memory.hpp>

#ifdef __linux__

#include <pthread.h>
#include <sys/mman.h>

#include <algorithm>
#include <kolam/core/error.hpp>
#include <kolam/memory/detail/allocation.hpp>
#include <kolam/memory/detail/environment.hpp>
#include <new>
#include <utility>

#include "strict_pages.hpp"
#include "strict_poison.hpp"
#include "strict_protection.hpp"
#include "strict_windows.hpp"

namespace kolam::detail {
namespace {

std::size_t round_up(std::size_t bytes, std::size_t to) { return (bytes + to - 1) / to * to; }

}  // namespace

StrictMemory::StrictMemory(std::string label, std::size_t bytes, std::size_t value_bytes,
                           bool one_side)
    : array_(std::make_shared<StrictArray>(
          StrictArray{std::move(label), bytes, value_bytes, one_side,
                      environment_flag("KOLAM_STRICT_READS", false)})) {
  const std::size_t page = strict_pages::page_bytes();
  mapped_bytes_ = bytes > PTRDIFF_MAX - 2 * page ? 0 : round_up(bytes, page);
  watch_faults();
}

StrictMemory::~StrictMemory() {
  for (const Side side : {Side::host, Side::device}) free(side);
}

// Throws unless the process may have `more` maps.
void StrictMemory::require_maps(std::size_t more) const {
  if (strict_pages::maps_left(more)) return;
  const std::size_t most = strict_pages::most_maps();
  throw OutOfMemory("out of memory maps: array '" + array_->label +
                        "' needs some more for strict emulation, but of the " +
                        std::to_string(most) +
                        " that a process may have (vm.max_map_count) less than a sixteenth is "
                        "left; use fewer arrays at a time, KOLAM_EMULATE_DEVICE=1 instead of "
                        "KOLAM_STRICT=1, or `sysctl -w vm.max_map_count=" +
                        std::to_string(4 * most) + "`",
                    array_->bytes, 0);
}

void* StrictMemory::allocate(Side side) {
  if (mapped_bytes_ == 0 || AllocationFaults::next_fails()) return nullptr;
  watch_kernels();
  const std::scoped_lock lock(StrictWindows::get().guard);
  require_maps(8);
  auto life = std::make_shared<StrictLife>(StrictLife{this, nullptr});
  char* const pages = strict_pages::allocate(mapped_bytes_);
  if (pages == nullptr) return nullptr;
  char* const first = first_byte(pages);
  strict_poison::fill(pages, pages + mapped_bytes_);  // also beside the values
  sides_[index(side)].pages = pages;
  sides_[index(side)].life = std::move(life);
  return first;
}

void StrictMemory::free(Side side, const char* how, SourceLocation where) noexcept {
  std::string report;
  {
    const std::scoped_lock lock(StrictWindows::get().guard);
    SideMemory& it = sides_[index(side)];
    if (it.pages == nullptr) return;
    std::shared_ptr<const StrictEvent> end;
    try {
      end = std::make_shared<StrictEvent>(
          StrictEvent{side, how, false, {}, where, CallStack::here()});
      report = spoiled_report(*end);
    } catch (const std::bad_alloc&) {  // later reports then say less
    }
    for (StrictWindow* window : it.windows) StrictWindows::get().close(*window);
    it.windows.clear();
    *it.life = {nullptr, end};
    it.life.reset();
    strict_pages::free(std::exchange(it.pages, nullptr), mapped_bytes_);
  }
  if (!report.empty()) die_of(report);
}

StrictWindow& StrictMemory::open_window(Side side) {
  require_maps(4);
  SideMemory& it = sides_[index(side)];
  it.windows.reserve(it.windows.size() + 1);
  StrictWindow& window = StrictWindows::get().open(it.life, array_, side, it.pages, mapped_bytes_);
  window.begin = first_byte(window.reserved + strict_pages::page_bytes());
  it.windows.push_back(&window);
  return window;
}

void* StrictMemory::admit(const std::shared_ptr<const StrictEvent>& event, bool grants,
                          StrictFill fill) {
  outside_of_kernels();
  StrictWindows& all = StrictWindows::get();
  std::unique_lock lock(all.guard);
  const RangeList ranges = event->ranges;
  SideMemory& here = sides_[index(event->side)];
  SideMemory& there = sides_[1 - index(event->side)];
  grants = grants && here.pages != nullptr;

  if (const std::string report = spoiled_report(*event); !report.empty()) {
    lock.unlock();
    die_of(report);
  }

  // Steps that can fail come first.
  const auto reserve = [&](StrictWindow* window) {
    for (ByteRanges* set : {&window->readable, &window->writable, &window->lapsed}) {
      set->reserve(ranges.size());
    }
  };
  std::for_each(there.windows.begin(), there.windows.end(), reserve);
  if (grants) {
    const bool again = here.windows.empty() || here.windows.back()->lapsed.touches(ranges);
    if (again) open_window(event->side);
    reserve(here.windows.back());
  }

  last_ = event;
  for (StrictWindow* window : there.windows) take(*window, event);
  std::erase_if(there.windows, [&](StrictWindow* window) {
    if (!window->readable.none()) return false;
    all.close(*window);
    return true;
  });
  if (!grants) return nullptr;
  StrictWindow& window = *here.windows.back();
  if (fill == StrictFill::poison) {
    for (const ByteRange& range : ranges) {
      char* const first = first_byte(here.pages);
      strict_poison::fill(first + range.begin, first + range.end);
    }
    // A library that may access both sides may also pass the pages to the system.
    if (running_code() == CodeOf::both) fill = StrictFill::values;
  }
  const bool known =
      window.readable.contains(ranges) && (!event->writes || window.writable.contains(ranges));
  for (const ByteRange& range : ranges) window.granted.set(range, event);
  if (known && fill == StrictFill::none) return window.begin;
  window.readable.add(ranges);
  if (event->writes) window.writable.add(ranges);
  strict_protection::protect(window, ranges, fill);
  return window.begin;
}

// Ends writing, and if needed reading, of the bytes of an event on the other side.
void StrictMemory::take(StrictWindow& window, const std::shared_ptr<const StrictEvent>& event) {
  const RangeList ranges = event->ranges;
  const std::vector<ByteRange> written = window.writable.present(ranges);
  const std::vector<ByteRange> read =
      event->writes ? window.readable.present(ranges) : std::vector<ByteRange>{};
  if (written.empty() && read.empty()) return;
  for (const ByteRange& range : written) window.writing_ended.set(range, event);
  for (const ByteRange& range : read) window.reading_ended.set(range, event);
  const RangeList ended = read.empty() ? written : read;  // writable bytes are also readable
  window.lapsed.add(ended);
  window.writable.remove(ended);
  if (event->writes) window.readable.remove(ended);
  strict_protection::protect(window, ended, StrictFill::none);
}

// Returns the array's first byte. The array ends with the last page, so that a guard page follows.
char* StrictMemory::first_byte(char* pages) const {
  return pages + mapped_bytes_ - round_up(array_->bytes, 64);
}

// Returns the bytes beside the values that were written, counted from the first value.
ByteRange StrictMemory::spoiled(const SideMemory& side) const {
  if (side.pages == nullptr) return {0, 0};
  const char* const first = first_byte(side.pages);
  const char* const end = side.pages + mapped_bytes_;
  const auto stretch = [&](const char* from, const char* to) {
    const char* const begin = strict_poison::written(from, to);
    const char* last = begin;
    while (last < to && strict_poison::written(last, last + 1) == last) ++last;
    return ByteRange{static_cast<std::size_t>(begin - first),  // wraps around before the first
                     static_cast<std::size_t>(last - first)};
  };
  const ByteRange past = stretch(first + array_->bytes, end);
  return past.size() > 0 ? past : stretch(side.pages, first);
}

// Reports writes beside the values, which page protection cannot see; empty if there were none.
std::string StrictMemory::spoiled_report(const StrictEvent& now) {
  for (const Side side : {Side::host, Side::device}) {
    SideMemory& it = sides_[index(side)];
    const ByteRange bytes = spoiled(it);
    if (bytes.size() == 0) continue;
    const char* const first = first_byte(it.pages);
    strict_poison::fill(it.pages, first);  // one report is enough
    strict_poison::fill(it.pages + (first - it.pages) + array_->bytes, it.pages + mapped_bytes_);
    return report_beside(*array_, side, bytes, last_.get(), now);
  }
  return {};
}

}  // namespace kolam::detail

#endif
