// SPDX-License-Identifier: Apache-2.0
// The events of an array in strict emulation, and the bytes that they concern.
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

/// An operation on an array, for reports.
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
  /// Sets the event of these bytes. If memory is short, they have none, and reports say less.
  void set(ByteRange range, const std::shared_ptr<const StrictEvent>& event) noexcept;
  /// Returns the event of a byte; null if there is none.
  const StrictEvent* find(std::size_t byte) const;

 private:
  struct Entry {
    std::size_t end;
    std::shared_ptr<const StrictEvent> event;
  };
  std::map<std::size_t, Entry> by_begin_;  // no two overlap
};

}  // namespace kolam::detail
