// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cstdint>
#include <kolam/core/non_temporal.hpp>
#include <vector>

namespace kolam {
namespace {

template <class T>
class Streaming : public ::testing::Test {};
using Types = ::testing::Types<float, double, std::uint8_t>;
TYPED_TEST_SUITE(Streaming, Types);

// Every start within a register and every count up to several registers, from sources of any
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

      store_non_temporal(to.data() + offset, from.data() + shift, count);
      non_temporal_fence();

      ASSERT_EQ(to, expected) << "offset " << offset << ", count " << count;
    }
  }
}

TEST(Cache, IsExceededByWhatIsLargerThanAnyCacheOnly) {
  EXPECT_FALSE(exceeds_cache(0));
  EXPECT_FALSE(exceeds_cache(1 << 20));
  EXPECT_TRUE(exceeds_cache(std::uint64_t{1} << 50));
}

// A prefetch has no visible effect: it changes no value and never faults. Only the lines that it
// asks for can be wrong.
TEST(Cache, HasEveryLineOfAStretchOnce) {
  const std::vector<char> memory(1024);
  const auto line_of = [](const char* p) { return reinterpret_cast<std::uintptr_t>(p) / 64; };
  for (int begin = 0; begin < 130; ++begin) {
    for (const int bytes : {0, 1, 8, 63, 64, 65, 128, 500}) {
      const char* const data = memory.data() + begin;
      std::vector<std::uintptr_t> expected;
      if (bytes > 0) {
        for (std::uintptr_t l = line_of(data); l <= line_of(data + bytes - 1); ++l)
          expected.push_back(l);
      }
      std::vector<std::uintptr_t> found;
      detail::for_each_cache_line(data, bytes, [&](const char* p) {
        EXPECT_TRUE(data <= p && p < data + bytes);
        found.push_back(line_of(p));
      });
      ASSERT_EQ(found, expected) << "from " << begin << ", bytes " << bytes;
    }
  }
  detail::for_each_cache_line(nullptr, 0, [](const char*) { FAIL() << "there is no line"; });
}

}  // namespace
}  // namespace kolam
