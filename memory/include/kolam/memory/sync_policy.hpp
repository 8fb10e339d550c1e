// SPDX-License-Identifier: Apache-2.0
// When stale values are copied from side to side, and who waits for it.
#pragma once

#include <kolam/core/any_instance.hpp>
#include <optional>

namespace kolam {

/// What an intent does where the newest values are on the other side:
///
/// - `on_access`: copies them. Device intents enqueue the copy on their instance, host intents
/// wait.
/// - `explicit_only`: throws AccessError and names the `sync` call that is missing.
/// - `prefetch(instance)`: copies them on `instance`, whoever asks: beside the work of other
///   instances, which wait for it only where they use the values. `sync(host)` starts such a copy
///   and returns; the next host intent waits for it.
class SyncPolicy {
 public:
  /// As above.
  enum class Mode { on_access, explicit_only, prefetch };

  /// A policy without an instance: the constants below are made with it.
  explicit SyncPolicy(Mode mode) : mode_(mode) {}
  /// `prefetch` on this instance, of the device where there is one.
  explicit SyncPolicy(const AnyInstance& instance) : mode_(Mode::prefetch), instance_(instance) {}

  /// Which of the three it is.
  Mode mode() const { return mode_; }
  /// Of `prefetch`, else none.
  const std::optional<AnyInstance>& instance() const { return instance_; }

 private:
  Mode mode_;
  std::optional<AnyInstance> instance_;
};

/// Copies what is stale where an intent asks for it: the policy where no other is set.
inline const SyncPolicy on_access(SyncPolicy::Mode::on_access);
/// Copies in `sync` alone.
inline const SyncPolicy explicit_only(SyncPolicy::Mode::explicit_only);

/// Of an instance of the default execution space, on which the copies are made.
inline SyncPolicy prefetch(const Kokkos::DefaultExecutionSpace& instance) {
  return SyncPolicy(AnyInstance(instance));
}

/// While it lives, arrays without a policy of their own follow this one in this thread. Scopes
/// nest.
class [[nodiscard]] SyncScope {
 public:
  /// From now on `policy`, of which it keeps a copy, is that of this thread.
  explicit SyncScope(const SyncPolicy& policy);
  /// The policy is again that of the scope around it. Scopes end in the thread, and in the reverse
  /// order, in which they began.
  ~SyncScope();
  SyncScope(const SyncScope&) = delete;
  SyncScope& operator=(const SyncScope&) = delete;
  SyncScope(SyncScope&&) = delete;
  SyncScope& operator=(SyncScope&&) = delete;

  /// The policy of the innermost scope of this thread, else `on_access`.
  static const SyncPolicy& current();

 private:
  SyncPolicy policy_;
  const SyncScope* outer_;
};

}  // namespace kolam
