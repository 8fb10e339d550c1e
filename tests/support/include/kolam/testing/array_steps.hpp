// SPDX-License-Identifier: Apache-2.0
// Array operations as data: sequences of steps can be generated, run, cut and printed.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace kolam::testing {

/// The operations. A slot identifies an array. A step has no effect if a slot holds no array of the
/// right rank and layout; a step that makes an array replaces the one in its slot.
enum class Op {
  make,           // slot, size, MemoryKind, or 5: that of the MemoryScope
  destroy,        // slot
  alias,          // slot of the alias, slot, 0, box
  alias_strided,  // slot of the alias, slot, stride, begin, end; of one dimension
  reshape,        // slot of the alias, slot, 0, two extents; not of a strided one
  move,           // slot of the new array, another slot
  assign,         // slot, slot of the same type
  read,           // slot, Where, and box or whole (n[7] != 0)
  write,          // the same; value i becomes n[8] + i
  read_write,     // the same; every second value grows by n[8]
  modified,       // the same; as write, through a mirror
  sync,           // as read
  release,        // slot, host or device
  discard,        // slot, host or device
  set_policy,     // slot, Policy
  open_scope,     // 0, Policy, not `none`: a SyncScope
  close_scope,    //
  open_memory,    // 0, MemoryKind: a MemoryScope
  close_memory,   //
  deep_copy,      // slot of the target, slot, Where of the instance
  resize,         // slot, size; not of a strided one
  borrow,         // slot, size; value i is n[8] + i
  borrow_both,    // slot, size, ValidSide; the valid values are n[8] + i
  count
};

/// The side of an access: the host, the device's default instance, or a second instance. A
/// deep_copy runs on the default host space for `host`.
enum class Where { host, device, second };
inline constexpr int on_host = static_cast<int>(Where::host);
inline constexpr int on_device = static_cast<int>(Where::device);
inline constexpr int on_second = static_cast<int>(Where::second);

/// The policies of a step; prefetch on the default instance or on the second one.
enum class Policy { on_access, explicit_only, prefetch, prefetch_second, none };

struct Step {
  Op op{};
  /// Arguments in the order that Op gives; a box starts at 3: begin and end of each dimension.
  std::array<int, 9> n{};

  std::size_t slot() const { return index(0); }
  std::size_t from() const { return index(1); }
  /// Returns the box, of one or two dimensions.
  std::array<std::array<int, 2>, 2> box() const { return {{{n[3], n[4]}, {n[5], n[6]}}}; }
  bool whole() const { return n[7] != 0; }
  Where where() const { return static_cast<Where>(n[op == Op::deep_copy ? 2 : 1]); }
  Policy policy() const { return static_cast<Policy>(n[1]); }
  int value() const { return n[8]; }

 private:
  std::size_t index(std::size_t i) const { return static_cast<std::size_t>(n[i]); }
};

using Steps = std::vector<Step>;
inline constexpr std::size_t slots = 6;

}  // namespace kolam::testing
