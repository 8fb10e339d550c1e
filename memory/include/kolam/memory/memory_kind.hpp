// SPDX-License-Identifier: Apache-2.0
// Which memories an array may take.
#pragma once

#include <string_view>

namespace kolam {

/// The memory of an array. Where host and device are one memory all kinds are the same.
enum class MemoryKind {
  paired,  ///< a host side and a device side, each allocated when first asked for
  pinned,  ///< the same with a page-locked host side: copies are faster and do not hold the host up
  shared,  ///< one allocation that both use: nothing is copied, only waited for
  host_only,   ///< a host side only; device intents throw AccessError
  device_only  ///< a device side only; host intents throw AccessError
};

/// The enumerator's name.
std::string_view name(MemoryKind kind);

/// While it lives, arrays that this thread makes without naming a kind are of this one. Scopes
/// nest.
class [[nodiscard]] MemoryScope {
 public:
  /// From now on `kind` is the default of this thread.
  explicit MemoryScope(MemoryKind kind);
  /// The default is again what it was before. Scopes end in the thread, and in the reverse order,
  /// in which they began.
  ~MemoryScope();
  MemoryScope(const MemoryScope&) = delete;
  MemoryScope& operator=(const MemoryScope&) = delete;
  MemoryScope(MemoryScope&&) = delete;
  MemoryScope& operator=(MemoryScope&&) = delete;

 private:
  MemoryKind before_;
};

/// The kind that an array made now, without naming one, would have: that of the innermost
/// MemoryScope of this thread, else `paired`.
MemoryKind default_memory_kind();

}  // namespace kolam
