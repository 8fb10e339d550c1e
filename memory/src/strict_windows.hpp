// SPDX-License-Identifier: Apache-2.0
// All windows of the process on strict memory: their addresses, the protection of their pages, and
// those that are closed for good.
#pragma once

#include <cstddef>
#include <deque>
#include <kolam/memory/detail/strict_memory.hpp>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace kolam::detail {

/// The caller holds the guard, unless the function is for the fault handler. That takes it itself:
/// a fault in a window comes from code of the user, which does not hold it.
class StrictWindows {
 public:
  [[nodiscard]] static StrictWindows& get();

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
  /// Opens all pages that nobody has written to yet: a library may hand them to the system, which
  /// cannot write to closed ones. Takes the guard.
  void forget_unwritten();

  // For the fault handler.
  [[nodiscard]] StrictMemory::Verdict judge(const char* address, bool writes,
                                            const void* instruction);
  [[nodiscard]] bool open_page(const char* address);
  void close_page(const char* address);

 private:
  StrictWindows();

  [[nodiscard]] StrictWindow* find(const char* address) const;
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
};

/// What is wrong with this access to a window, for a person. `instruction` is where it was made.
[[nodiscard]] std::string report_access(const StrictWindow& window, const char* address,
                                        bool writes, const StrictWindow* newest,
                                        const void* instruction);
/// That these bytes beside the values, counted from the first value, were written between two
/// events, of which the first may be unknown.
[[nodiscard]] std::string report_beside(const StrictArray& array, Side side, ByteRange bytes,
                                        const StrictEvent* last, const StrictEvent& now);

}  // namespace kolam::detail
