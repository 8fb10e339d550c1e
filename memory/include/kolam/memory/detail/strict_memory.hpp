// SPDX-License-Identifier: Apache-2.0
// The memory of one array under strict emulation: both sides are pages that can be touched only as
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

/// The array that a window shows, for reports that outlive it.
struct StrictArray {
  std::string label;
  std::size_t bytes;
  std::size_t value_bytes;
  bool one_side;      // for host and device
  bool looks_closer;  // for reads before writes: also on the host, and value by value
};

/// The time that a side of an array has memory: windows know of its end, also when the array is
/// gone.
struct StrictLife {
  StrictMemory* memory;                    // null afterwards
  std::shared_ptr<const StrictEvent> end;  // what took it away
};

/// One range of addresses through which Views see a side, and what they may touch there. The memory
/// is mapped a second time, without protection, for kolam's own copies.
struct StrictWindow {
  std::shared_ptr<const StrictArray> array;
  std::shared_ptr<const StrictLife> life;
  Side side;
  char* reserved;  // address space with a guard page at either end
  std::size_t reserved_bytes;
  char* begin;      // of the array; its end is that of a page, but for less than 64 bytes
  char* own_pages;  // the same ones without protection
  ByteRanges readable;
  ByteRanges writable;
  ByteRanges lapsed;  // was readable or writable here, until an intent elsewhere
  StrictEvents granted;
  StrictEvents reading_ended;
  StrictEvents writing_ended;
  PageStates pages;           // none once it is closed for good
  std::size_t pages_a_block;  // that are protected alike, to have fewer maps
  std::size_t first_writes;   // to unwritten pages
  std::size_t steps;          // through unwritten pages, since they were poisoned
  int closed_key;
  bool asleep;  // without protection keys: its pages are closed, for the code of this time
};

/// Whether the bytes are to be poisoned, or have got values from kolam or by hand.
enum class StrictFill { none, poison, values };

/// The permissions of a byte follow the intents:
/// - an intent on a side lets its Views read, and a writing one write, there;
/// - a write on the other side ends both, a read on the other side ends writing;
/// - what has ended does not come back for old Views: the next intent gets another window on the
///   same memory, and the old one stays closed.
/// Where bytes of one page differ, the page is closed and each allowed access is let through by
/// itself (x86-64; elsewhere such a page is open). Windows of which nothing is left stay reserved
/// in a quarantine, also when the array is gone, so that an old View is recognised.
class StrictMemory {
 public:
  /// An array of one side, for host and device, has that of the host.
  StrictMemory(std::string label, std::size_t bytes, std::size_t value_bytes, bool one_side);
  ~StrictMemory();
  StrictMemory(const StrictMemory&) = delete;
  StrictMemory& operator=(const StrictMemory&) = delete;
  StrictMemory(StrictMemory&&) = delete;
  StrictMemory& operator=(StrictMemory&&) = delete;

  /// A side's memory, for kolam itself; null if the system has none. Throws OutOfMemory if the
  /// process has as many maps as it may.
  void* allocate(Side side);
  /// Takes a side's memory away; `how`, "discarded" for one, and `where` are for later reports.
  void free(Side side, const char* how, SourceLocation where) noexcept;
  /// The same, as was said by `ends`; "freed" if it was not called. The first call counts.
  void free(Side side) noexcept { free(side, how_ != nullptr ? how_ : "freed", where_); }
  void ends(const char* how, SourceLocation where) noexcept {
    if (how_ == nullptr) where_ = where;
    if (how_ == nullptr) how_ = how;
  }

  /// An access was admitted: ends what it ends on the other side and, if it is an intent's
  /// (`grants`), allows it on this one, poisoning what is to be replaced. Returns where Views of
  /// this side begin. Throws OutOfMemory as above, with nothing changed. Ends the program with a
  /// report if somebody wrote beside the values.
  void* admit(const std::shared_ptr<const StrictEvent>& event, bool grants, StrictFill fill);

  /// kolam begins to write to the memory, or to change what may be done with it, or has done so.
  void begin_change() noexcept { changes_.fetch_add(1); }
  void end_change() noexcept { changes_.fetch_add(1); }
  /// Somebody has the memory without protection from now on.
  void is_mirrored() noexcept { mirrored_ = true; }

 private:
  friend class StrictWindows;

  struct SideMemory {
    char* pages = nullptr;
    std::shared_ptr<StrictLife> life;
    std::vector<StrictWindow*> windows;  // that allow something; the newest last
  };

  static std::size_t index(Side side) { return side == Side::host ? 0 : 1; }
  char* first_byte(char* pages) const;
  ByteRange spoiled(const SideMemory& side) const;
  std::string spoiled_report(const StrictEvent& now);
  void require_maps(std::size_t more) const;
  StrictWindow& open_window(Side side);
  void take(StrictWindow& window, const std::shared_ptr<const StrictEvent>& event);

  std::shared_ptr<const StrictArray> array_;
  std::size_t mapped_bytes_;  // whole pages; 0: more than there can be
  SideMemory sides_[2];
  std::shared_ptr<const StrictEvent> last_;
  std::atomic<std::uint64_t> changes_{0};  // odd while there is one
  std::atomic<bool> mirrored_{false};
  const char* how_ = nullptr;
  SourceLocation where_;
};

/// Makes the fault handler look at misuse of strict memory; it hands everything else on to the
/// handlers that were there before.
void watch_faults();
/// Ends the program as a fault does, after this report.
[[noreturn]] void die_of(const std::string& report);

}  // namespace kolam::detail
