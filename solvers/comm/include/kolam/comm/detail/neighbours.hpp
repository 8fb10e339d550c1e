// SPDX-License-Identifier: Apache-2.0
// Waits between the instances of neighbours, one for each pair at each meeting.
#pragma once

#include <algorithm>
#include <cstddef>
#include <kolam/core/any_instance.hpp>
#include <kolam/core/event.hpp>
#include <string>
#include <utility>
#include <vector>

namespace kolam::comm::detail {

/// Makes the instances of neighbouring parts wait for each other. Parts may share instances, and be
/// neighbours on several sides. Fences have the name of the exchange.
template <ExecutionSpace Exec>
class Neighbours {
 public:
  Neighbours(std::string name, const std::vector<Exec>& instances, std::size_t phases)
      : name_(std::move(name)), pairs_(phases) {
    for (const Exec& exec : instances) {
      const auto same = [&](const Exec& other) { return AnyInstance(other) == AnyInstance(exec); };
      const auto known = std::find_if(instances_.begin(), instances_.end(), same);
      of_.push_back(static_cast<std::size_t>(known - instances_.begin()));
      if (known == instances_.end()) instances_.push_back(exec);
    }
    events_.resize(instances_.size());
  }

  /// Announces calls of wait().
  void expect_host() { host_waits_ = true; }

  /// In `phase`, part `later` needs the work of part `earlier`.
  void connect(std::size_t phase, std::size_t later, std::size_t earlier) {
    const std::pair pair(of_[later], of_[earlier]);
    auto& pairs = pairs_[phase];
    if (pair.first == pair.second) return;
    if (std::find(pairs.begin(), pairs.end(), pair) == pairs.end()) pairs.push_back(pair);
  }

  /// Records the work launched so far, for meet and wait.
  void record() {
    if (instances_.size() < 2 && !host_waits_) return;
    for (std::size_t i = 0; i < events_.size(); ++i) events_[i].record(instances_[i]);
  }
  void meet(std::size_t phase) const {
    for (const auto& [later, earlier] : pairs_[phase]) {
      events_[earlier].order_before(instances_[later], name_);
    }
  }
  /// Waits on the host for the recorded work of a part.
  void wait(std::size_t part) const { events_[of_[part]].wait(name_ + ": packed for MPI"); }
  std::size_t phases() const { return pairs_.size(); }

 private:
  std::string name_;
  std::vector<Exec> instances_;  // without duplicates
  std::vector<std::size_t> of_;  // index of each part's instance
  std::vector<Event<Exec>> events_;
  std::vector<std::vector<std::pair<std::size_t, std::size_t>>> pairs_;  // [phase]
  bool host_waits_ = false;
};

}  // namespace kolam::comm::detail
