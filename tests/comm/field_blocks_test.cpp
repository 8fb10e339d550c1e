// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <kolam/comm/field_blocks.hpp>
#include <kolam/core/error.hpp>
#include <random>

namespace kolam {
namespace {

TEST(RequireTiling, TakesEveryDecomposition) {
  const Extents<2> plane{7, 5};
  const Extents<3> space{4, 3, 5};
  for (int p = 1; p <= 4; ++p) {
    for (int q = 1; q <= 3; ++q) {
      const comm::Decomposition<2> tiles(plane, {p, q});
      std::vector<Box<2>> boxes;
      for (int s = 0; s < tiles.subdomains(); ++s) boxes.push_back(tiles.own(s));
      EXPECT_NO_THROW(comm::require_tiling<2>("u", plane, boxes));
      const comm::Decomposition<3> blocks(space, {p, q, 2});
      std::vector<Box<3>> spatial;
      for (int s = 0; s < blocks.subdomains(); ++s) spatial.push_back(blocks.own(s));
      EXPECT_NO_THROW(comm::require_tiling<3>("u", space, spatial));
    }
  }
}

TEST(RequireTiling, RefusesGapsAndOverlaps) {
  const Extents<2> grid{4, 4};
  const Box<2> left{Range{0, 2}, Range{0, 4}}, right{Range{2, 4}, Range{0, 4}};
  const auto refused = [&](const std::vector<Box<2>>& boxes) {
    EXPECT_THROW(comm::require_tiling<2>("u", grid, boxes), InvalidArgument);
  };
  refused({});
  refused({left});
  refused({left, left});  // the right number of points, but an overlap and a gap
  refused({left, right, right});
  refused({left, {Range{2, 5}, Range{0, 4}}});
  refused({left, {Range{-1, 1}, Range{0, 4}}});
  refused({left, right, {Range{1, 1}, Range{0, 4}}});
  refused({{Range{0, 3}, Range{0, 4}}, {Range{1, 4}, Range{0, 4}}});
}

// The oracle counts the boxes at each point. Boxes are random; some sets tile the grid.
TEST(RequireTiling, AgreesWithCounting) {
  const auto seed = std::random_device{}();
  std::mt19937 random(seed);
  const Extents<3> grid{2, 2, 3};
  int tilings = 0;
  for (int round = 0; round < 3000; ++round) {
    const comm::Decomposition<3> d(
        grid, {1 + int(random() % 2), 1 + int(random() % 2), 1 + int(random() % 3)});
    std::vector<Box<3>> boxes;
    for (int s = 0; s < d.subdomains(); ++s) boxes.push_back(d.own(s));
    if (random() % 2 == 0) {
      Range& range = boxes[random() % boxes.size()][random() % 3];
      range.begin = std::max<index_t>(0, range.begin - index_t(random() % 2));
      if (range.end - range.begin > 1) range.end -= index_t(random() % 2);
    }
    if (random() % 4 == 0) boxes.push_back(boxes[random() % boxes.size()]);
    bool once = true;
    for (index_t z = 0; z < 3; ++z) {
      for (index_t y = 0; y < 2; ++y) {
        for (index_t x = 0; x < 2; ++x) {
          int holders = 0;
          for (const Box<3>& b : boxes) {
            holders += x >= b[0].begin && x < b[0].end && y >= b[1].begin && y < b[1].end &&
                       z >= b[2].begin && z < b[2].end;
          }
          once = once && holders == 1;
        }
      }
    }
    bool accepted = true;
    try {
      comm::require_tiling<3>("u", grid, boxes);
    } catch (const InvalidArgument&) {
      accepted = false;
    }
    ASSERT_EQ(accepted, once) << "seed " << seed << ", round " << round;
    tilings += once;
  }
  EXPECT_GT(tilings, 500);
}

TEST(RequireBlocks, RefusesNamesAndPitchesThatCannotBe) {
  const std::vector<float> memory(100);
  const Box<3> all{Range{0, 3}, Range{0, 2}, Range{0, 2}};
  const auto check = [&](const std::string& name, const float* data, comm::Pitches<3> pitches) {
    comm::require_blocks(comm::FieldBlocks<float, 3>{name, {{all, data, pitches}}});
  };
  EXPECT_NO_THROW(check("u", memory.data(), {3, 6}));
  EXPECT_NO_THROW(check("u", memory.data(), {5, 10}));
  EXPECT_NO_THROW(check("u", memory.data(), {5, 11}));
  for (const std::string& name : {std::string(), std::string("."), std::string("a/b"),
                                  std::string("a\0b", 3), std::string(256, 'n')}) {
    EXPECT_THROW(check(name, memory.data(), {3, 6}), InvalidArgument);
  }
  EXPECT_THROW(check("u", memory.data(), {2, 6}), InvalidArgument);
  EXPECT_THROW(check("u", memory.data(), {5, 9}), InvalidArgument);
  EXPECT_THROW(check("u", nullptr, {3, 6}), InvalidArgument);
}

TEST(Gather, PutsEveryBlockWhereItBelongs) {
  for (const Extents<3>& extents : {Extents<3>{7, 5, 1}, Extents<3>{4, 3, 5}}) {
    const comm::Decomposition<3> cut(extents, {3, 2, extents[2] > 1 ? 2 : 1});
    const index_t pitch = extents[0] + 3;
    const index_t layer = pitch * (extents[1] + 1);
    std::vector<float> memory(static_cast<std::size_t>(layer * extents[2]), -1);
    std::vector<comm::FieldBlock<float, 3>> blocks;
    for (int s = 0; s < cut.subdomains(); ++s) {
      const Box<3> box = cut.own(s);
      blocks.push_back({box,
                        memory.data() + box[0].begin + pitch * box[1].begin + layer * box[2].begin,
                        {pitch, layer}});
    }
    std::vector<float> expected;
    for (index_t z = 0; z < extents[2]; ++z) {
      for (index_t y = 0; y < extents[1]; ++y) {
        for (index_t x = 0; x < extents[0]; ++x) {
          expected.push_back(static_cast<float>(expected.size()));
          memory[static_cast<std::size_t>(x + pitch * y + layer * z)] = expected.back();
        }
      }
    }
    EXPECT_EQ(comm::gather(Communicator(), extents, blocks), expected);
  }
}

}  // namespace
}  // namespace kolam
