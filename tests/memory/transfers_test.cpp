// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <kolam/memory/array.hpp>
#include <kolam/memory/transfers.hpp>

namespace kolam {
namespace {

TEST(Transfers, StartAtZeroAndAddBothWays) {
  Transfers two_and_three;
  two_and_three.copies_to_device = 2;
  two_and_three.copies_to_host = 3;
  EXPECT_EQ(Transfers{}.copies(), 0U);
  EXPECT_EQ(two_and_three.copies(), 5U);
}

TEST(Transfers, TotalIncludesArraysThatAreGone) {
  const Transfers before = total_transfers();
  Transfers own;
  {
    Array<double> u("u", 10);
    Array<char> v("v", 3);
    static_cast<void>(u.write(host));
    static_cast<void>(u.read_write(device));
    static_cast<void>(u.read(host));
    static_cast<void>(u.read(host));
    static_cast<void>(v.write(host));
    own = u.transfers();
  }
  const Transfers after = total_transfers();

  EXPECT_EQ(after.copies_to_device - before.copies_to_device, own.copies_to_device);
  EXPECT_EQ(after.bytes_to_device - before.bytes_to_device, own.bytes_to_device);
  EXPECT_EQ(after.copies_to_host - before.copies_to_host, own.copies_to_host);
  EXPECT_EQ(after.bytes_to_host - before.bytes_to_host, own.bytes_to_host);
  EXPECT_EQ(after.copies_avoided - before.copies_avoided, own.copies_avoided);
  EXPECT_EQ(after.allocations - before.allocations, own.allocations + 1);
  EXPECT_EQ(after.allocated_bytes - before.allocated_bytes, own.allocated_bytes + 3);
}

}  // namespace
}  // namespace kolam
