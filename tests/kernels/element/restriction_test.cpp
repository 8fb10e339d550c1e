// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>
#include <kolam/kernels/element/restriction.hpp>
#include <kolam/testing/backends.hpp>
#include <kolam/testing/element_reference.hpp>
#include <kolam/testing/matchers.hpp>
#include <set>

namespace kolam::testing {
namespace {

using ::testing::HasSubstr;

template <class Exec>
class Restriction : public ::testing::Test {};
TYPED_TEST_SUITE(Restriction, ExecutionSpaces, ExecutionSpaceNames);

TYPED_TEST(Restriction, KeepsEveryNodeOnceAndPadsWithNone) {
  using Exec = TypeParam;
  for (const int dims : {2, 3}) {
    for (const index_t elements : {0, 1, 40, 257}) {
      const RandomElements all(dims, 3, elements, 2);
      const auto map =
          element_restriction<float>(Exec{}, dims, 3, elements, all.entries, EntryOf<Exec>(all));
      std::vector<int> found = to_host(map.map);
      for (index_t e = 0; e < elements; ++e) {
        for (int i = 0; i < all.nodes; ++i) {
          int& entry = found[static_cast<std::size_t>(map.layout.node(e, i))];
          ASSERT_EQ(entry, all.map[static_cast<std::size_t>(e * all.nodes + i)]);
          entry = -1;
        }
      }
      EXPECT_TRUE(std::all_of(found.begin(), found.end(), [](int entry) { return entry == -1; }));
    }
  }
}

struct Wrong {
  KOKKOS_FUNCTION index_t operator()(index_t e, int i) const {
    return e == 2 && i > 4 ? 100 + i : 1;
  }
};

TYPED_TEST(Restriction, RefusesWhatIsNoMap) {
  const TypeParam exec{};
  const auto error = [&](int dims, int d1d, index_t elements, index_t entries) {
    return error_of<InvalidArgument>([&] {
      static_cast<void>(element_restriction<double>(exec, dims, d1d, elements, entries, Wrong{}));
    });
  };
  EXPECT_THAT(error(2, 3, 4, 50),
              HasSubstr("node 5 of element 2 is entry 105 of a vector that has 50"));
  EXPECT_THAT(error(4, 3, 4, 50), HasSubstr("4 dimensions"));
  EXPECT_THAT(error(2, 1, 4, 50), HasSubstr("1 nodes in a direction"));
  EXPECT_THAT(error(2, 3, -4, 50), HasSubstr("-4 elements"));
  EXPECT_THAT(error(2, 3, 4, -1), HasSubstr("-1 entries"));
  EXPECT_THAT(error(2, 3, 4, index_t{1} << 31), HasSubstr("at most 2^31 - 1"));
}

TYPED_TEST(Restriction, KnowsThePlacesOfEveryEntryInOrder) {
  using Exec = TypeParam;
  if constexpr (has_block_threads<Exec>) {
    const RandomElements all(2, 3, 61, 2);
    const auto map = element_restriction<double>(Exec{}, 2, 3, all.elements, all.entries,
                                                 EntryOf<Exec>(all), Scatter::deterministic);
    const std::vector<int> entries = to_host(map.map);
    const std::vector<index_t> first = to_host(map.transpose.first);
    const std::vector<index_t> places = to_host(map.transpose.nodes);
    ASSERT_EQ(first.front(), 0);
    ASSERT_EQ(first.back(), static_cast<index_t>(places.size()));
    index_t nodes = 0;
    for (std::size_t entry = 0; entry + 1 < first.size(); ++entry) {
      for (index_t i = first[entry]; i < first[entry + 1]; ++i, ++nodes) {
        const auto place = static_cast<std::size_t>(i);
        ASSERT_EQ(entries[static_cast<std::size_t>(places[place])], static_cast<int>(entry));
        if (i > first[entry]) {
          ASSERT_LT(places[place - 1], places[place]);
        }
      }
    }
    EXPECT_EQ(nodes, std::count_if(entries.begin(), entries.end(), [](int e) { return e >= 0; }));
  }
}

// Every chunk has one colour, no entry is in two chunks of a colour, and exactly the chunks of the
// first colours contain shared entries.
void expect_good_colours(const kolam::detail::ElementColours& colours, const std::vector<int>& map,
                         index_t groups, index_t group_size, const std::vector<char>& shared) {
  const index_t count = (groups + colours.chunk - 1) / colours.chunk;
  std::set<index_t> seen;
  for (std::size_t c = 0; c + 1 < colours.first.size(); ++c) {
    std::set<int> taken;
    for (index_t n = colours.first[c]; n < colours.first[c + 1]; ++n) {
      const index_t chunk = colours.chunks(static_cast<std::size_t>(n));
      ASSERT_TRUE(seen.insert(chunk).second);
      std::set<int> mine;
      const index_t end = std::min(groups, (chunk + 1) * colours.chunk) * group_size;
      for (index_t i = chunk * colours.chunk * group_size; i < end; ++i)
        if (map[static_cast<std::size_t>(i)] >= 0) mine.insert(map[static_cast<std::size_t>(i)]);
      for (const int entry : mine) ASSERT_TRUE(taken.insert(entry).second) << "entry " << entry;
      const bool has_shared = std::any_of(mine.begin(), mine.end(), [&](int entry) {
        return shared[static_cast<std::size_t>(entry)] != 0;
      });
      ASSERT_EQ(has_shared, c < colours.with_shared) << "chunk " << chunk << " of colour " << c;
    }
  }
  EXPECT_EQ(static_cast<index_t>(seen.size()), count);
}
void expect_good_colours(const std::vector<int>& map, index_t groups, index_t group_size,
                         index_t entries) {
  kolam::detail::ElementColours colours =
      kolam::detail::colour_elements(map.data(), groups, group_size, entries);
  std::vector<char> shared(static_cast<std::size_t>(entries), 0);
  expect_good_colours(colours, map, groups, group_size, shared);
  for (const index_t step : {entries, index_t{17}, index_t{1}}) {
    for (index_t entry = 0; entry < entries; entry += step)
      shared[static_cast<std::size_t>(entry)] = 1;
    kolam::detail::put_shared_first(colours, map.data(), groups, group_size, shared);
    expect_good_colours(colours, map, groups, group_size, shared);
  }
}

TEST(ElementColours, KeepThoseApartThatShareAnEntry) {
  for (const index_t elements : {1, 30, 3000}) {
    const RandomElements all(2, 2, elements, 4);
    expect_good_colours(all.map, elements, all.nodes, all.entries);
    // A row: each element shares an entry with each neighbour.
    std::vector<int> row;
    for (int e = 0; e < elements; ++e) row.insert(row.end(), {e, e + 1});
    expect_good_colours(row, elements, 2, elements + 1);
    EXPECT_LE(kolam::detail::colour_elements(row.data(), elements, 2, elements + 1).first.size(),
              3U);
  }
}

TEST(ElementColours, LetThoseRunAloneThatAllShareOneEntry) {
  expect_good_colours(std::vector<int>(200, 0), 200, 1, 1);
}

}  // namespace
}  // namespace kolam::testing
