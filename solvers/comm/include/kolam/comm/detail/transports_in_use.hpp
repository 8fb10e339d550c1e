// SPDX-License-Identifier: Apache-2.0
// The paths of an exchange, described in words.
#pragma once

#include <kolam/comm/detail/channel.hpp>
#include <kolam/core/instances.hpp>
#include <set>
#include <string>

namespace kolam::comm::detail {

template <ExecutionSpace Exec>
class TransportsInUse {
 public:
  void add(Path path, const Ends<Exec>& ends) {
    if (path == Path::mpi || path == Path::mpi_staged) {
      (path == Path::mpi ? aware_ : unaware_) = true;
      if (ends.sender_rank != ends.receiver_rank) between_processes_ = true;
      return;
    }
    auto& devices = path == Path::peer ? peers_ : path == Path::staged ? staged_ : direct_;
    devices.insert(device_number(ends.sender));
    devices.insert(device_number(ends.receiver));
  }

  std::string in_words() const {
    std::string text;
    const auto also = [&](const std::string& way) { text += (text.empty() ? "" : "; ") + way; };
    if (!peers_.empty()) also("peer-to-peer between " + count(peers_));
    if (!staged_.empty()) {
      also("staged through " + memory() + (staged_.size() > 1 ? " between " : " of ") +
           count(staged_));
    }
    if (aware_ || unaware_) {
      std::string way = between_processes_ ? "MPI" : "MPI within one process";
      if (unaware_) way += ", staged through " + memory();
      if (aware_ && !on_host) way += ", GPU-aware";
      also(way);
    }
    return text.empty() ? count(direct_) : text;
  }

 private:
  static constexpr bool on_host = Kokkos::SpaceAccessibility<Exec, Kokkos::HostSpace>::accessible;

  static std::string memory() { return on_host ? "a buffer" : "pinned memory"; }
  static std::string count(const std::set<int>& devices) {
    if (on_host) return "one host";
    return devices.size() < 2 ? "one device" : std::to_string(devices.size()) + " devices";
  }

  std::set<int> direct_;  // device numbers
  std::set<int> peers_;
  std::set<int> staged_;
  bool aware_ = false;
  bool unaware_ = false;
  bool between_processes_ = false;
};

}  // namespace kolam::comm::detail
