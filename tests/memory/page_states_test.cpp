// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <kolam/memory/detail/page_states.hpp>
#include <random>
#include <vector>

namespace kolam::detail {
namespace {

#ifdef __linux__

std::size_t count_changes(const std::vector<PageState>& states) {
  std::size_t sum = 0;
  for (std::size_t p = 1; p < states.size(); ++p) sum += states[p] != states[p - 1] ? 1U : 0U;
  return sum;
}

TEST(PageStates, CountsItsChangesHoweverTheyAreMade) {
  std::mt19937 random(7);
  const auto below = [&](std::size_t n) { return random() % n; };
  const auto any = [&] { return static_cast<PageState>(below(3)); };
  for (const std::size_t count : {1U, 2U, 3U, 20U}) {
    PageStates pages(count);
    std::vector<PageState> expected(count, PageState::closed);
    for (int step = 0; step < 200; ++step) {
      const std::size_t first = below(count);
      std::vector<PageState> states(1 + below(count - first));
      const bool alike = below(2) == 0;
      std::generate(states.begin(), states.end(), any);
      if (alike) std::fill(states.begin(), states.end(), states.front());
      const auto before = static_cast<std::ptrdiff_t>(pages.changes());
      const std::ptrdiff_t more = pages.changes_with(first, states);
      alike ? pages.set(first, states.size(), states.front()) : pages.set(first, states);
      std::copy(states.begin(), states.end(),
                expected.begin() + static_cast<std::ptrdiff_t>(first));

      EXPECT_EQ(pages.changes(), count_changes(expected));
      EXPECT_EQ(static_cast<std::ptrdiff_t>(pages.changes()), before + more);
      for (std::size_t p = 0; p < count; ++p) EXPECT_EQ(pages[p], expected[p]);
      const std::size_t end = pages.end_of_run(first);
      EXPECT_TRUE(std::all_of(expected.begin() + static_cast<std::ptrdiff_t>(first),
                              expected.begin() + static_cast<std::ptrdiff_t>(end),
                              [&](PageState s) { return s == expected[first]; }));
      EXPECT_TRUE(end == count || expected[end] != expected[first]);
      EXPECT_EQ(pages.have(PageState::open),
                std::count(expected.begin(), expected.end(), PageState::open) > 0);
    }
    pages.clear();
    EXPECT_TRUE(pages.empty());
    EXPECT_EQ(pages.changes(), 0U);
  }
}

#endif

}  // namespace
}  // namespace kolam::detail
