// SPDX-License-Identifier: Apache-2.0
// Writes that no intent allows, while an allowed instruction is let through to the same page.
#include <kolam/memory/array.hpp>

#include "strict_reports.hpp"

#ifdef __x86_64__
#include <emmintrin.h>

#include <atomic>
#include <thread>

namespace kolam::strict_test {

using StrictStepsDeathTest = StrictTest;

KOLAM_FRAME void set_one(double* values, int i) { values[i] = 1; }

// Another thread repeatedly writes or reads value 300. Each access is allowed and let through.
template <class F>
void while_another_steps(double* values, bool writes, const F& work) {
  std::atomic<bool> stop{false};
  std::atomic<bool> runs{false};
  std::thread other([&] {
    while (!stop) {
      if (writes) {
        values[300] = 1;
      } else {
        sink = values[300];
      }
      runs = true;
    }
  });
  while (!runs) std::this_thread::yield();
  work();
  stop = true;
  other.join();
}

KOLAM_FRAME void write_while_another_steps(bool writes) {
  auto u = strict_array(512);
  double* const values = u.write(host).data();
  set_one(values, 300);
  fill(u.write(device, {0, 256}), 2);
  while_another_steps(values, writes, [&] { set_one(values, 3); });
  std::_Exit(0);
}

TEST_F(StrictStepsDeathTest, AForbiddenWriteIsCaughtWhileAnotherThreadStepsThroughThePage) {
  if (kolam::detail::thread_sanitized)
    GTEST_SKIP() << "steps take minutes under the thread sanitizer";
  for (int i = 0; i < 20; ++i) {
    EXPECT_DEATH(
        write_while_another_steps(i % 2 == 0),
        ResultOf(report_in, AllOf(HasSubstr("kolam: array 'u': a write to value 3 (bytes 24 to 32) "
                                            "on the host, which is stale there\n"
                                            "  since write(device) of bytes 0 to 2048 at "
                                            "strict_steps_test.cpp\n"),
                                  HasSubstr("  the View was taken by write(host) of bytes 0 to "
                                            "4096 at strict_steps_test.cpp\n"))));
  }
}

KOLAM_FRAME void set_two(double* values) { _mm_storeu_pd(values, _mm_set1_pd(2)); }

KOLAM_FRAME void write_more_than_is_allowed() {
  auto u = strict_array();
  fill(u.write(host), 1);
  double* const values = u.read_write(host).data();
  auto one = u.alias({7, 8});
  fill(one.write(device), 3);
  set_two(values + 4);
  set_two(values + 6);
}

TEST_F(StrictStepsDeathTest, AWideWriteIsCaughtPastTheFirstOfItsValues) {
  EXPECT_MISUSE(
      write_more_than_is_allowed(),
      "kolam: array 'u': a write to value 7 (bytes 56 to 64) on the host, which is stale there\n"
      "  since write(device) of bytes 56 to 64 at strict_steps_test.cpp\n"
      "    write_more_than_is_allowed()\n"
      "  the View was taken by read_write(host) of bytes 0 to 800 at strict_steps_test.cpp\n"
      "    write_more_than_is_allowed()\n"
      "  by this instruction, which was let through for values that may be written, or by another "
      "thread at that moment\n"
      "    set_two(double*)\n"
      "    write_more_than_is_allowed()\n"
      "  take read_write(host) again, after that, and use its View\n");
}

// Intents, copies and other Views that change values on the page are not misuse.
TEST_F(StrictStepsDeathTest, IntentsAndCopiesBesideAStepAreNoMisuse) {
  if (kolam::detail::thread_sanitized)
    GTEST_SKIP() << "steps take minutes under the thread sanitizer";
  auto u = strict_array(512);
  fill(u.write(host), 0);
  double* const values = u.read_write(host).data();
  fill(u.write(device, {0, 256}), 1);
  constexpr int rounds = 100;
  double sum = 0;
  while_another_steps(values, true, [&] {
    for (int i = 0; i < rounds; ++i) {
      fill(u.write(device, {0, 256}), i);
      sum += u.read(host, {0, 256})(7);
      u.write(host, {0, 4})(3) = -1;
    }
  });
  EXPECT_EQ(sum, (rounds - 1) * rounds / 2);
  EXPECT_EQ(u.read(host)(300), 1);
  EXPECT_EQ(u.read(host)(3), -1);
}

TEST_F(StrictStepsDeathTest, WritesByHandBesideAStepAreNoMisuse) {
  auto u = strict_array(512);
  fill(u.write(host), 0);
  double* const values = u.read_write(host).data();
  fill(u.write(device, {0, 256}), 1);
  const auto by_hand = u.mirror(host);
  while_another_steps(values, true, [&] {
    for (int i = 0; i < 100'000; ++i) by_hand(3) = i;
  });
  EXPECT_EQ(u.read(host)(300), 1);
}

}  // namespace kolam::strict_test

#endif
