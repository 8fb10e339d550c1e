// SPDX-License-Identifier: Apache-2.0
#include "strict_windows.hpp"

#ifdef __linux__

#include <pthread.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <kolam/core/error.hpp>
#include <kolam/memory/detail/strict_instruction.hpp>
#include <kolam/memory/detail/strict_keys.hpp>
#include <new>
#include <utility>

#include "strict_pages.hpp"
#include "strict_protection.hpp"

namespace kolam::detail {
namespace {

// Limits of the quarantine: address space, which costs nothing, and windows of some 400 bytes each.
constexpr std::size_t most_quarantine_bytes = std::size_t{1} << 40;
constexpr std::size_t most_quarantine_windows = std::size_t{1} << 16;

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
                   PageStates(bytes / page),
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
  // If address space is short, windows in quarantine give theirs back.
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
  if (result->asleep && side == Side::device && anybody_on_both_sides()) wake(*result);
  return *result;
}

void StrictWindows::close(StrictWindow& window) noexcept {
  strict_pages::hide(strict_protection::mapped(window),
                     window.reserved_bytes - 2 * strict_pages::page_bytes());
  strict_pages::count_maps(-2);
  window.pages.clear();
  open_.erase(&window);
  std::erase(awake_devices_, &window);
  try {
    quarantine_.push_back(&window);
  } catch (const std::bad_alloc&) {  // the window stays reserved for good
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

StrictWindow* StrictWindows::find(const char* address) const {
  auto entry = by_address_.upper_bound(address);
  if (entry == by_address_.begin()) return nullptr;
  --entry;
  return address < entry->first + entry->second->reserved_bytes ? entry->second.get() : nullptr;
}

// Returns the windows with permissions on this one's side; none if the array has ended.
std::span<StrictWindow* const> StrictWindows::of_same_side(const StrictWindow& window) {
  StrictMemory* const memory = window.life->memory;
  if (memory == nullptr) return {};
  return memory->sides_[StrictMemory::index(window.side)].windows;
}
const StrictWindow* StrictWindows::newest(const StrictWindow& window) {
  const auto windows = of_same_side(window);
  return windows.empty() ? nullptr : windows.back();
}

StrictVerdict StrictWindows::judge(const char* address, bool writes, const void* instruction) {
  using Verdict = StrictVerdict;
  const std::scoped_lock lock(guard);
  StrictWindow* const window = find(address);
  if (window == nullptr) return {Verdict::Kind::not_ours, {}};
  const auto misuse = [&]() -> Verdict {
    return {Verdict::Kind::misuse,
            report_access(*window, address, writes, newest(*window), instruction)};
  };
  if (address < window->begin || address >= window->begin + window->array->bytes) return misuse();
  const auto byte = static_cast<std::size_t>(address - window->begin);
  if (window->pages.empty()) return misuse();  // the window is closed for good
  if (!window->array->one_side && !may_touch(running_code(), window->side)) return misuse();
  if (!(writes ? window->writable : window->readable).contains({byte, byte + 1})) return misuse();
  if (window->asleep) {
    // Host code continues on another thread while kernels run.
    if (kernels_run_ && window->side == Side::host) return {Verdict::Kind::step, {}};
    wake(*window);
    return {Verdict::Kind::again, {}};
  }
  const std::size_t p = strict_protection::page_of(*window, byte);
  const PageState known = window->pages[p];
  if (known == PageState::closed || (known == PageState::read && writes)) {
    // The system refused when the page was to get the permissions of its bytes.
    return {
        strict_protection::protect_page(*window, p) ? Verdict::Kind::again : Verdict::Kind::step,
        {}};
  }
  const bool reads_old = !writes || changes_old_value(instruction);
  if (reads_old && before_writes(*window, p, byte)) {
    writes = false;
    return misuse();
  }
  switch (window->pages[p]) {
    case PageState::unwritten:
      return at_unwritten(*window, p, writes);
    case PageState::mixed:
      return {Verdict::Kind::step, {}, window->closed_key};
    case PageState::partly:
      if (window->array->one_side) return {Verdict::Kind::step, {}, window->closed_key};
      if (!writes) return {Verdict::Kind::again, {}};
      return {Verdict::Kind::step, {}, strict_keys().read_only[window->side == Side::host ? 0 : 1]};
    default:  // another thread was first, or this one does not have the side's key yet
      return {Verdict::Kind::again, {}};
  }
}

void StrictWindows::wake(StrictWindow& window) {
  window.asleep = false;
  if (window.side == Side::device) awake_devices_.push_back(&window);
  strict_protection::apply_states(window);
}

void StrictWindows::put_to_sleep(StrictWindow& window) {
  window.asleep = true;
  strict_protection::apply_states(window);
}

void StrictWindows::device_sleeps() {
  if (anybody_on_both_sides()) return;
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

void StrictWindows::code_of_both_ends() {
  const std::scoped_lock lock(guard);
  if (!kernels_run_) device_sleeps();
}

// Called in the child of a fork, which has other pages.
void StrictWindows::show_again() {
  for (auto& [address, window] : by_address_) {
    if (window->pages.empty()) continue;
    const std::size_t bytes = window->reserved_bytes - 2 * strict_pages::page_bytes();
    if (!strict_pages::show(window->own_pages, bytes, strict_protection::mapped(*window))) {
      strict_pages::hide(strict_protection::mapped(*window), bytes);
      continue;
    }
    window->asleep ? put_to_sleep(*window) : wake(*window);
  }
}

}  // namespace kolam::detail

#endif
