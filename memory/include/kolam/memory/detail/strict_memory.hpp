// SPDX-License-Identifier: Apache-2.0
// The memory of one array under strict emulation: both sides are pages that can be accessed only as
// the intents in force allow.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <kolam/core/source_location.hpp>
#include <kolam/memory/detail/byte_ranges.hpp>
#include <kolam/memory/detail/page_states.hpp>
#include <kolam/memory/detail/strict_event.hpp>
#include <kolam/memory/detail/strict_threads.hpp>
#include <kolam/memory/side.hpp>
#include <memory>
#include <string>
#include <vector>

namespace kolam::detail {

class StrictMemory;

/// The array of a window, for reports that outlive the array.
struct StrictArray {
  std::string label;
  std::size_t bytes;
  std::size_t value_bytes;
  bool one_side;      // one memory for host and device
  bool looks_closer;  // checks reads before writes also on the host, and by value
};

/// The lifetime of a side's memory. Windows keep it to know how the memory ended, also after the
/// end of the array.
struct StrictLife {
  StrictMemory* memory;                    // null after the end
  std::shared_ptr<const StrictEvent> end;  // the event that ended it
};

/// A range of addresses through which Views access a side, and the accesses allowed there. The
/// memory is mapped a second time, without protection, for kolam's own copies.
struct StrictWindow {
  std::shared_ptr<const StrictArray> array;
  std::shared_ptr<const StrictLife> life;
  Side side;
  char* reserved;  // address space with a guard page at either end
  std::size_t reserved_bytes;
  char* begin;      // of the array, which ends less than 64 bytes before a page does
  char* own_pages;  // the same pages without protection
  ByteRanges readable;
  ByteRanges writable;
  ByteRanges lapsed;  // once readable or writable here, until an intent elsewhere
  StrictEvents granted;
  StrictEvents reading_ended;
  StrictEvents writing_ended;
  PageStates pages;           // none after the window is closed for good
  std::size_t pages_a_block;  // with common protection, to have fewer maps
  std::size_t first_writes;   // unwritten pages opened since they were poisoned
  std::size_t steps;          // single steps on unwritten pages since they were poisoned
  int closed_key;
  bool asleep;  // without protection keys: pages are closed to the code that runs now
};

/// Whether bytes are to be poisoned, or have received values from kolam or by hand.
enum class StrictFill { none, poison, values };

/// The protected memory of an array. The permissions of a byte follow the intents:
/// - an intent on a side allows its Views to read there, a writing intent also to write;
/// - a write on the other side ends both, a read on the other side ends writing;
/// - ended permissions do not return to old Views: the next intent gets another window on the same
///   memory, and the old window stays closed.
/// If bytes of one page differ, the page is closed and each allowed access is let through singly
/// (x86-64; on other CPUs such a page is open). Windows without permissions stay reserved in a
/// quarantine, also after the end of the array, so that an old View is recognised.
class StrictMemory {
 public:
  /// An array with one side for host and device has only the host side.
  StrictMemory(std::string label, std::size_t bytes, std::size_t value_bytes, bool one_side);
  ~StrictMemory();
  StrictMemory(const StrictMemory&) = delete;
  StrictMemory& operator=(const StrictMemory&) = delete;
  StrictMemory(StrictMemory&&) = delete;
  StrictMemory& operator=(StrictMemory&&) = delete;

  /// Returns a side's memory for kolam's own use; null if the system has none. Throws OutOfMemory
  /// if the process has reached its limit of maps.
  void* allocate(Side side);
  /// Frees a side's memory; `how`, such as "discarded", and `where` are for later reports.
  void free(Side side, const char* how, SourceLocation where) noexcept;
  /// Frees it as the first call of `ends` says; as "freed" if there was none.
  void free(Side side) noexcept { free(side, how_ != nullptr ? how_ : "freed", where_); }
  void ends(const char* how, SourceLocation where) noexcept {
    if (how_ == nullptr) where_ = where;
    if (how_ == nullptr) how_ = how;
  }

  /// Records an admitted access: ends conflicting permissions on the other side and, for an intent
  /// (`grants`), allows the access on this side and poisons values to be replaced. Returns where
  /// Views of this side begin; null if nothing was granted. Throws OutOfMemory as above, with
  /// nothing changed. Ends the program with a report if there were writes beside the values.
  void* admit(const std::shared_ptr<const StrictEvent>& event, bool grants, StrictFill fill);

  /// Called before and after kolam writes to the memory or changes its permissions.
  void begin_change() noexcept { changes_.fetch_add(1); }
  void end_change() noexcept { changes_.fetch_add(1); }
  /// Records that the memory is in use without protection from now on.
  void is_mirrored() noexcept { mirrored_ = true; }

 private:
  friend class StrictWindows;

  struct SideMemory {
    char* pages = nullptr;
    std::shared_ptr<StrictLife> life;
    std::vector<StrictWindow*> windows;  // with permissions; the newest last
  };

  static std::size_t index(Side side) { return side == Side::host ? 0 : 1; }
  char* first_byte(char* pages) const;
  ByteRange spoiled(const SideMemory& side) const;
  std::string spoiled_report(const StrictEvent& now);
  void require_maps(std::size_t more) const;
  StrictWindow& open_window(Side side);
  void take(StrictWindow& window, const std::shared_ptr<const StrictEvent>& event);

  std::shared_ptr<const StrictArray> array_;
  std::size_t mapped_bytes_;  // whole pages; 0: too many to exist
  SideMemory sides_[2];
  std::shared_ptr<const StrictEvent> last_;
  std::atomic<std::uint64_t> changes_{0};  // odd during a change
  std::atomic<bool> mirrored_{false};
  const char* how_ = nullptr;
  SourceLocation where_;
};

/// Installs the fault handler that recognises misuse of strict memory; it passes all other faults
/// on to the previous handlers.
void watch_faults();
/// Writes this report, and ends the program as a fault does.
[[noreturn]] void die_of(const std::string& report);

}  // namespace kolam::detail
