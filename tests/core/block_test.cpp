// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <kolam/core/block.hpp>
#include <kolam/core/forall_blocks.hpp>
#include <kolam/testing/matchers.hpp>
#include <string>
#include <type_traits>

namespace kolam::block_test {

using testing::all_equal;

template <class Exec, class Data>
using Field = Kokkos::View<Data, Kokkos::LayoutLeft, typename Exec::memory_space>;

struct Loops {
  int x, y, z;
};

// Counts each visit of (i, j, k, e) by the loops of a block.
template <class Exec, class Shape>
struct CountVisits {
  Loops n;
  Field<Exec, int****> counts;
  KOKKOS_FUNCTION void operator()(const Block<Exec, Shape>& block, index_t e) const {
    block.foreach_z(n.z, [&](int k) {
      block.foreach_y(n.y, [&](int j) {
        block.foreach_x(n.x, [&](int i) { Kokkos::atomic_inc(&counts(i, j, k, e)); });
      });
    });
  }
};

template <class Exec, class Shape>
void every_index_is_visited_once(const Shape& shape) {
  for (const Loops n : {Loops{0, 3, 3},
                        {3, 0, 3},
                        {3, 3, 0},
                        {1, 1, 1},
                        {2, 3, 2},
                        {3, 2, 4},
                        {4, 4, 4},
                        {7, 5, 3},
                        {37, 3, 2},
                        {65, 1, 5}}) {
    for (const int blocks : {0, 1, 5}) {
      const Field<Exec, int****> counts("counts", n.x, n.y, n.z, blocks);
      forall_3d(Exec{}, "count", blocks, shape, CountVisits<Exec, Shape>{n, counts});
      EXPECT_TRUE(all_equal(counts, [](std::size_t) { return 1; }))
          << blocks << " blocks of " << shape.x << " x " << shape.y << " x " << shape.z
          << " threads for " << n.x << " x " << n.y << " x " << n.z;
    }
  }
}

// Loops over indices wider than int, which must keep their type.
template <class Exec>
struct SumWide {
  Field<Exec, index_t*> sums;
  KOKKOS_FUNCTION void operator()(const Block<Exec>& block, index_t e) const {
    block.foreach_x(index_t{9}, [&](auto i) {
      static_assert(std::is_same_v<decltype(i), index_t>);
      Kokkos::atomic_add(&sums(e), (i + 1) << 33);
    });
  }
};

// Adds one for each call of once().
template <class Exec>
struct CountOnce {
  Field<Exec, int*> counts;
  KOKKOS_FUNCTION void operator()(const Block<Exec>& block, index_t e) const {
    block.once([&] { Kokkos::atomic_inc(&counts(e)); });
  }
};

// Several reductions without barriers between them; every thread stores its result.
constexpr int rounds = 5;
template <class Exec, class Shape>
struct Reductions {
  using Located = Kokkos::MaxLoc<float, int>;
  Loops n;
  Field<Exec, double****> sums, maxima, locations;  // (thread's index in the block, round, e)
  KOKKOS_FUNCTION void operator()(const Block<Exec, Shape>& block, index_t e) const {
    double sum = 0;
    double largest = -1e9;
    typename Located::value_type located{-1e9F, -1};
    const auto each = [&](const auto& f) {
      block.foreach_y(n.y, [&](int j) { block.foreach_x(n.x, [&](int i) { f(i, j); }); });
    };
    each([&](int i, int j) {
      const int value = i + n.x * j + 1;  // 1 ... n.x n.y
      sum += value;
      largest = largest > value ? largest : value;
      if (static_cast<float>(value) > located.val) located = {static_cast<float>(value), -value};
    });
    for (int r = 0; r < rounds; ++r) {
      const double all = block.sum(sum * (r + 1));
      const double most = block.max(largest + r + static_cast<double>(e));
      const double least = block.min(-largest - r - static_cast<double>(e));
      const auto where = block.template reduce<Located>(located);
      each([&](int i, int j) {
        sums(i, j, r, e) = all;
        maxima(i, j, r, e) = least == -most ? most : least;
        locations(i, j, r, e) = where.loc;
      });
    }
  }
};

template <class Exec, class Shape>
void reductions_reach_all_threads(const Shape& shape) {
  constexpr int blocks = std::is_same_v<Exec, HostTeams> ? 2 : 7;
  const int x = shape.x;  // nvcc loses a static member in the braces
  const int y = shape.y;
  const Loops cases[] = {{1, 1, 1}, {x, y, 1}, {70, 3, 1}};
  for (const Loops& n : cases) {
    const auto field = [&](const std::string& label) {
      return Field<Exec, double****>(label, n.x, n.y, rounds, blocks);
    };
    const Reductions<Exec, Shape> body{n, field("sums"), field("maxima"), field("locations")};
    forall_2d(Exec{}, "reduce", blocks, shape, body);

    const auto count = static_cast<std::size_t>(n.x * n.y);
    const auto round = [=](std::size_t i) { return i / count % rounds; };
    EXPECT_TRUE(all_equal(body.sums, [=](std::size_t i) {
      return static_cast<double>(count * (count + 1) / 2 * (round(i) + 1));
    }));
    EXPECT_TRUE(all_equal(body.maxima, [=](std::size_t i) {
      return static_cast<double>(count + round(i) + i / count / rounds);
    }));
    EXPECT_TRUE(
        all_equal(body.locations, [=](std::size_t) { return -static_cast<double>(count); }));
  }
}

template <class Exec>
class BlockOf : public ::testing::Test {};
TYPED_TEST_SUITE(BlockOf, testing::ExecutionSpaces, testing::ExecutionSpaceNames);

TYPED_TEST(BlockOf, LoopsVisitEveryIndexOnce) {
  for (const DynamicShape shape : {DynamicShape{1, 1, 1}, {4, 4, 1}, {3, 2, 2}, {1, 1, 5}})
    every_index_is_visited_once<TypeParam>(shape);
}

TYPED_TEST(BlockOf, LoopsOfStaticShapesVisitEveryIndexOnce) {
  every_index_is_visited_once<TypeParam>(StaticShape<4, 4>{});
  every_index_is_visited_once<TypeParam>(StaticShape<3, 2, 2, 1>{});
  every_index_is_visited_once<TypeParam>(StaticShape<32, 2>{});
}

TYPED_TEST(BlockOf, LoopsKeepTheTypeOfTheirBound) {
  const Field<TypeParam, index_t*> sums("sums", 2);
  forall(TypeParam{}, "wide", 2, {4}, SumWide<TypeParam>{sums});
  EXPECT_TRUE(all_equal(sums, [](std::size_t) { return index_t{45} << 33; }));
}

TYPED_TEST(BlockOf, OnceRunsInOneThread) {
  const Field<TypeParam, int*> counts("counts", 9);
  forall_3d(TypeParam{}, "once", 9, {3, 2, 2}, CountOnce<TypeParam>{counts});
  EXPECT_TRUE(all_equal(counts, [](std::size_t) { return 1; }));
}

TYPED_TEST(BlockOf, ReductionsInARowGiveAllThreadsTheSame) {
  reductions_reach_all_threads<TypeParam>(DynamicShape{1});
  reductions_reach_all_threads<TypeParam>(DynamicShape{5, 3});
  reductions_reach_all_threads<TypeParam>(StaticShape<4, 3>{});
  reductions_reach_all_threads<TypeParam>(StaticShape<32>{});
  reductions_reach_all_threads<TypeParam>(StaticShape<64, 2>{});
}

TEST(Divisor, DividesEveryRankOfABlockByEveryExtent) {
  for (int d = 1; d <= detail::max_block_threads; ++d) {
    const detail::Divisor divisor(d);
    for (int n = 0; n < detail::max_block_threads; ++n) {
      ASSERT_EQ(divisor.divide(n), n / d) << n << " / " << d;
    }
  }
}

// Every lane reads its neighbours' values, twice in a row.
template <class Exec, class T>
struct AskLanes {
  using Shape = StaticShape<32, 2>;
  Field<Exec, T***> answers;  // [lane, row, which]

