// SPDX-License-Identifier: Apache-2.0
// What was asked of an array in strict emulation, and which of these events concerned which bytes.
#pragma once

#include <cstddef>
#include <kolam/core/source_location.hpp>
#include <kolam/memory/detail/byte_ranges.hpp>
#include <kolam/memory/detail/call_stack.hpp>
#include <kolam/memory/side.hpp>
#include <map>
#include <memory>
#include <vector>

namespace kolam::detail {

/// What was asked of an array, for the report.
struct StrictEvent {
  Side side;
  const char* what;  // "read", "write", ...
  bool writes;
  std::vector<ByteRange> ranges;
  SourceLocation where;
  CallStack stack;
};

/// The last event that was set for each byte.
class StrictEvents {
 public:
  /// If memory is short, these bytes have no event: a report then says less.
  void set(ByteRange range, const std::shared_ptr<const StrictEvent>& event) noexcept;
  /// Null if there is none.
  const StrictEvent* find(std::size_t byte) const;

 private:
  struct Entry {
    std::size_t end;
    std::shared_ptr<const StrictEvent> event;
  };
  std::map<std::size_t, Entry> by_begin_;  // no two overlap
};

}  // namespace kolam::detail
