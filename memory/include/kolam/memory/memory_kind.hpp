// SPDX-License-Identifier: Apache-2.0
// The memories that an array may use.
#pragma once

#include <string_view>

namespace kolam {

/// The kind of an array's memory. If host and device are one memory, all kinds are the same.
enum class MemoryKind {
  paired,      ///< a host side and a device side, each allocated by its first use
  pinned,      ///< as `paired`, host side page-locked: copies are faster and do not block the host
  shared,      ///< one allocation for both sides: intents copy nothing and only wait
  host_only,   ///< a host side only; device intents throw AccessError
  device_only  ///< a device side only; host intents throw AccessError
};

/// Returns the enumerator's name.
std::string_view name(MemoryKind kind);

/// A scope that sets the kind of arrays that this thread makes without a kind. Scopes nest.
class [[nodiscard]] MemoryScope {
 public:
  /// Makes `kind` the default of this thread.
  explicit MemoryScope(MemoryKind kind);
  /// Restores the previous default. Scopes must end in the thread in which they began, and in
  /// reverse order.
  ~MemoryScope();
  MemoryScope(const MemoryScope&) = delete;
  MemoryScope& operator=(const MemoryScope&) = delete;
  MemoryScope(MemoryScope&&) = delete;
  MemoryScope& operator=(MemoryScope&&) = delete;

 private:
  MemoryKind before_;
};

/// Returns the kind of arrays that are made without a kind: that of the innermost MemoryScope of
/// this thread, else `paired`.
MemoryKind default_memory_kind();

}  // namespace kolam
