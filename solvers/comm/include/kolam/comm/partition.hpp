// SPDX-License-Identifier: Apache-2.0
// The distribution of subdomains over processes.
#pragma once

namespace kolam::comm {

/// A distribution of subdomains over processes. Each process owns consecutive subdomains; their
/// counts differ by at most one, with the larger counts in the lower ranks. If there are more
/// processes than subdomains, the last processes own none.
class Partition {
 public:
  /// The subdomains of a process: [first, first + count).
  struct Share {
    int first = 0;  ///< the first subdomain
    int count = 0;  ///< the number of subdomains
    /// Returns whether both are the same subdomains.
    friend bool operator==(const Share&, const Share&) = default;
  };

  /// Distributes `subdomains`. Throws InvalidArgument if there are no subdomains or no processes.
  Partition(int subdomains, int processes);

  /// Returns the number of subdomains.
  int subdomains() const { return subdomains_; }
  /// Returns the number of processes.
  int processes() const { return processes_; }
  /// Returns the subdomains of the process `rank`, 0 to processes() - 1.
  Share share(int rank) const;
  /// Returns the rank of the process that owns `subdomain`, 0 to subdomains() - 1.
  int owner(int subdomain) const;

 private:
  int subdomains_;
  int processes_;
};

}  // namespace kolam::comm
