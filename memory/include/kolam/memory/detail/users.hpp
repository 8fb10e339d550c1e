// SPDX-License-Identifier: Apache-2.0
// Who works on the bytes of one side: the instances whose work may still be under way.
#pragma once

#include <kolam/core/instance.hpp>
#include <kolam/memory/detail/byte_ranges.hpp>
#include <string>
#include <utility>
#include <vector>

namespace kolam::detail {

/// Work of `instance` on `range` that nobody has waited for yet.
struct Use {
  ByteRange range;
  Instance instance;
  bool writes;
};

/// Orders accesses to one side. Two of them conflict if they overlap, at least one writes, and they
/// are of different instances (or of one and the host, which works at once and is never recorded).
class Users {
 public:
  Users() = default;
  explicit Users(std::vector<Use> uses) : uses_(std::move(uses)) {}

  /// Waits for what conflicts with an access of `user` (null: the host) to `range`, and for nothing
  /// else; then records it. `why` labels the fences. Throws std::bad_alloc, with nothing lost.
  void admit(ByteRange range, const Instance* user, bool writes, const std::string& why);

  // Of [0, size) alone: who used a longer block before may still use the rest of it.
  [[nodiscard]] bool empty(std::size_t size) const;
  [[nodiscard]] bool any_writes(std::size_t size) const;
  /// The one use, if there is one only and it covers all of it.
  [[nodiscard]] const Use* whole(std::size_t size) const;
  /// An instance that writes within `range`, if any.
  [[nodiscard]] const Instance* writer(ByteRange range) const;
  /// Waits for all of them.
  void finish(const std::string& why);
  [[nodiscard]] std::vector<Use> take() { return std::exchange(uses_, {}); }

 private:
  // Forgets the uses of `range`, of the instance `of` if one is named.
  void cut(ByteRange range, const Instance* of, bool writes_only);

  std::vector<Use> uses_;
};

}  // namespace kolam::detail
