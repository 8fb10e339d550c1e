// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <kolam/testing/requests.hpp>

namespace kolam::testing {
namespace {

using View = Kokkos::View<double*>;

TEST(Requests, AreCountedWhileItLives) {
  const View before("before", 3);
  const Requests requests;
  const View x(Kokkos::view_alloc("x", Kokkos::WithoutInitializing), 3);
  const View y(Kokkos::view_alloc("y", Kokkos::WithoutInitializing), 3);
  EXPECT_EQ(requests.allocations(), 2);
  EXPECT_EQ(requests.copies(), 0);
  Kokkos::deep_copy(x, before);
  Kokkos::deep_copy(View::execution_space{}, y, x);
  EXPECT_EQ(requests.allocations(), 2);
  EXPECT_EQ(requests.copies(), 2);
}

TEST(Requests, CountNoFillsAndNothingOfNoSize) {
  const View x("x", 3);
  const Requests requests;
  Kokkos::deep_copy(x, 1.0);
  Kokkos::deep_copy(View::execution_space{}, x, 2.0);
  Kokkos::kokkos_free<View::memory_space>(Kokkos::kokkos_malloc<View::memory_space>("nothing", 0));
  EXPECT_EQ(requests.allocations(), 0);
  EXPECT_EQ(requests.copies(), 0);
}

TEST(Requests, ToolsThatWereThereAreBackAfterwards) {
  namespace Tools = Kokkos::Tools::Experimental;
  const auto before = Tools::get_callbacks().allocate_data;
  {
    const Requests requests;
  }
  EXPECT_EQ(Tools::get_callbacks().allocate_data, before);
}

}  // namespace
}  // namespace kolam::testing
