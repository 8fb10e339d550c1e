// SPDX-License-Identifier: Apache-2.0
// Many host threads use aliases of one array. The thread sanitizer reports what is wrong.
#include <gmock/gmock.h>

#include <array>
#include <atomic>
#include <kolam/memory/array.hpp>
#include <thread>
#include <vector>

#include "array_operations.hpp"

namespace kolam::array_test {

// (Plain loops on the host: the test has enough threads of its own.)
template <class View, class T>
void set_all(const View& x, T value) {
  const auto n = static_cast<index_t>(x.size());
  if constexpr (Kokkos::SpaceAccessibility<Kokkos::HostSpace,
                                           typename View::memory_space>::accessible) {
    for (index_t i = 0; i < n; ++i) x(i) = value;
  } else {
    forall(Exec{}, "fill", n, Set<View, T>{x, value});
  }
}
template <class View>
bool all_are(const View& x, int value) {
  for (std::size_t i = 0; i < x.extent(0); ++i) {
    if (x(i) != value) return false;
  }
  return true;
}

constexpr int threads = 8;
constexpr int rounds = 50;

template <class F>
void in_threads(F body) {
  std::vector<std::thread> started;
  for (int t = 0; t < threads; ++t) started.emplace_back(body, t);
  for (std::thread& thread : started) thread.join();
}

class Threads : public ::testing::TestWithParam<bool> {
 public:
  Threads() {
    if (one_memory) emulate(GetParam() ? Emulation::on : Emulation::off);
  }
  ~Threads() override { emulate(before_); }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;
  Threads(Threads&&) = delete;
  Threads& operator=(Threads&&) = delete;

 private:
  Emulation before_ = emulation();
};
INSTANTIATE_TEST_SUITE_P(Emulated, Threads, ::testing::Bool());

TEST_P(Threads, UseAliasesOfOneArray) {
  Array<int> all("all", 8 * 100);
  std::atomic<int> wrong = 0;
  std::vector<Array<int>> aliases;
  for (index_t t = 0; t < threads; ++t) aliases.push_back(all.alias({100 * t, 100 * (t + 1)}));
  in_threads([&](int t) {
    Array<int>& mine = aliases[static_cast<std::size_t>(t)];
    for (int round = 0; round < rounds; ++round) {
      const int value = 1000 * t + round;
      set_all(mine.write(device), value);
      if (!all_are(mine.read(host), value)) ++wrong;
      set_all(mine.read_write(host, {0, 50}), -value);
      static_cast<void>(mine.read(Exec{}));
      auto half = mine.alias({50, 100});
      set_all(half.read_write(Exec{}), -value);
      mine.sync(host);
      if (!all_are(mine.read(host), -value)) ++wrong;
    }
  });
  EXPECT_EQ(wrong, 0);
  for (int t = 0; t < threads; ++t) {
    EXPECT_TRUE(all_are(aliases[static_cast<std::size_t>(t)].read(host), -(1000 * t + 49)));
  }
}

TEST_P(Threads, ReadOneArray) {
  Array<int> all("all", 1000);
  set_all(all.write(host), 3);
  const Array<int>& shared = all;
  std::atomic<int> wrong = 0;
  in_threads([&](int t) {
    for (int round = 0; round < rounds; ++round) {
      if ((t + round) % 2 == 0) {
        static_cast<void>(shared.read(device));
      } else if (!all_are(shared.read(host), 3)) {
        ++wrong;
      }
      if (!shared.valid(host)) ++wrong;
      static_cast<void>(shared.transfers());
    }
  });
  EXPECT_EQ(wrong, 0);
  EXPECT_LE(all.transfers().copies(), 1U);
}

TEST_P(Threads, MakeAndDropArraysOfTheirOwn) {
  const std::uint64_t bytes = total_transfers().bytes;
  std::atomic<int> wrong = 0;
  in_threads([&](int t) {
    for (int round = 0; round < rounds; ++round) {
      Array<int> mine("made by a thread", 100 + t);
      set_all(mine.write(host), t);
      static_cast<void>(mine.read(device));
      mine.release(host);
      if (!all_are(mine.read(host), t)) ++wrong;
    }
  });
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(total_transfers().bytes, bytes);
}

}  // namespace kolam::array_test
