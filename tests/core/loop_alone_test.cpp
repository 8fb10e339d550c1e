// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <Kokkos_Core.hpp>
#include <kolam/core/detail/loop_alone.hpp>
#include <string>
#include <vector>

namespace kolam::loop_alone_test {

std::vector<std::string> seen;
void begin(const char* label, std::uint32_t, std::uint64_t* id) {
  seen.emplace_back(label);
  *id = 7;
}
void end(std::uint64_t id) { seen.push_back(std::to_string(id)); }

TEST(LoopAlone, IsAKernelToTools) {
  namespace Tools = Kokkos::Tools::Experimental;
  const Tools::EventSet before = Tools::get_callbacks();
  const Kokkos::DefaultHostExecutionSpace exec;
  std::vector<index_t> calls;
  const auto body = [&](index_t i) { calls.push_back(i); };
  detail::loop_alone(exec, "nobody listens", 2, body);
  Tools::set_begin_parallel_for_callback(begin);
  Tools::set_end_parallel_for_callback(end);
  detail::loop_alone(exec, "three", 3, body);
  Tools::set_callbacks(before);
  EXPECT_THAT(calls, ::testing::ElementsAre(0, 1, 0, 1, 2));
  EXPECT_THAT(seen, ::testing::ElementsAre("three", "7"));
}

}  // namespace kolam::loop_alone_test
