// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <kolam/memory/array.hpp>
#include <kolam/memory/deep_copy.hpp>
#include <kolam/memory/transfer_budget.hpp>
#include <kolam/testing/matchers.hpp>
#include <string>

#include "array_operations.hpp"

namespace kolam::array_test {

std::string here(int line) { return "transfer_budget_test.cpp:" + std::to_string(line); }

class Budget : public ::testing::Test {
 public:
  const TwoSides two;
};

TEST_F(Budget, ExceededNamesTheArrayTheBytesAndBothPlaces) {
  Array<int> a("over", 10);
  fill<HostTeams>(a, 3);
  const int line = __LINE__ + 1;
  const TransferBudget budget{.host_to_device = 39, .device_to_host = 0};
  const Transfers before = a.transfers();
  const int read_line = __LINE__ + 1;
  const auto read = [&] { static_cast<void>(a.read(device)); };
  for (int round = 0; round < 2; ++round) {
    EXPECT_THAT(error_of<BudgetExceeded>(read),
                AllOf(HasSubstr("array 'over'"), HasSubstr("host to the device (40 bytes)"),
                      HasSubstr(here(read_line)), HasSubstr("TransferBudget at " + here(line)),
                      HasSubstr("allows 39 bytes"), HasSubstr("0 are spent")));
  }
  EXPECT_EQ(a.transfers().copies(), before.copies());
  EXPECT_TRUE(a.valid(host));
  EXPECT_FALSE(a.valid(device));
  EXPECT_EQ(dot<HostTeams>(a), 90);
  fill<Exec>(a, 4);  // moves nothing
  EXPECT_EQ(dot<Exec>(a), 160);
}

TEST_F(Budget, IsSpentByteByByteAndOneWayOnly) {
  Array<int> a("a", 10);
  fill<HostTeams>(a, 1);
  {
    const TransferBudget budget{.host_to_device = 40};
    static_cast<void>(a.read(device, {0, 6}));
    static_cast<void>(a.read(device, {3, 10}));  // 16 bytes of these are missing
    Kokkos::deep_copy(a.write(device, {0, 1}), 2);
    EXPECT_EQ(a.read(host)(0), 2) << "the other way is free";
    a.write(host, {9, 10})(0) = 5;
    EXPECT_THAT(error_of<BudgetExceeded>([&] { static_cast<void>(a.read_write(device)); }),
                AllOf(HasSubstr("(4 bytes)"), HasSubstr("allows 40"), HasSubstr("40 are spent")));
    EXPECT_THROW(a.sync(device), BudgetExceeded);
    EXPECT_THROW(a.release(host), BudgetExceeded);
    EXPECT_TRUE(a.valid(host));
  }
  EXPECT_EQ(values_of(a)[9], 5) << "gone with the budget";
}

TEST_F(Budget, AllThatLiveHold) {
  Array<int> a("a", 10);
  fill<Exec>(a, 1);
  const int line = __LINE__ + 1;
  const TransferBudget outer{.device_to_host = 60};
  {
    const TransferBudget inner{.device_to_host = 50};
    static_cast<void>(a.read(host));
    fill<Exec>(a, 2);
    EXPECT_THAT(error_of<BudgetExceeded>([&] { static_cast<void>(a.read(host)); }),
                HasSubstr(here(line)))
        << "the outer one is checked first";
    static_cast<void>(a.read(host, {0, 2}));
    EXPECT_THAT(error_of<BudgetExceeded>([&] { static_cast<void>(a.read(host, {2, 5})); }),
                AllOf(HasSubstr(here(line + 2)), HasSubstr("48 are spent")));
  }
  static_cast<void>(a.read(host, {2, 5}));
  EXPECT_THAT(error_of<BudgetExceeded>([&] { static_cast<void>(a.read(host)); }),
              AllOf(HasSubstr(here(line)), HasSubstr("60 are spent")));
  EXPECT_EQ(dot<Exec>(a), 40);
}

TEST_F(Budget, CopiesWithinASideAndAllocationsCostNothing) {
  const TransferBudget nothing{.host_to_device = 0, .device_to_host = 0};
  Array<int> a("a", 10);
  Array<int> b("b", 10);
  fill<Exec>(a, 1);
  fill<HostTeams>(b, 2);
  deep_copy(Exec{}, b, a);
  resize(b, 20);
  resize(b, 10);
  EXPECT_EQ(dot<Exec>(b), 10);
  Array<int> shared("shared", 10, MemoryKind::shared);
  fill<HostTeams>(shared, 3);
  EXPECT_EQ(dot<Exec>(shared), 90);
}

TEST_F(Budget, IsUnlimitedWhereItNamesNothing) {
  const TransferBudget budget{};
  EXPECT_EQ(budget.host_to_device, TransferBudget::unlimited);
  Array<int> a("a", 10);
  for (int round = 0; round < 3; ++round) {
    fill<HostTeams>(a, round);
    add_one<Exec>(a);
    EXPECT_THAT(values_of(a), Each(round + 1));
  }
}

TEST_F(Budget, HoldsForTheCopiesOfOthersToo) {
  if (one_memory) GTEST_SKIP() << "nothing crosses where there is no device";
  const Kokkos::View<int*, Exec::memory_space> there("there", 10);
  const Kokkos::View<int*, Kokkos::HostSpace> mine("mine", 10);
  const TransferBudget budget{.host_to_device = 0};
  EXPECT_THAT(error_of<BudgetExceeded>([&] { Kokkos::deep_copy(there, mine); }),
              AllOf(HasSubstr("'there'"), HasSubstr("(40 bytes)"), HasSubstr("Kokkos::deep_copy")));
  Kokkos::deep_copy(mine, there);
}

}  // namespace kolam::array_test
