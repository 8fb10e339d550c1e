// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <kolam/memory/detail/section.hpp>
#include <vector>

namespace kolam::section_test {

using detail::ByteRange;
using detail::Section;
using Kokkos::LayoutLeft;
using Kokkos::LayoutStride;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Section, OfAdjacentValuesIsOneRange) {
  const Section<3, LayoutLeft> section{5, {2, 3, 4}, {}};
  EXPECT_EQ(section.size(), 24);
  EXPECT_EQ(section.stride(0), 1);
  EXPECT_EQ(section.stride(2), 6);
  EXPECT_THAT(section.bytes(8), ElementsAre(ByteRange{40, 232}));
}

TEST(Section, OfABoxIsARangeForEachColumn) {
  const Section<2, LayoutStride> box{7, {2, 3}, {1, 5}};
  EXPECT_EQ(box.size(), 6);
  EXPECT_THAT(box.bytes(4), ElementsAre(ByteRange{28, 36}, ByteRange{48, 56}, ByteRange{68, 76}));
}

TEST(Section, JoinsColumnsThatTouch) {
  const Section<2, LayoutStride> whole{0, {5, 3}, {1, 5}};
  EXPECT_THAT(whole.bytes(2), ElementsAre(ByteRange{0, 30}));
  const Section<1, LayoutStride> dense{3, {4}, {1}};
  EXPECT_THAT(dense.bytes(8), ElementsAre(ByteRange{24, 56}));
  const Section<3, LayoutStride> planes{0, {5, 2, 2}, {1, 5, 15}};
  EXPECT_THAT(planes.bytes(1), ElementsAre(ByteRange{0, 10}, ByteRange{15, 25}));
}

TEST(Section, OfValuesApartIsARangeForEach) {
  const Section<1, LayoutStride> third{1, {3}, {3}};
  EXPECT_THAT(third.bytes(2), ElementsAre(ByteRange{2, 4}, ByteRange{8, 10}, ByteRange{14, 16}));
  const Section<2, LayoutStride> both{0, {2, 2}, {2, 10}};
  EXPECT_THAT(both.bytes(1),
              ElementsAre(ByteRange{0, 1}, ByteRange{2, 3}, ByteRange{10, 11}, ByteRange{12, 13}));
}

TEST(Section, OfNoValuesHasNoBytes) {
  EXPECT_THAT((Section<2, LayoutStride>{4, {0, 3}, {1, 5}}.bytes(8)), IsEmpty());
  EXPECT_EQ((Section<2, LayoutLeft>{4, {0, 3}, {}}.bytes(8)[0].size()), 0U);
  EXPECT_EQ((Section<1, LayoutLeft>{}.size()), 0);
}

TEST(Section, ViewsLookAtItsValues) {
  std::vector<int> values(20);
  for (int i = 0; i < 20; ++i) values[static_cast<std::size_t>(i)] = i;
  const Section<2, LayoutStride> box{7, {2, 3}, {1, 5}};
  const auto x = box.view<const int, Kokkos::HostSpace>(values.data());
  EXPECT_EQ(x.extent(1), 3U);
  EXPECT_EQ(x(0, 0), 7);
  EXPECT_EQ(x(1, 2), 18);
  const Section<2, LayoutLeft> table{2, {3, 4}, {}};
  EXPECT_EQ((table.view<int, Kokkos::HostSpace>(values.data())(1, 2)), 9);
  EXPECT_EQ((table.view_at<int, Kokkos::HostSpace>(values.data())(1, 2)), 7);
  EXPECT_EQ((table.view<int, Kokkos::HostSpace>(nullptr).data()), nullptr);
}

}  // namespace kolam::section_test
