// SPDX-License-Identifier: Apache-2.0
// The memory of one array under strict emulation: both sides are pages that can be touched only as
// the intents in force allow.
#pragma once

#include <cstddef>
#include <kolam/core/source_location.hpp>
#include <kolam/memory/detail/byte_ranges.hpp>
#include <kolam/memory/detail/call_stack.hpp>
#include <kolam/memory/side.hpp>
#include <list>
#include <string>
#include <vector>

namespace kolam::detail {

/// What was asked of an array, for the report.
struct StrictEvent {
  Side side;
  const char* what;  // "read", "write", ...
  bool writes;
  ByteRange range;
  SourceLocation where;
  CallStack stack;
};

/// One range of addresses through which Views see a side, and what they may touch there. The memory
/// is mapped a second time, without protection, for kolam's own copies.
struct StrictWindow {
  char* reserved = nullptr;  // address space with a guard page at either end
  std::size_t reserved_bytes = 0;
  char* begin = nullptr;  // of the array; its end is that of a page
  ByteRanges readable;
  ByteRanges writable;
  ByteRanges lapsed;  // was readable or writable here, until an intent elsewhere
};

/// The permissions of a byte follow the intents:
/// - an intent on a side lets its Views read, and a writing one write, there;
/// - a write on the other side ends both, a read on the other side ends writing;
/// - what has ended does not come back for old Views: the next intent gets another window on the
///   same memory, and the old one stays closed.
/// Where bytes of one page differ, the page is closed and each allowed access is let through by
/// itself (x86-64; elsewhere such a page is open).
class StrictMemory {
 public:
  StrictMemory(std::string label, std::size_t bytes, std::size_t value_bytes);
  ~StrictMemory();
  StrictMemory(const StrictMemory&) = delete;
  StrictMemory& operator=(const StrictMemory&) = delete;
  StrictMemory(StrictMemory&&) = delete;
  StrictMemory& operator=(StrictMemory&&) = delete;

  /// A side's memory, for kolam itself; null if the system has none.
  [[nodiscard]] void* allocate(Side side);
  void free(Side side) noexcept;
  [[nodiscard]] bool owns(Side side) const { return sides_[index(side)].memory != nullptr; }

  /// An access was admitted: ends what it ends on the other side and, if it is an intent's
  /// (`grants`), allows it on this one, poisoning what is to be replaced. Returns where Views of
  /// this side begin.
  void* admit(const StrictEvent& event, RangeList ranges, bool grants, bool poisons);

  struct Place {
    StrictMemory* memory;  // null if the address is not in any window
    Side side;
    const StrictWindow* window;
  };
  /// The window that holds this address. Call it, and what follows, only from the fault handler.
  [[nodiscard]] static Place find(const void* address);
  [[nodiscard]] static bool allows(const Place& place, const void* address, bool writes);
  /// What is wrong with this access, for a person.
  [[nodiscard]] static std::string report(const Place& place, const void* address, bool writes,
                                          const CallStack& stack);
  /// Opens the page of this address, or gives it the protection of its bytes again.
  static void open_page(const void* address);
  static void close_page(const void* address);

 private:
  struct SideMemory {
    void* memory = nullptr;
    std::list<StrictWindow> windows;  // the newest last
  };

  static std::size_t index(Side side) { return side == Side::host ? 0 : 1; }
  [[nodiscard]] char* first_byte(void* pages) const;
  StrictWindow& open_window(SideMemory& side);
  void close_window(StrictWindow& window) noexcept;
  void protect(const StrictWindow& window, ByteRange range) const;
  [[nodiscard]] int protection(const StrictWindow& window, ByteRange page) const;
  void take(StrictWindow& window, ByteRange range, bool reading);
  [[nodiscard]] const StrictEvent* blame(const Place& place, std::size_t byte, bool writes) const;

  std::string label_;
  std::size_t bytes_;
  std::size_t value_bytes_;
  std::size_t mapped_bytes_;  // whole pages
  SideMemory sides_[2];
  std::vector<StrictEvent> events_;  // the newest last
};

/// Makes the fault handler look at misuse of strict memory; it hands everything else on to the
/// handlers that were there before.
void watch_faults();

}  // namespace kolam::detail
