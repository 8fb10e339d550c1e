// SPDX-License-Identifier: Apache-2.0
#ifdef __NVCC__
#pragma nv_diag_suppress 20013, 20014, 20015  // host-only bodies; nvcc warns in headers
#endif
#include <gmock/gmock.h>

#include <kolam/core/forall.hpp>
#include <kolam/core/forall_blocks.hpp>
#include <kolam/core/host_teams.hpp>
#include <kolam/testing/matchers.hpp>
#include <numeric>
#include <set>
#include <stdexcept>
#include <thread>

namespace kolam::host_teams_test {

using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::error_of;
using ::testing::HasSubstr;

using Team = Block<HostTeams>;
using Ranks = std::vector<int>;

// Threads write s[i] and read s[i + distance] in the next phase, after a barrier if `synced`.
// Returns the number of wrong values read.
int wrong_reads(int threads, int n, int distance, index_t blocks, bool synced) {
  std::vector<index_t> s(static_cast<std::size_t>(n), -1);
  int wrong = 0;  // one thread runs at a time
  forall(HostTeams{}, "neighbours", blocks, {threads}, [&](const Team& block, index_t e) {
    block.foreach_x(n, [&](int i) { s[static_cast<std::size_t>(i)] = e * n + i; });
    if (synced) block.sync();
    block.foreach_x(n, [&](int i) {
      const int j = i + distance;
      if (j >= 0 && j < n && s[static_cast<std::size_t>(j)] != e * n + j) ++wrong;
    });
  });
  return wrong;
}

TEST(HostTeamsSync, MissingOneFailsEveryTimeInBothDirections) {
  for (const int threads : {2, 3, 8}) {
    for (const int n : {threads, 2 * threads + 1}) {
      for (const int distance : {1, -1}) {
        SCOPED_TRACE(::testing::Message()
                     << threads << " threads, n = " << n << ", distance " << distance);
        EXPECT_EQ(wrong_reads(threads, n, distance, 2, true), 0);
        const int wrong = wrong_reads(threads, n, distance, 2, false);
        EXPECT_GT(wrong, 0);
        for (int again = 0; again < 5; ++again)
          EXPECT_EQ(wrong_reads(threads, n, distance, 2, false), wrong);
      }
    }
  }
}

// A shift between lanes is a barrier for its row only.
int wrong_reads_behind_shift(bool synced) {
  using Shape = StaticShape<32, 3>;
  index_t written[3] = {-1, -1, -1};
  int wrong = 0;
  forall_2d(HostTeams{}, "rows", 2, Shape{}, [&](const Block<HostTeams, Shape>& block, index_t e) {
    block.foreach_y(3, [&](int row) {
      block.foreach_x(32, [&](int lane) {
        if (lane == 17) written[row] = e;
        if (block.shift_x(lane, 1) != std::min(lane + 1, 31)) ++wrong;
        if (written[row] != e) ++wrong;  // the shift has synchronised this row
        if (synced) block.sync();
        for (const index_t other : written)
          if (other != e) ++wrong;
        block.sync();
      });
    });
  });
  return wrong;
}

TEST(HostTeamsSync, AShiftDoesNotStandForIt) {
  EXPECT_EQ(wrong_reads_behind_shift(true), 0);
  EXPECT_GT(wrong_reads_behind_shift(false), 0);
}

TEST(HostTeamsSync, OfOneThreadIsNothing) { EXPECT_EQ(wrong_reads(1, 5, 1, 3, true), 0); }

TEST(HostTeams, RunBlocksByAsManyThreadsInAlternatingOrderInTheThreadThatLaunches) {
  Ranks order;
  std::set<std::thread::id> ids;
  forall_2d(HostTeams{}, "order", 3, {2, 2}, [&](const Team& block, index_t) {
    ids.insert(std::this_thread::get_id());
    block.foreach_y(2,
                    [&](int j) { block.foreach_x(2, [&](int i) { order.push_back(i + 2 * j); }); });
  });

  EXPECT_THAT(order, ElementsAre(0, 1, 2, 3, 3, 2, 1, 0, 0, 1, 2, 3));
  EXPECT_EQ(ids, std::set{std::this_thread::get_id()});
}

TEST(HostTeams, RunFlatLoopsBackwards) {
  std::vector<index_t> order;
  forall(HostTeams{}, "flat", 4, [&](index_t i) { order.push_back(i); });
  EXPECT_THAT(order, ElementsAre(3, 2, 1, 0));
}

// Each thread reaches `extra(rank, e)` barriers beyond the common one.
template <class Extra>
void run_with_extra_barriers(int threads, index_t blocks, Extra extra) {
  forall(HostTeams{}, "uneven", blocks, {threads}, [&](const Team& block, index_t e) {
    int rank = 0;
    block.foreach_x(threads, [&](int i) { rank = i; });
    block.sync();
    for (int s = 0; s < extra(rank, e); ++s) block.sync();
  });
}

TEST(HostTeamsSync, ThatNotAllThreadsMeetIsDiagnosed) {
  for (const int threads : {2, 3, 5}) {
    for (const index_t blocks : {1, 2, 5}) {
      for (int odd_one = 0; odd_one < threads; ++odd_one) {
        for (index_t where = 0; where < blocks; ++where) {
          for (const bool more : {true, false}) {
            SCOPED_TRACE(::testing::Message()
                         << threads << " threads, thread " << odd_one << (more ? " more" : " less")
                         << " in block " << where << " of " << blocks);
            const std::string text = error_of<Error>([&] {
              run_with_extra_barriers(threads, blocks, [=](int rank, index_t e) {
                return e == where && (rank == odd_one) == more ? 1 : 0;
              });
            });
            EXPECT_THAT(text,
                        AllOf(HasSubstr("uneven"), HasSubstr("block " + std::to_string(where)),
                              HasSubstr("barriers")));
          }
        }
      }
    }
  }
}

TEST(HostTeamsSync, ThatAllThreadsMeetMayDifferBetweenBlocks) {
  EXPECT_NO_THROW(
      run_with_extra_barriers(3, 6, [](int, index_t e) { return static_cast<int>(e % 3); }));
}

TEST(HostTeams, RethrowWhatABodyThrows) {
  for (const int thrower : {0, 1, 3}) {
    for (const index_t where : {0, 1, 4}) {
      SCOPED_TRACE(::testing::Message() << "thread " << thrower << ", block " << where);
      const auto run = [&](bool first) {
        forall(HostTeams{}, "throws", 5, {4}, [&](const Team& block, index_t e) {
          const auto maybe = [&](bool now) {
            block.foreach_x(4, [&](int i) {
              if (now && i == thrower && e == where) throw std::domain_error("mine");
            });
          };
          maybe(first);
          block.sync();
          maybe(!first);
          static_cast<void>(block.sum(1));
        });
      };
      EXPECT_EQ(error_of<std::domain_error>([&] { run(true); }), "mine");
      EXPECT_EQ(error_of<std::domain_error>([&] { run(false); }), "mine");
    }
  }
}

TEST(HostTeams, RunOnAfterAnException) {
  EXPECT_THROW(forall(HostTeams{}, "t", 1, {3}, [](const Team&, index_t) { throw 1; }), int);
  EXPECT_EQ(wrong_reads(3, 7, 1, 2, true), 0);
}

}  // namespace kolam::host_teams_test
