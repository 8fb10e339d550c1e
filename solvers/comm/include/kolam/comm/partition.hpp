// SPDX-License-Identifier: Apache-2.0
// Which process owns which subdomains.
#pragma once

namespace kolam::comm {

/// Each process owns some subdomains that follow each other; the numbers of two processes differ by
/// one at most, the first ones own more. Where there are more processes than subdomains, the last
/// ones own none.
class Partition {
 public:
  /// The subdomains of a process: [first, first + count).
  struct Share {
    int first = 0;  ///< the first one
    int count = 0;  ///< how many
    /// Whether they are the same.
    friend bool operator==(const Share&, const Share&) = default;
  };

  /// Throws InvalidArgument if there are no subdomains or no processes.
  Partition(int subdomains, int processes);

  /// Subdomains in all.
  int subdomains() const { return subdomains_; }
  /// Processes in all.
  int processes() const { return processes_; }
  /// The subdomains of the process `rank`, 0 to processes() - 1.
  Share share(int rank) const;
  /// The rank of the process that owns `subdomain`, 0 to subdomains() - 1.
  int owner(int subdomain) const;

 private:
  int subdomains_;
  int processes_;
};

}  // namespace kolam::comm
