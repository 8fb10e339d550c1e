// SPDX-License-Identifier: Apache-2.0
// Parts within one process. (Several processes: tests of halos and shared unknowns in tests/mpi.)
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <kolam/comm/detail/exchange.hpp>
#include <kolam/core/error.hpp>
#include <kolam/core/instances.hpp>
#include <kolam/testing/backends.hpp>
#include <kolam/testing/matchers.hpp>
#include <vector>

namespace kolam::exchange_test {

using ::testing::HasSubstr;

template <class Exec>
class Exchange : public ::testing::Test {};
TYPED_TEST_SUITE(Exchange, testing::KokkosSpaces, testing::ExecutionSpaceNames);

template <class Exec>
comm::detail::Exchange<Exec> three_parts(const std::vector<Exec>& instances, std::size_t phases) {
  return {
      "test", instances, comm::Partition(3, 1), {}, comm::Transport::staged, comm::GpuAwareMpi::off,
      phases};
}

// Each part of a ring sends its values to the next part, which forwards them in the second phase.
TYPED_TEST(Exchange, HasInAPhaseWhatCameInThoseBefore) {
  using Exec = TypeParam;
  using View = Kokkos::View<char*, typename Exec::memory_space>;
  constexpr std::size_t bytes = 4096;
  const auto instances = make_instances<Exec>(3);
  auto exchange = three_parts<Exec>(instances, 2);
  std::vector<std::vector<View>> values(3);  // per part p: of p, of p - 1, of p - 2
  for (std::size_t p = 0; p < 3; ++p) {
    for (int i = 0; i < 3; ++i)
      values[p].emplace_back(Kokkos::view_alloc(instances[p], "values"), bytes);
    for (std::size_t phase : {0, 1})
      exchange.add(phase, static_cast<int>(p), static_cast<int>((p + 1) % 3));
  }
  const auto value = [](std::size_t part, std::size_t round) {
    return static_cast<char>(1 + part + 3 * round);
  };
  for (std::size_t round = 0; round < 4; ++round) {
    for (std::size_t p = 0; p < 3; ++p)
      Kokkos::deep_copy(instances[p], values[p][0], value(p, round));
    for (const std::size_t phase : {0, 1}) {
      const auto take = [](const auto& m, std::size_t) { m.channel->arrive(); };
      exchange.expect(phase, [&](const auto& m, std::size_t) {
        m.channel->expect(values[*m.to][phase + 1].data(), bytes);
      });
      exchange.send(
          phase,
          [&](const auto& m, std::size_t) {
            m.channel->send(values[*m.from][phase].data(), bytes);
          },
          take);
      exchange.depart(phase);
      exchange.arrive(phase, take);
      exchange.settle(phase);
    }
    exchange.meet();  // (the next round overwrites own values in place)
    for (std::size_t p = 0; p < 3; ++p) {
      instances[p].fence();
      for (std::size_t i = 1; i < 3; ++i)
        EXPECT_TRUE(testing::all_equal(values[p][i],
                                       [&](std::size_t) { return value((p + 3 - i) % 3, round); }));
    }
  }
}

TYPED_TEST(Exchange, ListsMessagesByPhaseInTheirOrder) {
  const auto instances = make_instances<TypeParam>(3);
  auto exchange = three_parts<TypeParam>(instances, 2);
  exchange.add(1, 0, 2);
  exchange.add(0, 2, 1);
  exchange.add(1, 1, 0);
  std::vector<std::size_t> seen;
  const auto see = [&](const auto& m, std::size_t i) {
    seen.insert(seen.end(), {i, *m.from, *m.to});
  };
  exchange.expect(1, see);
  EXPECT_THAT(seen, ::testing::ElementsAre(0, 0, 2, 1, 1, 0));
}

TYPED_TEST(Exchange, RefusesAnotherNumberOfInstances) {
  EXPECT_THAT(testing::error_of<InvalidArgument>(
                  [] { three_parts<TypeParam>(make_instances<TypeParam>(2), 1); }),
              HasSubstr("test: 2 instances for 3 subdomains; give one for each"));
}

}  // namespace kolam::exchange_test
