// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cstdint>
#include <kolam/core/streaming.hpp>
#include <vector>

namespace kolam {
namespace {

template <class T>
class Streaming : public ::testing::Test {};
using Types = ::testing::Types<float, double, std::uint8_t>;
TYPED_TEST_SUITE(Streaming, Types);

// Every start within a register and every count up to several of them, from sources of any
// alignment.
TYPED_TEST(Streaming, CopiesAllValuesAndTouchesNoOther) {
  constexpr int size = 100;
  std::vector<TypeParam> from(size + 3);
  for (int i = 0; i < size + 3; ++i) from[i] = static_cast<TypeParam>(i + 1);
  for (int offset = 0; offset <= 20; ++offset) {
    for (int count = 0; count <= 70; ++count) {
      std::vector<TypeParam> expected(size, TypeParam{255});
      std::vector<TypeParam> to = expected;
      const int shift = count % 4;
      for (int i = 0; i < count; ++i) expected[offset + i] = from[shift + i];

      stream_out(to.data() + offset, from.data() + shift, count);
      stream_fence();

      ASSERT_EQ(to, expected) << "offset " << offset << ", count " << count;
    }
  }
}

TEST(Cache, IsExceededByWhatIsLargerThanAnyCacheOnly) {
  EXPECT_FALSE(exceeds_cache(0));
  EXPECT_FALSE(exceeds_cache(1 << 20));
  EXPECT_TRUE(exceeds_cache(std::uint64_t{1} << 50));
}

TYPED_TEST(Streaming, PrefetchesAnyCount) {
  const std::vector<TypeParam> values(100);
  for (const int count : {0, 1, 15, 16, 17, 100}) prefetch(values.data(), count);
  prefetch(static_cast<const TypeParam*>(nullptr), 0);
}

}  // namespace
}  // namespace kolam
