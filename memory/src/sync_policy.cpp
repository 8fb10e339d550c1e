// SPDX-License-Identifier: Apache-2.0
#include <kolam/memory/sync_policy.hpp>
#include <utility>

namespace kolam {
namespace {

thread_local const SyncScope* innermost = nullptr;

}  // namespace

SyncScope::SyncScope(const SyncPolicy& policy)
    : policy_(policy), outer_(std::exchange(innermost, this)) {}
SyncScope::~SyncScope() { innermost = outer_; }

const SyncPolicy& SyncScope::current() {
  return innermost == nullptr ? on_access : innermost->policy_;
}

}  // namespace kolam
