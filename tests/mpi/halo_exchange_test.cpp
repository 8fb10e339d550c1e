// SPDX-License-Identifier: Apache-2.0
// Halos between processes, with several subdomains each, or none.
#include <gmock/gmock.h>

#include <array>
#include <kolam/core/error.hpp>
#include <kolam/core/instances.hpp>
#include <kolam/testing/backends.hpp>
#include <kolam/testing/fences.hpp>
#include <kolam/testing/instances.hpp>
#include <kolam/testing/matchers.hpp>
#include <string>
#include <vector>

#include "../grid/halo_steps.hpp"
#include "all_processes.hpp"

namespace kolam::mpi_tests {

using namespace halo_steps;

template <class Exec>
class HaloBetween : public ::testing::Test {
 public:
  // Instances for the subdomains of this process; neighbours get different ones, if there are
  // several.
  static std::vector<Exec> instances(int subdomains) {
    const Communicator& all = all_processes();
    const int count = comm::Partition(subdomains, all.size()).share(all.rank()).count;
    if (testing::is_gpu<Exec>) return make_instances<Exec>(count, all.host_size());
    const auto two = testing::two_instances<Exec>();
    std::vector<Exec> result;
    for (int i = 0; i < count; ++i) result.push_back(two[static_cast<std::size_t>(i % 2)]);
    return result;
  }
};
TYPED_TEST_SUITE(HaloBetween, testing::KokkosSpaces, testing::ExecutionSpaceNames);

constexpr std::array transports = {comm::Transport::automatic, comm::Transport::staged,
                                   comm::Transport::mpi};

template <int N, class T, class Exec>
void expect_ghosts_filled(const comm::Decomposition<N>& decomposition, int depth,
                          grid::Ghosts ghosts, comm::Transport transport) {
  const Communicator& all = all_processes();
  const int count = decomposition.subdomains();
  const comm::Partition::Share mine = comm::Partition(count, all.size()).share(all.rank());
  const auto instances = HaloBetween<Exec>::instances(count);
  grid::HaloExchange<N, Exec> halo(instances, decomposition, depth, ghosts, all, transport);
  typename grid::HaloExchange<N, Exec>::template Fields<T> one;
  typename grid::HaloExchange<N, Exec>::template Fields<T> two;
  for (int s = 0; s < mine.count; ++s) {
    const comm::LocalGrid<N> local(decomposition, mine.first + s, depth);
    const Exec& exec = instances[static_cast<std::size_t>(s)];
    one.push_back(numbered_field<N, T>(exec, local, (mine.first + s) % 3));
    two.push_back(numbered_field<N, T>(exec, local, 0, 50));
  }
  halo.template exchange<T>(one);
  halo.release();
  const auto expect_filled = [&](const auto& fields, int which) {
    Kokkos::fence();
    for (int s = 0; s < mine.count; ++s) {
      EXPECT_EQ(first_wrong<N>(decomposition, mine.first + s, depth, ghosts,
                               fields[static_cast<std::size_t>(s)], which),
                "")
          << "by " << name(transport);
    }
  };
  expect_filled(one, 0);
  halo.template exchange<T>(one, two);
  expect_filled(one, 0);
  expect_filled(two, 50);
}

TYPED_TEST(HaloBetween, FillsTheGhostsOfEveryCutIn2D) {
  for (const comm::Parts<2>& parts :
       {comm::Parts<2>{1, 1}, {1, 2}, {2, 1}, {2, 2}, {1, 5}, {3, 3}, {7, 1}, {1, 9}}) {
    for (const int depth : {1, 2}) {
      if (9 / parts[0] < depth || 11 / parts[1] < depth) continue;
      for (const bool periodic : {false, true}) {
        const comm::Decomposition<2> decomposition({9, 11}, parts, {periodic, true});
        for (const comm::Transport transport : transports) {
          expect_ghosts_filled<2, double, TypeParam>(decomposition, depth, grid::Ghosts::faces,
                                                     transport);
          expect_ghosts_filled<2, float, TypeParam>(decomposition, depth, grid::Ghosts::corners,
                                                    transport);
        }
      }
    }
  }
}

TYPED_TEST(HaloBetween, FillsTheGhostsOfEveryCutIn3D) {
  for (const comm::Parts<3>& parts : {comm::Parts<3>{1, 1, 4}, {1, 2, 2}, {2, 2, 2}, {3, 1, 2}}) {
    const comm::Decomposition<3> decomposition({6, 5, 4}, parts, {true, false, true});
    for (const comm::Transport transport : transports) {
      expect_ghosts_filled<3, double, TypeParam>(decomposition, 1, grid::Ghosts::faces, transport);
      expect_ghosts_filled<3, double, TypeParam>(decomposition, 1, grid::Ghosts::corners,
                                                 transport);
    }
  }
}

// One point wide, with neighbours on both sides: the tags of the two messages differ.
TYPED_TEST(HaloBetween, WrapsThinGridsRound) {
  for (const comm::Parts<2>& parts : {comm::Parts<2>{2, 1}, {1, 2}, {2, 2}}) {
    const comm::Decomposition<2> decomposition({parts[0] == 2 ? 2 : 1, parts[1] == 2 ? 2 : 1},
                                               parts, {true, true});
    for (const comm::Transport transport : transports) {
      expect_ghosts_filled<2, double, TypeParam>(decomposition, 1, grid::Ghosts::faces, transport);
      expect_ghosts_filled<2, double, TypeParam>(decomposition, 1, grid::Ghosts::corners,
                                                 transport);
    }
  }
}

TYPED_TEST(HaloBetween, MakesEveryCutGiveTheSameBits) {
  const Communicator& all = all_processes();
  const index_t n = testing::is_gpu<TypeParam> ? 300 : 23;
  const Extents<2> extents{n, n + 8};
  const int steps = testing::optimised ? 20 : 6;
  const auto whole = after_steps<TypeParam>(extents, {1, 1}, steps, {TypeParam{}});
  for (const comm::Parts<2>& parts :
       {comm::Parts<2>{1, 1}, {1, 2}, {2, 1}, {1, 7}, {3, 3}, {1, 31}, {23, 1}}) {
    const auto instances = HaloBetween<TypeParam>::instances(parts[0] * parts[1]);
    std::vector<TypeParam> inner = instances;
    if (testing::is_gpu<TypeParam>) {
      inner = HaloBetween<TypeParam>::instances(parts[0] * parts[1]);  // other streams
    }
    for (const comm::Transport transport : transports) {
      for (const bool overlapped : {false, true}) {
        const auto cut = after_steps<TypeParam>(extents, parts, steps, instances, {all, transport},
                                                overlapped ? inner : std::vector<TypeParam>{});
        EXPECT_TRUE(all.rank() > 0 || cut == whole)
            << parts[0] << " x " << parts[1] << " by " << name(transport);
      }
    }
  }
}

// On a host, packing ends before its launch returns, so only the fence shows that the send waits.
TYPED_TEST(HaloBetween, WaitsForWhatIsPackedBeforeItIsSent) {
  const Communicator& all = all_processes();
  const int count = all.size();
  const comm::Decomposition<2> decomposition({5, 2 * count}, {1, count}, {false, true});
  const std::vector<TypeParam> instances(1);
  grid::HaloExchange<2, TypeParam> halo(instances, decomposition, 1, grid::Ghosts::faces, all,
                                        comm::Transport::mpi);
  const std::vector u = {
      field_of<2, double>(instances[0], comm::LocalGrid<2>(decomposition, all.rank(), 1), 0)};
  testing::Fences fences;
  halo.template start<double>(u);
  EXPECT_GE(fences.named("kolam::HaloExchange: packed for MPI"), 1);
  halo.finish();
}

TYPED_TEST(HaloBetween, SaysWhichWayItTakes) {
  const Communicator& all = all_processes();
  const int count = all.size();
  const comm::Decomposition<2> decomposition({4, count}, {1, count});
  const grid::HaloExchange<2, TypeParam> halo(HaloBetween<TypeParam>::instances(count),
                                              decomposition, 1, grid::Ghosts::faces, all);
  EXPECT_THAT(halo.transport(), ::testing::HasSubstr(count > 1 ? "MPI" : "one "));
  const grid::HaloExchange<2, TypeParam> staged(HaloBetween<TypeParam>::instances(count),
                                                decomposition, 1, grid::Ghosts::faces, all,
                                                comm::Transport::staged);
  EXPECT_THAT(staged.transport(), ::testing::HasSubstr(count > 1 ? "MPI, staged through" : "one "));
}

TYPED_TEST(HaloBetween, RefusesTheSameOnAllProcesses) {
  const Communicator& all = all_processes();
  const comm::Decomposition<2> decomposition({9, 5}, {1, 3});
  const auto instances = HaloBetween<TypeParam>::instances(3);
  EXPECT_THROW(
      (grid::HaloExchange<2, TypeParam>(instances, decomposition, 2, grid::Ghosts::faces, all)),
      InvalidArgument);
  EXPECT_THROW(
      (grid::HaloExchange<2, TypeParam>(instances, decomposition, 0, grid::Ghosts::faces, all)),
      InvalidArgument);
}

}  // namespace kolam::mpi_tests
