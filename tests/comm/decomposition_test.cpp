// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <kolam/comm/decomposition.hpp>
#include <kolam/core/error.hpp>
#include <kolam/testing/matchers.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kolam::decomposition_test {

using ::testing::AllOf;
using testing::error_of;
using ::testing::HasSubstr;

std::string refusal_of(std::string_view text, const Extents<2>& extents, std::optional<int> count) {
  return error_of<InvalidArgument>(
      [&] { static_cast<void>(comm::parse_decomposition<2>(text, extents, count)); });
}

TEST(ParseDecomposition, TakesNumbers) {
  EXPECT_EQ(comm::parse_decomposition<2>("2x3", {10, 10}, std::nullopt), (comm::Parts<2>{2, 3}));
  EXPECT_EQ(comm::parse_decomposition<3>("1x12x3", {20, 20, 20}, 36), (comm::Parts<3>{1, 12, 3}));
}

TEST(ParseDecomposition, CutsTheSlowestDimensions) {
  EXPECT_EQ(comm::parse_decomposition<2>("stripes", {100, 100}, 6), (comm::Parts<2>{1, 6}));
  EXPECT_EQ(comm::parse_decomposition<2>("tiles", {100, 100}, 6), (comm::Parts<2>{2, 3}));
  EXPECT_EQ(comm::parse_decomposition<2>("tiles", {100, 100}, 7), (comm::Parts<2>{1, 7}));
  EXPECT_EQ(comm::parse_decomposition<2>("tiles", {1, 100}, 4), (comm::Parts<2>{1, 4}));
  EXPECT_EQ(comm::parse_decomposition<3>("slabs", {9, 9, 9}, 8), (comm::Parts<3>{1, 1, 8}));
  EXPECT_EQ(comm::parse_decomposition<3>("pencils", {9, 9, 9}, 8), (comm::Parts<3>{1, 2, 4}));
  EXPECT_EQ(comm::parse_decomposition<3>("blocks", {9, 9, 9}, 8), (comm::Parts<3>{2, 2, 2}));
}

TEST(ParseDecomposition, ByItselfHasTheSmallestSurface) {
  EXPECT_EQ(comm::parse_decomposition<2>("auto", {100, 100}, 4), (comm::Parts<2>{1, 4}))
      << "rows lie together";
  EXPECT_EQ(comm::parse_decomposition<2>("auto", {10, 1000}, 4), (comm::Parts<2>{1, 4}));
  EXPECT_EQ(comm::parse_decomposition<2>("auto", {1000, 10}, 4), (comm::Parts<2>{4, 1}));
  EXPECT_EQ(comm::parse_decomposition<2>("auto", {100, 100}, 100), (comm::Parts<2>{2, 50}))
      << "but not at any price";
  EXPECT_EQ(comm::parse_decomposition<3>("auto", {64, 64, 64}, 8), (comm::Parts<3>{1, 1, 8}));
  EXPECT_EQ(comm::parse_decomposition<3>("auto", {64, 64, 64}, 64), (comm::Parts<3>{1, 4, 16}));
  EXPECT_EQ(comm::parse_decomposition<3>("auto", {8, 8, 512}, 8), (comm::Parts<3>{1, 1, 8}));
  EXPECT_EQ(comm::parse_decomposition<2>("auto", {5, 5}, 1), (comm::Parts<2>{1, 1}));
}

TEST(ParseDecomposition, SaysWhatIsWrong) {
  EXPECT_THAT(refusal_of("hexagons", {10, 10}, 4),
              AllOf(HasSubstr("'hexagons'"), HasSubstr("auto, stripes, tiles or PxQ")));
  for (const char* text : {"", "2", "2x", "x2", "2x3x4", "2x-1", "0x3", "2x3 ", "9999999999x1"}) {
    EXPECT_THAT(refusal_of(text, {10, 10}, 4), HasSubstr("is unknown")) << text;
  }
  EXPECT_THAT(refusal_of("slabs", {10, 10}, 4), HasSubstr("is unknown")) << "of three dimensions";
  EXPECT_THAT(refusal_of("2x3", {10, 10}, 4),
              AllOf(HasSubstr("makes 6"), HasSubstr("4 are asked for")));
  EXPECT_THAT(refusal_of("2x11", {10, 10}, std::nullopt),
              AllOf(HasSubstr("11 parts along y, which is 10 long"), HasSubstr("1 to 10")));
  EXPECT_THAT(refusal_of("stripes", {100, 5}, 7),
              AllOf(HasSubstr("100 x 5 cannot"), HasSubstr("7 subdomains"), HasSubstr("fewer")));
  EXPECT_THAT(refusal_of("auto", {4, 5}, 21), HasSubstr("21 subdomains"));
  for (const auto count : {std::optional<int>(), std::optional<int>(0), std::optional<int>(-3)}) {
    EXPECT_THAT(refusal_of("auto", {4, 5}, count), HasSubstr("at least 1"));
  }
  EXPECT_THAT(refusal_of("65536x65536", {index_t{1} << 40, index_t{1} << 40}, std::nullopt),
              HasSubstr("fewer than 2^31"));
}

