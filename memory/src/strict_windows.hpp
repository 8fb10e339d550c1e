// SPDX-License-Identifier: Apache-2.0
// All windows of the process on strict memory: their addresses, the protection of their pages, and
// those that are closed for good.
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

/// What is to become of a fault.
struct StrictVerdict {
  enum class Kind { not_ours, again, step, misuse } kind;
  std::string report;  // of a misuse
  int key = 0;         // that a step needs; 0: the page itself has to be opened
};

/// A page to which one instruction of one thread is let through.
struct StrictStep {
  const char* address;  // on the page
  const void* instruction;
  std::vector<char> before;  // the page; empty if it is not watched
  std::uint64_t changes;     // of the array's memory then
};

/// The caller holds the guard, unless the function is for the fault handler. That takes it itself:
/// a fault in a window comes from code of the user, which does not hold it.
class StrictWindows {
 public:
  static StrictWindows& get();

  std::mutex guard;

  /// A window on `pages` that allows nothing yet. Throws OutOfMemory and std::bad_alloc.
  StrictWindow& open(const std::shared_ptr<const StrictLife>& life,
                     const std::shared_ptr<const StrictArray>& array, Side side, char* pages,
                     std::size_t bytes);
  /// Nothing is allowed through it any more: its addresses go into quarantine.
  void close(StrictWindow& window) noexcept;

  /// Without protection keys the pages of windows are closed that the code of their time may not
  /// touch: those on the host while kernels of the device run, and those on the device at other
  /// times. Says that the first kernel begins, or that the last one ends; takes the guard.
  void kernels_run(bool now);
  /// The same of code that may touch both sides, when it ends.
  void code_of_both_ends();
  /// The same of a scope for both sides, when it begins: a library may hand pages to the system,
  /// which opens none. Those of devices stay open as long as there are such scopes, and those that
  /// nobody has written to are opened. Takes the guard.
  void scope_of_both_begins();

  // For the fault handler.
  StrictVerdict judge(const char* address, bool writes, const void* instruction);
  /// Opens the page of this address for all threads, or gives it the protection of its bytes again.
  bool open_page(const char* address, bool writes);
  void close_page(const char* address);
  /// Before an instruction is let through that writes to this page. Null: nothing is to be seen.
  std::unique_ptr<StrictStep> begin_write(const char* address, const void* instruction);
  /// After it: the report of a write to the page which no intent allows; empty if there was none.
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
  std::deque<StrictWindow*> quarantine_;  // the oldest first
  std::size_t quarantine_bytes_ = 0;
  int next_key_ = 0;
  std::set<StrictWindow*> open_;              // those that are not closed for good
  std::vector<StrictWindow*> awake_devices_;  // of them, those on the device that are awake
  bool kernels_run_ = false;
  std::vector<std::unique_ptr<StrictStep>> unused_steps_;
};

/// What is wrong with this access to a window, for a person. `instruction` is where it was made;
/// `by` says if that is not certain.
std::string report_access(const StrictWindow& window, const char* address, bool writes,
                          const StrictWindow* newest, const void* instruction,
                          const char* by = "by");
/// That these bytes beside the values, counted from the first value, were written between two
/// events, of which the first may be unknown.
std::string report_beside(const StrictArray& array, Side side, ByteRange bytes,
                          const StrictEvent* last, const StrictEvent& now);

}  // namespace kolam::detail
