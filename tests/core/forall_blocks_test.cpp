// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <kolam/core/forall_blocks.hpp>
#include <kolam/testing/matchers.hpp>
#include <limits>

namespace kolam::forall_blocks_test {

using testing::all_equal;
using testing::error_of;
using ::testing::HasSubstr;

template <class Exec>
using Values = Kokkos::View<double**, Kokkos::LayoutLeft, typename Exec::memory_space>;

// out(i, e) += 1000 e + i: shows a block that runs twice or never.
template <class Exec, class Shape>
struct AddNumber {
  Values<Exec> out;
  KOKKOS_FUNCTION void operator()(const Block<Exec, Shape>& block, index_t e) const {
    block.foreach_x(static_cast<int>(out.extent(0)), [&](int i) {
      block.foreach_y(1, [&](int) {
        block.foreach_z(
            1, [&](int) { Kokkos::atomic_add(&out(i, e), 1000.0 * static_cast<double>(e) + i); });
      });
    });
  }
};

// Counts the blocks from number `first` on.
template <class Exec>
struct CountFrom {
  index_t first;
  Kokkos::View<int, typename Exec::memory_space> count;
  KOKKOS_FUNCTION void operator()(const Block<Exec, StaticShape<1>>&, index_t e) const {
    if (e >= first) Kokkos::atomic_inc(&count());
  }
};

// Counts wrong sums and wrong scratch values. No barrier follows the last read of either, so two
// blocks of one team must not interfere.
using ManyShape = StaticShape<64, 4>;
struct Numbers {
  double of[ManyShape::y][ManyShape::x];
};
template <class Exec>
struct CountWrong {
  Kokkos::View<int, typename Exec::memory_space> wrong;
  KOKKOS_FUNCTION void operator()(const Block<Exec, ManyShape>& block, Numbers& number,
                                  index_t e) const {
    constexpr int x = ManyShape::x;
    constexpr int y = ManyShape::y;
    const auto mine = static_cast<double>(e);
    if (block.sum(mine) != x * y * mine) Kokkos::atomic_inc(&wrong());
    block.foreach_y(y, [&](int j) { block.foreach_x(x, [&](int i) { number.of[j][i] = mine; }); });
    block.sync();
    block.foreach_y(y, [&](int j) {
      block.foreach_x(x, [&](int i) {
        if (number.of[y - 1 - j][x - 1 - i] != mine) Kokkos::atomic_inc(&wrong());
      });
    });
  }
};

template <class Exec>
struct UseNoScratch {
  KOKKOS_FUNCTION void operator()(const Block<Exec>&, const ScratchView<double>&, index_t) const {}
};

template <class Exec>
class ForallBlocks : public ::testing::Test {
 public:
  template <class Shape>
  static AddNumber<Exec, Shape> body(const Shape&, index_t n) {
    return {Values<Exec>("out", 9, n)};
  }
  static double expected(std::size_t i) {
    return 1000.0 * static_cast<double>(i / 9) + static_cast<double>(i % 9);
  }
};
TYPED_TEST_SUITE(ForallBlocks, testing::ExecutionSpaces, testing::ExecutionSpaceNames);

TYPED_TEST(ForallBlocks, RunEveryBlockOnceInEveryDimension) {
  const TypeParam exec;
  for (const index_t n : {0, 1, 2, 7, 64}) {
    SCOPED_TRACE(n);
    const auto one = this->body(DynamicShape{}, n);
    forall(exec, "1d", n, {4}, one);
    EXPECT_TRUE(all_equal(one.out, this->expected));
    const auto two = this->body(DynamicShape{}, n);
    forall_2d(exec, "2d", n, {4, 2}, two);
    EXPECT_TRUE(all_equal(two.out, this->expected));
    const auto three = this->body(DynamicShape{}, n);
    forall_3d(exec, "3d", n, {2, 2, 2}, three);
    EXPECT_TRUE(all_equal(three.out, this->expected));
  }
}

TYPED_TEST(ForallBlocks, StaticShapesGiveTheSame) {
  const TypeParam exec;
  const auto one = this->body(StaticShape<4>{}, 7);
  forall(exec, "1d", 7, StaticShape<4>{}, one);
  EXPECT_TRUE(all_equal(one.out, this->expected));
  const auto two = this->body(StaticShape<4, 2>{}, 7);
  forall_2d(exec, "2d", 7, StaticShape<4, 2>{}, two);
  EXPECT_TRUE(all_equal(two.out, this->expected));
  const auto three = this->body(StaticShape<2, 2, 2>{}, 7);
  forall_3d(exec, "3d", 7, StaticShape<2, 2, 2>{}, three);
  EXPECT_TRUE(all_equal(three.out, this->expected));
}

TYPED_TEST(ForallBlocks, RefuseWrongShapesByLabelAndValue) {
  const TypeParam exec;
  const auto body = this->body(DynamicShape{}, 1);
  const auto text_of = [&](int dimension, DynamicShape shape) {
    return error_of<InvalidArgument>([&] {
      if (dimension == 1) forall(exec, "wrong", 1, shape, body);
      if (dimension == 2) forall_2d(exec, "wrong", 1, shape, body);
      if (dimension == 3) forall_3d(exec, "wrong", 1, shape, body);
    });
  };
  for (int dimension = 1; dimension <= 3; ++dimension) {
    for (const DynamicShape shape :
         {DynamicShape{0, 1, 1}, {-4, 1, 1}, {4, 0, 1}, {4, -1, 1}, {4, 1, 0}, {4, 1, -7}}) {
      const std::string text = text_of(dimension, shape);
      EXPECT_THAT(text, HasSubstr("wrong: the block shape is " + std::to_string(shape.x) + " x " +
                                  std::to_string(shape.y) + " x " + std::to_string(shape.z)));
    }
  }
  EXPECT_THAT(text_of(1, {4, 2, 1}), HasSubstr("4 x 2 x 1"));
  EXPECT_THAT(text_of(1, {4, 1, 2}), HasSubstr("4 x 1 x 2"));
  EXPECT_THAT(text_of(2, {4, 1, 2}), HasSubstr("4 x 1 x 2"));
  EXPECT_TRUE(all_equal(body.out, [](std::size_t) { return 0; })) << "something ran";
}

TYPED_TEST(ForallBlocks, RefuseNegativeCountsAndCheckShapesOfNoBlocks) {
  const auto body = this->body(DynamicShape{}, 0);
  const TypeParam exec;
  const std::string text = error_of<InvalidArgument>([&] { forall(exec, "few", -2, {4}, body); });

  EXPECT_THAT(text, HasSubstr("few: the loop count is -2"));
  EXPECT_THROW(forall_2d(exec, "shape", 0, {4, 0}, body), InvalidArgument);
}

TYPED_TEST(ForallBlocks, RefuseMoreThreadsThanADeviceHas) {
  if (!has_block_threads<TypeParam>) GTEST_SKIP() << "a host's blocks are loops of any shape";
  const auto body = this->body(DynamicShape{}, 1);
  for (const DynamicShape shape : {DynamicShape{64, 64}, {65536, 65536}, {2049, 1}}) {
    const std::string text =
        error_of<InvalidArgument>([&] { forall_2d(TypeParam{}, "large", 1, shape, body); });
    EXPECT_THAT(text, HasSubstr("large: blocks of " + std::to_string(shape.x) + " x " +
                                std::to_string(shape.y) + " x 1 threads"));
  }
}

TYPED_TEST(ForallBlocks, ManyBlocksRunInTeamsThatTakeSeveral) {
  if constexpr (!testing::is_gpu<TypeParam>) {
    GTEST_SKIP() << "only GPUs give a team several blocks";
  } else {
    const TypeParam exec;
    const index_t n = 200 * exec.concurrency() / (ManyShape::x * ManyShape::y) + 3;
    const CountWrong<TypeParam> body{Kokkos::View<int, typename TypeParam::memory_space>("wrong")};
    forall_2d(exec, "many", n, ManyShape{}, Scratch<Numbers>{}, body);
    EXPECT_TRUE(all_equal(body.wrong, [](std::size_t) { return 0; }));
  }
}

TYPED_TEST(ForallBlocks, RefuseScratchThatNothingHolds) {
  const TypeParam exec;
  const auto refusal = [&](int count) {
    return error_of<InvalidArgument>([&] {
      forall(exec, "hungry", 1, {4}, ScratchArray<double>{count}, UseNoScratch<TypeParam>{});
    });
  };
  EXPECT_THAT(refusal(-1), HasSubstr("hungry: scratch: the loop count is -1"));
  EXPECT_THAT(refusal(std::numeric_limits<int>::max()), HasSubstr("17179869176 bytes of scratch"));
}

// (Kokkos has ten slots for launches with scratch, and loses one at each launch that it refuses.)
TYPED_TEST(ForallBlocks, GoOnAfterRefusals) {
  const TypeParam exec;
  const auto hungry = [&](int count) {
    forall(exec, "hungry", 1, {4}, ScratchArray<double>{count}, UseNoScratch<TypeParam>{});
    exec.fence();
  };
  for (int i = 0; i < 20; ++i) {
    try {
      hungry(32 * 1024);  // more than a block of a GPU has
    } catch (const InvalidArgument& error) {
      EXPECT_THAT(error.what(), HasSubstr("262144 bytes of scratch do not fit"));
    }
  }
  hungry(16);
}

// Throws when a launch copies it.
struct FailsToBeCopied {
  FailsToBeCopied() = default;
  KOKKOS_FUNCTION FailsToBeCopied(const FailsToBeCopied&) {
    KOKKOS_IF_ON_HOST(throw Error("a text of its own");)
  }
  FailsToBeCopied& operator=(const FailsToBeCopied&) = delete;
  KOKKOS_DEFAULTED_FUNCTION ~FailsToBeCopied() = default;
  template <class Block>
  KOKKOS_FUNCTION void operator()(const Block&, index_t) const {}
};

TYPED_TEST(ForallBlocks, LetOtherErrorsPassWithTheirText) {
  if (std::same_as<TypeParam, HostTeams>) GTEST_SKIP() << "these copy no body";
  const FailsToBeCopied body;
  EXPECT_EQ(error_of<Error>([&] { forall(TypeParam{}, "loop", 1, {4}, body); }),
            "a text of its own");
}

TEST(ForallBlocksByDefault, KnowTheRefusalsOfKokkos) {
  for (const char* text :
       {"Kokkos::TeamPolicy< Cuda > the team size is too large. Team size x vector length must be "
        "smaller than 1024.",
        "Kokkos::Impl::ParallelFor< Cuda > requested too large team size.",
        "Kokkos::Impl::ParallelFor< HIP > insufficient shared memory",
        "CudaParallelLaunch (or graph node creation) FAILED: shared memory request is too large",
        "Kokkos::Impl::ParallelFor<Cuda, TeamPolicy> could not find a valid execution "
        "configuration."}) {
    EXPECT_TRUE(detail::refuses_blocks(text)) << text;
  }
  for (const char* text :
       {"cudaStreamSynchronize(stream) error( cudaErrorUnknown): unknown error",
        "Requested too large league_size for TeamPolicy on Cuda execution space.",
        "out of memory: array 'u' asked for 8 bytes"}) {
    EXPECT_FALSE(detail::refuses_blocks(text)) << text;
  }
}

TEST(ForallBlocksByDefault, RunEveryBlockOnce) {
  using Exec = Kokkos::DefaultExecutionSpace;
  const AddNumber<Exec, DynamicShape> body{Values<Exec>("out", 9, 5)};
  forall("1d", 5, {4}, body);
  forall_2d("2d", 5, {4, 2}, body);
  forall_3d("3d", 5, {2, 2, 2}, body);
  EXPECT_TRUE(
      all_equal(body.out, [](std::size_t i) { return 3 * ForallBlocks<Exec>::expected(i); }));

  using Shape = StaticShape<2>;
  const AddNumber<Exec, Shape> of_static{Values<Exec>("out", 9, 5)};
  forall("1d", 5, Shape{}, of_static);
  forall_2d("2d", 5, Shape{}, of_static);
  forall_3d("3d", 5, Shape{}, of_static);
  EXPECT_TRUE(
      all_equal(of_static.out, [](std::size_t i) { return 3 * ForallBlocks<Exec>::expected(i); }));
}

TEST(ForallBlocksByDefault, PassTwoToThePowerOf31) {
#ifndef NDEBUG
  GTEST_SKIP() << "takes too long without optimisation";
#endif
  using Exec = Kokkos::DefaultExecutionSpace;
  constexpr index_t limit = std::numeric_limits<int>::max();
  const CountFrom<Exec> body{limit - 1, Kokkos::View<int, Exec::memory_space>("count")};
  forall(Exec{}, "many", limit + 3, StaticShape<1>{}, body);
  EXPECT_TRUE(all_equal(body.count, [](std::size_t) { return 4; }));
}

}  // namespace kolam::forall_blocks_test
