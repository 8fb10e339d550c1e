// SPDX-License-Identifier: Apache-2.0
// All windows of the process on strict memory: their addresses, the protection of their pages, and
// the quarantine of windows that are closed for good.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <kolam/memory/detail/strict_memory.hpp>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace kolam::detail {

/// How a fault is to be handled.
struct StrictVerdict {
  enum class Kind { not_ours, again, step, misuse } kind;
  std::string report;  // for a misuse
  int key = 0;         // key that a step needs; 0: the page itself must be opened
};

/// One instruction of one thread that is let through to a page.
struct StrictStep {
  const char* address;  // on the page
  const void* instruction;
  std::vector<char> before;  // contents of the page; empty if it is not watched
  std::uint64_t changes;     // change count of the array's memory then
};

/// All windows of the process. The caller must hold the guard, except for functions for the fault
/// handler. These take the guard themselves, because user code that faults does not hold it.
class StrictWindows {
 public:
  static StrictWindows& get();

  std::mutex guard;

  /// Returns a new window on `pages` that allows nothing yet. Throws OutOfMemory and
  /// std::bad_alloc.
  StrictWindow& open(const std::shared_ptr<const StrictLife>& life,
                     const std::shared_ptr<const StrictArray>& array, Side side, char* pages,
                     std::size_t bytes);
  /// Closes a window for good: its addresses go into quarantine.
  void close(StrictWindow& window) noexcept;

  /// Called when the first device kernel begins or the last one ends; takes the guard. Without
  /// protection keys, windows that the running code may not access are closed: host windows while
  /// device kernels run, device windows at other times.
  void kernels_run(bool now);
  /// Called when code that may access both sides ends; takes the guard.
  void code_of_both_ends();
  /// Called when a scope for both sides begins; takes the guard. A library may pass pages to the
  /// system, which cannot open them. So device windows stay open as long as there are such scopes,
  /// and unwritten pages are opened.
  void scope_of_both_begins();

  // For the fault handler.
  StrictVerdict judge(const char* address, bool writes, const void* instruction);
  /// Opens the page of this address for all threads, or restores the protection of its bytes.
  bool open_page(const char* address, bool writes);
  void close_page(const char* address);
  /// Called before an instruction that writes to this page is let through. Null: not watched.
  std::unique_ptr<StrictStep> begin_write(const char* address, const void* instruction);
  /// Called after it. Returns the report of a write that no intent allows; empty if there was none.
  [[nodiscard]] std::string end_write(std::unique_ptr<StrictStep> step);

 private:
  StrictWindows();

  StrictWindow* find(const char* address) const;
  static bool before_writes(const StrictWindow& window, std::size_t page, std::size_t byte);
  static StrictVerdict at_unwritten(StrictWindow& window, std::size_t page, bool writes);
  static std::span<StrictWindow* const> of_same_side(const StrictWindow& window);
  static const StrictWindow* newest(const StrictWindow& window);
  static ByteRange page_in_array(const StrictWindow& window, const char* address);
  static std::size_t first_forbidden(const StrictWindow& window, ByteRange bytes,
                                     const std::vector<char>& before);
  void forget_oldest() noexcept;
  void wake(StrictWindow& window);
  void put_to_sleep(StrictWindow& window);
  void device_sleeps();
  void show_again();

  std::map<const char*, std::unique_ptr<StrictWindow>> by_address_;
  std::deque<StrictWindow*> quarantine_;  // oldest first
  std::size_t quarantine_bytes_ = 0;
  int next_key_ = 0;
  std::set<StrictWindow*> open_;              // windows that are not closed for good
  std::vector<StrictWindow*> awake_devices_;  // of these, awake ones on the device
  bool kernels_run_ = false;
  std::vector<std::unique_ptr<StrictStep>> unused_steps_;
};

/// Returns a readable report of a wrong access to a window. `instruction` is its location; `by`
/// says if the location is not certain.
std::string report_access(const StrictWindow& window, const char* address, bool writes,
                          const StrictWindow* newest, const void* instruction,
                          const char* by = "by");
/// Returns the report that these bytes beside the values, counted from the first value, were
/// written between two events, the first of which may be unknown.
std::string report_beside(const StrictArray& array, Side side, ByteRange bytes,
                          const StrictEvent* last, const StrictEvent& now);

}  // namespace kolam::detail
