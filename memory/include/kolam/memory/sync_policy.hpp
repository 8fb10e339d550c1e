// SPDX-License-Identifier: Apache-2.0
// Policies: when stale values are copied between the sides, and which work waits for the copies.
#pragma once

#include <kolam/core/any_instance.hpp>
#include <optional>

namespace kolam {

/// The action of an intent if the newest values are on the other side:
///
/// - `on_access`: copies them. Device intents enqueue the copy on their instance, host intents
///   wait.
/// - `explicit_only`: throws AccessError, which names the missing `sync` call.
/// - `prefetch(instance)`: copies them on `instance`, in either direction. The copy overlaps the
///   work of other instances, which wait for it only if they use the values. `sync(host)` starts
///   such a copy and returns; the next host intent waits for it.
class SyncPolicy {
 public:
  /// The three policies above.
  enum class Mode { on_access, explicit_only, prefetch };

  /// Creates a policy without an instance, for the constants below.
  explicit SyncPolicy(Mode mode) : mode_(mode) {}
  /// Creates a `prefetch` policy on this instance, which is on the device if there is one.
  explicit SyncPolicy(const AnyInstance& instance) : mode_(Mode::prefetch), instance_(instance) {}

  /// Returns the policy's mode.
  Mode mode() const { return mode_; }
  /// Returns the instance of `prefetch`, else none.
  const std::optional<AnyInstance>& instance() const { return instance_; }

 private:
  Mode mode_;
  std::optional<AnyInstance> instance_;
};

/// Copies stale values when an intent asks for them: the default policy.
inline const SyncPolicy on_access(SyncPolicy::Mode::on_access);
/// Copies only in `sync`.
inline const SyncPolicy explicit_only(SyncPolicy::Mode::explicit_only);

/// Returns the policy that makes copies on this instance of the default execution space.
inline SyncPolicy prefetch(const Kokkos::DefaultExecutionSpace& instance) {
  return SyncPolicy(AnyInstance(instance));
}

/// A scope that sets the policy, in this thread, of arrays without their own policy. Scopes nest.
class [[nodiscard]] SyncScope {
 public:
  /// Makes a copy of `policy` the policy of this thread.
  explicit SyncScope(const SyncPolicy& policy);
  /// Restores the policy of the enclosing scope. Scopes must end in the thread in which they began,
  /// and in reverse order.
  ~SyncScope();
  SyncScope(const SyncScope&) = delete;
  SyncScope& operator=(const SyncScope&) = delete;
  SyncScope(SyncScope&&) = delete;
  SyncScope& operator=(SyncScope&&) = delete;

  /// Returns the policy of the innermost scope of this thread, else `on_access`.
  static const SyncPolicy& current();

 private:
  SyncPolicy policy_;
  const SyncScope* outer_;
};

}  // namespace kolam