TEST(Decomposition, RefusesADimensionWithoutPoints) {
  EXPECT_THROW(comm::Decomposition<2>({0, 3}, {1, 1}), InvalidArgument);
  EXPECT_THROW(comm::Decomposition<3>({3, 3, 3}, {1, 0, 1}), InvalidArgument);
}

// Every point has one owner, and extents of parts differ by at most one point.
TEST(Decomposition, SharesAllPointsOutEvenly) {
  for (const comm::Parts<2>& parts : {comm::Parts<2>{1, 1}, {3, 2}, {7, 1}, {1, 5}, {4, 4}}) {
    for (const Extents<2>& extents : {Extents<2>{7, 5}, {16, 16}, {23, 101}}) {
      const comm::Decomposition<2> decomposition(extents, parts);
      std::vector<int> owners(static_cast<std::size_t>(extents[0] * extents[1]), 0);
      for (int s = 0; s < decomposition.subdomains(); ++s) {
        const Box<2> own = decomposition.own(s);
        for (std::size_t d = 0; d < 2; ++d) {
          const index_t points = own[d].end - own[d].begin;
          EXPECT_TRUE(points == extents[d] / parts[d] || points == extents[d] / parts[d] + 1);
        }
        for (index_t y = own[1].begin; y < own[1].end; ++y) {
          for (index_t x = own[0].begin; x < own[0].end; ++x) {
            ++owners[static_cast<std::size_t>(y * extents[0] + x)];
          }
        }
      }
      EXPECT_THAT(owners, ::testing::Each(1));
    }
  }
}

TEST(Decomposition, KnowsNeighboursAcrossPeriodicEnds) {
  const comm::Decomposition<2> d({12, 12}, {3, 2}, {false, true});
  EXPECT_EQ(d.neighbour(0, 0, 1), 1);
  EXPECT_EQ(d.neighbour(0, 0, -1), std::nullopt);
  EXPECT_EQ(d.neighbour(2, 0, 1), std::nullopt);
  EXPECT_EQ(d.neighbour(0, 1, 1), 3);
  EXPECT_EQ(d.neighbour(0, 1, -1), 3);
  const comm::Decomposition<3> alone({5, 5, 5}, {1, 1, 1}, {true, true, false});
  EXPECT_EQ(alone.neighbour(0, 0, 1), 0) << "its own neighbour";
  EXPECT_EQ(alone.neighbour(0, 2, 1), std::nullopt);
}

// Even points remain, each with its owner.
TEST(Decomposition, HasACoarserOne) {
  const comm::Decomposition<2> fine({11, 9}, {3, 2}, {true, false});  // x 0, 4, 8, 11; y 0, 5, 9
  const comm::Decomposition<2> coarse = fine.coarser({true, true});
  EXPECT_EQ(coarse.extents(), (Extents<2>{6, 5}));
  EXPECT_EQ(coarse.parts(), fine.parts());
  EXPECT_TRUE(coarse.periodic(0));
  const auto begins = [&](int subdomain) { return coarse.own(subdomain)[0].begin; };
  EXPECT_EQ((std::vector<index_t>{begins(0), begins(1), begins(2)}),
            (std::vector<index_t>{0, 2, 4}));
  EXPECT_EQ(coarse.own(2)[0].end, 6);
  EXPECT_EQ(coarse.own(3)[1].begin, 3);
  EXPECT_EQ(fine.coarser({false, true}).extents(), (Extents<2>{11, 5}));
}

TEST(Decomposition, IsNotCoarsenedToNothing) {
  const comm::Decomposition<2> thin({4, 3}, {1, 3});
  EXPECT_EQ(thin.coarser({true, false}).extents(), (Extents<2>{2, 3}));
  EXPECT_THAT(error_of<InvalidArgument>([&] { static_cast<void>(thin.coarser({true, true})); }),
              AllOf(HasSubstr("1x3"), HasSubstr("of 3 points along y"), HasSubstr("even index")));
}

TEST(LocalGrid, HasGhostsAroundItsOwnPoints) {
  const comm::Decomposition<2> d({10, 9}, {2, 3});
  const comm::LocalGrid<2> local(d, 3, 2);  // x 5..10, y 3..6
  EXPECT_EQ(local.extents(), (Extents<2>{9, 7}));
  const auto expect = [](const Box<2>& box, const std::vector<index_t>& ends) {
    EXPECT_EQ((std::vector<index_t>{box[0].begin, box[0].end, box[1].begin, box[1].end}), ends);
  };
  expect(local.own_global(), {5, 10, 3, 6});
  expect(local.own_local(), {2, 7, 2, 5});
  expect(local.shared_own(0, -1), {2, 4, 2, 5});
  expect(local.shared_own(0, 1), {5, 7, 2, 5});
  expect(local.shared_own(1, 1), {2, 7, 3, 5});
  expect(local.shared_own(1, 1, 1), {0, 9, 3, 5});
  expect(local.shared_ghost(0, -1), {0, 2, 2, 5});
  expect(local.shared_ghost(1, -1), {2, 7, 0, 2});
  expect(local.shared_ghost(1, 1, 1), {0, 9, 5, 7});
  EXPECT_EQ(size<2>(local.shared_own(1, 1)), 10);
  EXPECT_THROW(comm::LocalGrid<2>(d, 0, -1), InvalidArgument);
}

}  // namespace kolam::decomposition_test
