// SPDX-License-Identifier: Apache-2.0
// Views that outlive their values, and the event that a report blames.
#include <sys/wait.h>
#include <unistd.h>

#include <kolam/memory/array.hpp>
#include <kolam/memory/deep_copy.hpp>
#include <memory>
#include <utility>
#include <vector>

#include "strict_reports.hpp"

namespace kolam::strict_test {

using StrictLifetimeDeathTest = StrictTest;

KOLAM_FRAME void look(const double* values, int i) { sink = values[i]; }
KOLAM_FRAME void put(double* values, int i) { values[i] = 3; }
KOLAM_FRAME const double* view_on_host(Array<double>& u) { return u.read(host).data(); }
KOLAM_FRAME void free_array(std::unique_ptr<Array<double>>& u) { u.reset(); }

KOLAM_FRAME void use_after_free() {
  auto u = std::make_unique<Array<double>>(strict_array());
  fill(u->write(host), 1);
  const double* const kept = view_on_host(*u);
  free_array(u);
  look(kept, 5);
}

TEST_F(StrictLifetimeDeathTest, UseAfterFreeIsCaught) {
  EXPECT_MISUSE(
      use_after_free(),
      "kolam: array 'u': a read of value 5 (bytes 40 to 48) on the host after the array was freed\n"
      "  freed by\n"
      "    free_array(std::unique_ptr<kolam::Array<double, 1, Kokkos::LayoutLeft>, "
      "std::default_delete<kolam::Array<double, 1, Kokkos::LayoutLeft> > >&)\n"
      "    use_after_free()\n"
      "  the View was taken by read(host) of bytes 0 to 800 at strict_lifetime_test.cpp\n"
      "    view_on_host(kolam::Array<double, 1, Kokkos::LayoutLeft>&)\n"
      "    use_after_free()\n"
      "  by\n"
      "    look(double const*, int)\n"
      "    use_after_free()\n"
      "  keep the array as long as its Views are used\n");
}

KOLAM_FRAME void use_after_resize() {
  auto u = strict_array();
  double* const kept = u.write(host).data();
  resize(u, 50);
  put(kept, 5);
}

TEST_F(StrictLifetimeDeathTest, UseAfterResizeIsCaught) {
  EXPECT_DEATH(
      use_after_resize(),
      ResultOf(report_in,
               AllOf(HasSubstr("a write to value 5 (bytes 40 to 48) on the host after the array "
                               "was resized\n  resized at strict_lifetime_test.cpp\n"
                               "    use_after_resize()\n  the View was taken by write(host)"),
                     HasSubstr("  take read_write(host) again, after that, and use its View\n"))));
}

KOLAM_FRAME void use_after_discard() {
  auto u = strict_array();
  fill(u.write(host), 1);
  const double* const kept = view_on_host(u);
  fill(u.write(device), 2);
  u.discard(host);
  look(kept, 5);
}

TEST_F(StrictLifetimeDeathTest, UseAfterDiscardIsCaught) {
  EXPECT_DEATH(use_after_discard(),
               ResultOf(report_in, HasSubstr("after the array was discarded\n  discarded at "
                                             "strict_lifetime_test.cpp\n    use_after_discard()")));
}

KOLAM_FRAME void use_a_replaced_array() {
  auto u = strict_array();
  double* const kept = u.write(host).data();
  u = Array<double>("v", 100);
  static_cast<void>(u.write(host));
  put(kept, 5);
}

TEST_F(StrictLifetimeDeathTest, UseOfAReplacedArrayIsCaught) {
  EXPECT_DEATH(use_a_replaced_array(),
               ResultOf(report_in, HasSubstr("array 'u': a write to value 5 (bytes 40 to 48) on "
                                             "the host after the array was replaced by another")));
}

KOLAM_FRAME void use_a_view_of_long_ago(int rounds) {
  emulate(Emulation::strict);
  const double* kept = nullptr;
  {
    Array<double> old("old", 100);
    fill(old.write(host), 1);
    kept = view_on_host(old);
  }
  auto u = strict_array();  // its windows must not reuse those addresses
  for (int i = 0; i < rounds; ++i) {
    fill(u.write(device), 2);
    fill(u.write(host), 1);
  }
  look(kept, 5);
}

TEST_F(StrictLifetimeDeathTest, AViewIsRecognisedAfterManyRounds) {
  EXPECT_DEATH(use_a_view_of_long_ago(1000),
               ResultOf(report_in, HasSubstr("array 'old': a read of value 5 (bytes 40 to 48) on "
                                             "the host after the array was freed\n")));
}

KOLAM_FRAME void write_evens(Array<double>& u) {
  auto evens = u.alias({0, 100}, 2);
  fill(evens.write(device), 2);
}
KOLAM_FRAME void write_odds(Array<double>& u) {
  auto odds = u.alias({1, 100}, 2);
  fill(odds.write(device), 3);
}

KOLAM_FRAME void read_an_even_value() {
  auto u = strict_array();
  fill(u.write(host), 1);
  const double* const kept = view_on_host(u);
  write_evens(u);
  write_odds(u);  // its hull contains the even values
  look(kept, 6);
}

TEST_F(StrictLifetimeDeathTest, BlameIsByExactRanges) {
  EXPECT_DEATH(read_an_even_value(),
               ResultOf(report_in, HasSubstr("  since write(device) of bytes 48 to 56, one of 50 "
                                             "ranges, at strict_lifetime_test.cpp\n"
                                             "    write_evens(")));
}

KOLAM_FRAME void write_one(Array<double>& u) { fill(u.write(device, {7, 8}), 2); }

KOLAM_FRAME void read_what_one_write_made_stale() {
  auto u = strict_array();
  fill(u.write(host), 1);
  const double* const kept = view_on_host(u);
  write_one(u);
  auto rest = u.alias({50, 100});
  for (int i = 0; i < 100; ++i) fill(rest.write(device), 3);
  look(kept, 7);
}

TEST_F(StrictLifetimeDeathTest, AnEventIsRememberedAsLongAsItMatters) {
  EXPECT_DEATH(read_what_one_write_made_stale(),
               ResultOf(report_in, HasSubstr("  since write(device) of bytes 56 to 64 at "
                                             "strict_lifetime_test.cpp\n    write_one(")));
}

KOLAM_FRAME void read_through_an_alias() {
  auto u = strict_array();
  fill(u.write(host), 1);
  auto part = u.alias({40, 60});
  const double* const kept = view_on_host(part);
  write_evens(u);
  write_one(u);
  look(kept, 2);
}

TEST_F(StrictLifetimeDeathTest, TheReportOfAnAliasNamesTheWriteThatMatters) {
  EXPECT_DEATH(read_through_an_alias(),
               ResultOf(report_in, AllOf(HasSubstr("a read of value 42 (bytes 336 to 344)"),
                                         HasSubstr("  since write(device) of bytes 336 to 344, "
                                                   "one of 50 ranges, at"))));
}

// As with any memory, the child has its own copy of the values.
TEST_F(StrictLifetimeDeathTest, AChildOfForkDoesNotWriteIntoItsParent) {
  auto u = strict_array();
  fill(u.write(host), 1);
  auto x = u.read_write(host);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const bool had = x(3) == 1;
    x(3) = 7;
    u.read_write(host)(4) = 8;
    _exit(had && u.read(host)(3) == 7 ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_EQ(x(3), 1);
  EXPECT_EQ(u.read(host)(4), 1);
  x(3) = 2;  // the child has ended and cannot see this
  EXPECT_EQ(u.read(host)(3), 2);
}

KOLAM_FRAME void misuse_in_a_child() {
  auto u = strict_array();
  double* const kept = u.write(host).data();
  const pid_t child = fork();
  if (child == 0) {
    static_cast<void>(u.read(device));
    put(kept, 1);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (status != 0) std::abort();  // (under a sanitizer the child ends with an exit code)
}

TEST_F(StrictLifetimeDeathTest, MisuseInAChildOfForkIsCaught) {
  EXPECT_DEATH(misuse_in_a_child(), HasSubstr("a write to value 1 (bytes 8 to 16) on the host"));
}

#ifdef __x86_64__

// Each value is on another page: protecting each separately would take more memory maps than a
// process may have.
constexpr index_t stretches = 33000;
constexpr index_t apart = 1024;  // two pages

KOLAM_FRAME void write_between_many_stretches(bool wrongly) {
  auto u = strict_array(stretches * apart);
  double* const values = u.write(host).data();
  values[0] = 1;
  auto some = u.alias({0, stretches * apart}, apart);
  static_cast<void>(some.write(device));
  for (index_t i = 0; i < stretches; i += 500) {
    values[i * apart + 1] = 1;
    values[i * apart + apart / 2] = 1;
  }
  if (wrongly) put(values, 700 * apart);
}

TEST_F(StrictLifetimeDeathTest, LegalWritesBetweenManyStretchesPass) {
  write_between_many_stretches(false);
  EXPECT_DEATH(write_between_many_stretches(true),
               ResultOf(report_in, HasSubstr("a write to value 716800 (bytes 5734400 to 5734408) "
                                             "on the host, which is stale there")));
}

#endif

// Creates arrays until the process has no more memory maps; the error names the limit.
TEST_F(StrictLifetimeDeathTest, TheLimitOfMapsIsNamed) {
  if (kolam::detail::thread_sanitized)
    GTEST_SKIP() << "the thread sanitizer keeps maps of its own for memory that is gone";
  std::size_t most = 0;
  {
    std::FILE* const file = std::fopen("/proc/sys/vm/max_map_count", "r");
    ASSERT_NE(file, nullptr);
    ASSERT_EQ(std::fscanf(file, "%zu", &most), 1);
    static_cast<void>(std::fclose(file));
  }
  if (most > 100'000) GTEST_SKIP() << most << " maps take long to use up";
  emulate(Emulation::strict);
  std::vector<Array<double>> arrays;
  std::string error;
  try {
    for (std::size_t i = 0; i < most; ++i) {
      arrays.emplace_back("u", 10);
      arrays.back().write(host)(0) = 1;
      static_cast<void>(arrays.back().read(device, {0, 1}));
    }
  } catch (const OutOfMemory& e) {
    error = e.what();
  }
  EXPECT_GT(arrays.size(), most / 8);
  EXPECT_THAT(error, AllOf(HasSubstr("array 'u'"), HasSubstr("vm.max_map_count"),
                           HasSubstr(std::to_string(most)), HasSubstr("KOLAM_EMULATE_DEVICE=1")));
  EXPECT_EQ(arrays[0].read(host)(0), 1);
  arrays.resize(arrays.size() / 2);
  auto u = strict_array();
  fill(u.write(device), 2);
  EXPECT_EQ(u.read(host)(99), 2);
}

}  // namespace kolam::strict_test
