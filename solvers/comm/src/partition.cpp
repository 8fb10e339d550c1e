// SPDX-License-Identifier: Apache-2.0
#include <kolam/comm/partition.hpp>
#include <kolam/core/error.hpp>
#include <kolam/core/index_box.hpp>
#include <string>

namespace kolam::comm {

Partition::Partition(int subdomains, int processes)
    : subdomains_(subdomains), processes_(processes) {
  if (subdomains >= 1 && processes >= 1) return;
  throw InvalidArgument("Partition: " + std::to_string(subdomains) + " subdomains for " +
                        std::to_string(processes) +
                        " processes; there must be at least one of each");
}

Partition::Share Partition::share(int rank) const {
  const Range share = kolam::detail::share_of(subdomains_, processes_, rank);
  return {static_cast<int>(share.begin), static_cast<int>(share.end - share.begin)};
}

int Partition::owner(int subdomain) const {
  const int least = subdomains_ / processes_;
  const int more = subdomains_ % processes_;
  const int after = more * (least + 1);  // first subdomain of the processes that own `least`
  return subdomain < after ? subdomain / (least + 1) : more + (subdomain - after) / least;
}

}  // namespace kolam::comm
