// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>
#include <kolam/memory/detail/byte_ranges.hpp>
#include <kolam/testing/backends.hpp>
#include <random>

namespace kolam::byte_ranges_test {

using detail::ByteRange;
using detail::ByteRanges;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<ByteRange> present(const ByteRanges& set, ByteRange range) {
  return set.present({&range, 1});
}
std::vector<ByteRange> missing(const ByteRanges& set, ByteRange range) {
  return set.missing({&range, 1});
}

TEST(ByteRanges, AreEmptyAtFirstAndTellAllByABit) {
  ByteRanges set(10);
  EXPECT_FALSE(set.all());
  EXPECT_TRUE(set.contains({4, 4}));
  EXPECT_FALSE(set.contains({4, 5}));
  set.add({0, 10});
  EXPECT_TRUE(set.all());
  set.remove({0, 10});
  EXPECT_THAT(present(set, {0, 10}), IsEmpty());
}

TEST(ByteRanges, JoinWhatTouches) {
  ByteRanges set(10);
  set.add({2, 4});
  set.add({6, 8});
  EXPECT_THAT(present(set, {0, 10}), ElementsAre(ByteRange{2, 4}, ByteRange{6, 8}));
  EXPECT_THAT(missing(set, {3, 9}), ElementsAre(ByteRange{4, 6}, ByteRange{8, 9}));
  set.add({4, 6});
  EXPECT_THAT(present(set, {0, 10}), ElementsAre(ByteRange{2, 8}));
  set.add({0, 2});
  set.add({8, 10});
  EXPECT_TRUE(set.all());
}

// The oracle: a flag for each byte.
class Flags {
 public:
  explicit Flags(std::size_t size) : flags_(size, false) {}
  void set(const std::vector<ByteRange>& ranges, bool value) {
    for (const ByteRange& range : ranges) {
      for (std::size_t i = range.begin; i < range.end; ++i) flags_[i] = value;
    }
  }
  // Returns the segments of `ranges` with this value; segments of two ranges are not joined.
  std::vector<ByteRange> ranges(const std::vector<ByteRange>& ranges, bool value) const {
    std::vector<ByteRange> result;
    for (const ByteRange& range : ranges) {
      bool goes_on = false;
      for (std::size_t i = range.begin; i < range.end; ++i) {
        if (flags_[i] == value && goes_on) {
          ++result.back().end;
        } else if (flags_[i] == value) {
          result.push_back({i, i + 1});
        }
        goes_on = flags_[i] == value;
      }
    }
    return result;
  }

 private:
  std::vector<bool> flags_;
};

TEST(ByteRanges, AgreeWithAFlagForEachByte) {
  std::mt19937 random(7);  // NOLINT(bugprone-random-generator-seed): the same sequences every time
  for (int sequence = 0; sequence < (testing::optimised ? 4000 : 1000); ++sequence) {
    const std::size_t size = 1 + random() % 24;
    const auto ranges = [&] {  // one or several; now and then all or none
      Flags chosen(size);
      const std::vector<ByteRange> all{{0, size}};
      for (auto n = random() % 5; n-- > 0;) {
        const auto [low, high] = std::minmax({random() % (size + 1), random() % (size + 1)});
        chosen.set({{low, high}}, true);
      }
      if (random() % 8 == 0) chosen.set(all, true);
      return chosen.ranges(all, true);
    };
    ByteRanges set(size);
    Flags flags(size);
    for (int step = 0; step < 40; ++step) {
      const auto changed = ranges();
      const bool add = random() % 2 == 0;
      add ? set.add(changed) : set.remove(changed);
      flags.set(changed, add);

      const auto asked = ranges();
      ASSERT_EQ(set.present(asked), flags.ranges(asked, true));
      ASSERT_EQ(set.missing(asked), flags.ranges(asked, false));
      ASSERT_EQ(set.contains(asked), flags.ranges(asked, false).empty());
      ASSERT_EQ(set.touches(asked), !flags.ranges(asked, true).empty());
      ASSERT_EQ(set.all(), flags.ranges({{0, size}}, false).empty());
      ASSERT_EQ(set.none(), flags.ranges({{0, size}}, true).empty());
    }
  }
}

}  // namespace kolam::byte_ranges_test
