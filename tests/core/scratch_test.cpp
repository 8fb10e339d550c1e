// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cstdint>
#include <kolam/core/forall_blocks.hpp>
#include <kolam/core/scratch.hpp>
#include <kolam/testing/matchers.hpp>
#include <thread>

namespace kolam::scratch_test {

using testing::all_equal;

constexpr int count = 300;  // longer than any vector and than the blocks below

struct Shared {
  double first[count];
  char between;  // only alignment inside the struct aligns `second`
  double second[count];
};

template <class Exec>
using Values = Kokkos::View<double**, Kokkos::LayoutLeft, typename Exec::memory_space>;

KOKKOS_FUNCTION double value(int i, index_t e, int round) {
  return 1e6 * round + 1000.0 * static_cast<double>(e) + i;
}

// Each thread writes its entries, then reads entries of other threads, for several rounds. Another
// block in the same memory would overwrite them.
template <class Exec, class Shape, class First, class Second>
KOKKOS_FUNCTION void exchange(const Block<Exec, Shape>& block, index_t e, First&& first,
                              Second&& second, const Values<Exec>& wrong) {
  for (int round = 0; round < 3; ++round) {
    block.foreach_x(count, [&](int i) {
      first[i] = value(i, e, round);
      second[i] = -value(i, e, round);
    });
    block.sync();
    block.foreach_x(count, [&](int i) {
      const int j = (i + 129) % count;
      if (first[j] != value(j, e, round) || second[j] != -value(j, e, round)) wrong(i, e) += 1;
    });
    block.sync();
  }
}

template <class Exec, class Shape>
struct WithStruct {
  Values<Exec> wrong;
  KOKKOS_FUNCTION void operator()(const Block<Exec, Shape>& block, Shared& s, index_t e) const {
    exchange(block, e, s.first, s.second, wrong);
  }
};

template <class Exec, class Shape>
struct WithArray {
  Values<Exec> wrong;
  KOKKOS_FUNCTION void operator()(const Block<Exec, Shape>& block, const ScratchView<double>& s,
                                  index_t e) const {
    if (s.extent(0) != 2 * count) block.once([&] { wrong(0, e) += 1; });
    exchange(block, e, s.data(), s.data() + count, wrong);
  }
};

template <class Exec, class Shape>
void threads_share_and_blocks_do_not(const Shape& shape) {
  const index_t blocks = std::is_same_v<Exec, HostTeams> ? 3 : 500;
  const Values<Exec> wrong("wrong", count, blocks);
  forall(Exec{}, "struct", blocks, shape, Scratch<Shared>{}, WithStruct<Exec, Shape>{wrong});
  EXPECT_TRUE(all_equal(wrong, [](std::size_t) { return 0; }));
  forall(Exec{}, "array", blocks, shape, ScratchArray<double>{2 * count},
         WithArray<Exec, Shape>{wrong});
  EXPECT_TRUE(all_equal(wrong, [](std::size_t) { return 0; }));
}

template <class Exec>
class ScratchOf : public ::testing::Test {};
TYPED_TEST_SUITE(ScratchOf, testing::ExecutionSpaces, testing::ExecutionSpaceNames);

TYPED_TEST(ScratchOf, IsSharedByTheThreadsOfABlockAndByNobodyElse) {
  threads_share_and_blocks_do_not<TypeParam>(DynamicShape{1});
  threads_share_and_blocks_do_not<TypeParam>(DynamicShape{8});
  threads_share_and_blocks_do_not<TypeParam>(StaticShape<7>{});
  threads_share_and_blocks_do_not<TypeParam>(StaticShape<32>{});
}

TEST(Scratch, KnowsItsSize) {
  EXPECT_EQ(Scratch<Shared>::bytes(), sizeof(Shared));
  EXPECT_EQ(ScratchArray<float>{5}.bytes(), 20U);
  EXPECT_EQ(ScratchArray<float>{0}.bytes(), 0U);
}

TEST(HostScratch, BelongsToOneThreadAndIsAligned) {
  void* const mine = detail::host_scratch(100);
  void* other = nullptr;
  std::jthread([&] { other = detail::host_scratch(100); }).join();  // `mine` is still in use

  EXPECT_NE(mine, other);
  for (const std::size_t bytes : {1, 64, 65, 100000}) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(detail::host_scratch(bytes)) % 64, 0U) << bytes;
  }
}

}  // namespace kolam::scratch_test
