// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <kolam/testing/fences.hpp>

namespace kolam::testing {
namespace {

int seen_by_other = 0;
void other(const char*, std::uint32_t, std::uint64_t*) { ++seen_by_other; }

TEST(Fences, AreCountedByNameWhileItLives) {
  const Kokkos::DefaultExecutionSpace exec;
  exec.fence("before");
  Fences fences;
  exec.fence("once");
  exec.fence("twice");
  exec.fence("twice");
  EXPECT_EQ(fences.named("before"), 0);
  EXPECT_EQ(fences.named("once"), 1);
  EXPECT_EQ(fences.named("twice"), 2);
  EXPECT_EQ(fences.named("twice"), 0);
}

TEST(Fences, AreStillSeenByTheToolThatWasThere) {
  namespace Tools = Kokkos::Tools::Experimental;
  const auto before = Tools::get_callbacks().begin_fence;
  Tools::set_begin_fence_callback(other);
  {
    const Fences fences;
    Kokkos::DefaultExecutionSpace{}.fence("seen by both");
  }
  EXPECT_EQ(Tools::get_callbacks().begin_fence, other);
  Tools::set_begin_fence_callback(before);
  EXPECT_GE(seen_by_other, 1);
}

}  // namespace
}  // namespace kolam::testing
