// SPDX-License-Identifier: Apache-2.0
// A shortcut that is read while another thread changes it never mixes two states.
#include <gtest/gtest.h>

#include <atomic>
#include <kolam/memory/detail/shortcut.hpp>
#include <thread>

namespace kolam::detail {

constexpr auto alone_hold = [](const Permit& it) { return it.bytes.size() <= 8; };

class ShortcutTest : public ::testing::Test {
 protected:
  void permit(const void* user, bool writes, ByteRange bytes) {
    const Permit it{user, writes, bytes};
    shortcut.update_parts(&it, alone_hold);
  }

  Shortcut shortcut;
  const int users[2]{};
};

TEST_F(ShortcutTest, AdmitsNobodyAtFirst) {
  EXPECT_FALSE(shortcut.admits(nullptr, false));
  EXPECT_FALSE(shortcut.admits(nullptr, true));
  EXPECT_FALSE(shortcut.admits({nullptr, false, {0, 0}}));
}

TEST_F(ShortcutTest, AdmitsPartsOfAPermitToTheSameUser) {
  permit(&users[0], false, {8, 16});
  EXPECT_TRUE(shortcut.admits({&users[0], false, {8, 16}}));
  EXPECT_TRUE(shortcut.admits({&users[0], false, {9, 10}}));
  EXPECT_FALSE(shortcut.admits({&users[0], false, {7, 10}}));
  EXPECT_FALSE(shortcut.admits({&users[0], false, {9, 17}}));
  EXPECT_FALSE(shortcut.admits({&users[0], true, {8, 16}}));
  EXPECT_FALSE(shortcut.admits({&users[1], false, {8, 16}}));
  EXPECT_FALSE(shortcut.admits(&users[0], false)) << "that is of any bytes";
}

TEST_F(ShortcutTest, KeepsTheFourLastOnes) {
  for (std::size_t i = 0; i < 5; ++i) permit(nullptr, true, {10 * i, 10 * i + 8});
  EXPECT_FALSE(shortcut.admits({nullptr, true, {0, 8}}));
  for (std::size_t i = 1; i < 5; ++i) {
    EXPECT_TRUE(shortcut.admits({nullptr, true, {10 * i, 10 * i + 8}})) << i;
  }
}

TEST_F(ShortcutTest, JoinsOnlyWhatHoldsTogether) {
  permit(nullptr, false, {0, 4});
  permit(nullptr, false, {4, 8});
  EXPECT_TRUE(shortcut.admits({nullptr, false, {0, 8}}));
  permit(nullptr, false, {8, 12});
  EXPECT_FALSE(shortcut.admits({nullptr, false, {0, 12}}));
  permit(&users[0], false, {12, 16});
  EXPECT_FALSE(shortcut.admits({&users[0], false, {8, 16}}));
}

TEST_F(ShortcutTest, ForgetsWhatNoLongerHolds) {
  permit(nullptr, false, {0, 4});
  permit(&users[0], false, {4, 8});
  shortcut.update_parts(nullptr, [](const Permit& it) { return it.user != nullptr; });
  EXPECT_FALSE(shortcut.admits({nullptr, false, {0, 4}}));
  EXPECT_TRUE(shortcut.admits({&users[0], false, {4, 8}}));
}

// One thread permits either [0, 8) to the first user or [8, 16) to the second, no other pair.
TEST_F(ShortcutTest, IsReadWholeWhileItChanges) {
  std::atomic<bool> goes_on{true};
  std::thread changes([&] {
    for (std::size_t i = 0; goes_on; i = 1 - i) {
      const Permit it{&users[i], false, {8 * i, 8 * i + 8}};
      shortcut.update_parts(&it, [&](const Permit& part) { return part.user == it.user; });
    }
  });
  int right = 0;
  int wrong = 0;
  for (int i = 0; i < 10'000'000 || right == 0; ++i) {
    right += shortcut.admits({&users[i % 2], false, {i % 2 * 8U, i % 2 * 8U + 8}}) ? 1 : 0;
    wrong += shortcut.admits({&users[i % 2], false, {8 - i % 2 * 8U, 16 - i % 2 * 8U}}) ? 1 : 0;
  }
  goes_on = false;
  changes.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace kolam::detail