  KOKKOS_FUNCTION void operator()(const Block<Exec, Shape>& block, index_t) const {
    block.foreach_y(2, [&](int row) {
      block.foreach_x(32, [&](int lane) {
        const T mine = T(100 * row + lane);
        const T before = block.shift_x(mine, -1);
        const T after = block.shift_x(mine, 2);
        answers(lane, row, 0) = before;
        answers(lane, row, 1) = after;
      });
    });
  }
};

template <class Exec, class T>
void lanes_know_their_neighbours() {
  const Field<Exec, T***> answers("answers", 32, 2, 2);
  forall_2d(Exec{}, "ask", 3, typename AskLanes<Exec, T>::Shape{}, AskLanes<Exec, T>{answers});
  const auto on_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, answers);
  for (int row = 0; row < 2; ++row) {
    for (int lane = 0; lane < 32; ++lane) {
      const T mine = T(100 * row + lane);
      if (lane > 0) {
        EXPECT_EQ(on_host(lane, row, 0), mine - 1);
      }
      if (lane < 30) {
        EXPECT_EQ(on_host(lane, row, 1), mine + 2);
      }
    }
  }
}

TYPED_TEST(BlockOf, LanesKnowTheirNeighbours) {
  if constexpr (has_block_threads<TypeParam>) {
    lanes_know_their_neighbours<TypeParam, float>();
    lanes_know_their_neighbours<TypeParam, double>();
  } else {
    GTEST_SKIP() << "a block of a host has no lanes side by side";
  }
}

}  // namespace kolam::block_test
