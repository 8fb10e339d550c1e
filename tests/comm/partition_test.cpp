// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <kolam/comm/partition.hpp>
#include <kolam/core/error.hpp>

namespace kolam::partition_test {

TEST(Partition, GivesEverySubdomainOneOwnerInOrder) {
  for (int subdomains = 1; subdomains < 20; ++subdomains) {
    for (int processes = 1; processes < 25; ++processes) {
      const comm::Partition partition(subdomains, processes);
      int next = 0;
      int most = subdomains;
      for (int rank = 0; rank < processes; ++rank) {
        const comm::Partition::Share share = partition.share(rank);
        ASSERT_EQ(share.first, next);
        ASSERT_LE(share.count, most) << "the first ones own more";
        ASSERT_GE(share.count, subdomains / processes);
        most = share.count;
        for (int s = share.first; s < share.first + share.count; ++s) {
          ASSERT_EQ(partition.owner(s), rank) << s << " of " << subdomains << "/" << processes;
        }
        next += share.count;
      }
      ASSERT_EQ(next, subdomains);
    }
  }
}

TEST(Partition, RefusesNothing) {
  EXPECT_THROW(comm::Partition(0, 1), InvalidArgument);
  EXPECT_THROW(comm::Partition(1, 0), InvalidArgument);
}

}  // namespace kolam::partition_test
