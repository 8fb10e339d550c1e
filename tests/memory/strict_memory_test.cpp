// SPDX-License-Identifier: Apache-2.0
// Misuse that strict emulation finds, and what it says. Each case runs in a process of its own.
#include <gmock/gmock.h>
#include <sys/mman.h>

#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <kolam/memory/array.hpp>
#include <kolam/memory/deep_copy.hpp>
#include <kolam/memory/emulation.hpp>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>

// Functions whose names the reports are to show: never inlined, nor replaced by a special copy.
#ifdef __clang__
#define KOLAM_FRAME [[gnu::noinline, clang::optnone]]
#else
#define KOLAM_FRAME [[gnu::noipa]]
#endif

namespace kolam::strict_memory_test {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::ResultOf;

volatile double sink = 0;

// The report alone, without addresses and lines of this file, and of its stacks only the frames of
// this test.
std::string report_in(const std::string& output) {
  std::istringstream lines(output);
  std::string report;
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    inside = inside || line.starts_with("kolam: array");
    if (!inside) continue;
    if (line.starts_with("    #") && (line.find("strict_memory_test::") == std::string::npos ||
                                      line.find("TestBody") != std::string::npos)) {
      continue;
    }
    line = std::regex_replace(line, std::regex(R"(#\d+ )"), "");
    line = std::regex_replace(line, std::regex(R"(\(\S+\+0x[0-9a-f]+\))"), "");
    line = std::regex_replace(line, std::regex(R"(\.cpp:\d+)"), ".cpp");
    line = std::regex_replace(line, std::regex("kolam::strict_memory_test::"), "");
    line = std::regex_replace(line, std::regex(" +$"), "");
    report += line + '\n';
    if (line.starts_with("  take") || line.starts_with("  check")) break;
  }
  return report;
}

class StrictMemoryDeathTest : public ::testing::Test {
 public:
  StrictMemoryDeathTest() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
  void SetUp() override {
    if (!one_memory) GTEST_SKIP() << "this build has a device";
#ifndef __linux__
    GTEST_SKIP() << "strict emulation needs Linux";
#endif
  }
};

template <class View>
void fill(const View& view, double value) {
  Kokkos::deep_copy(view, value);
}

Array<double> strict_array(index_t size = 100) {
  emulate(Emulation::strict);
  return Array<double>("u", size);
}

KOLAM_FRAME void fill_on_device(Array<double>& u) { fill(u.write(device), 2); }
KOLAM_FRAME void touch(const double* values, int i) { sink = values[i]; }
KOLAM_FRAME void change(double* values, int i) { values[i] = 3; }

#define EXPECT_MISUSE(statement, report) \
  EXPECT_DEATH(statement, ResultOf(report_in, ::testing::StrEq(report)))

KOLAM_FRAME void read_a_kept_pointer() {
  auto u = strict_array();
  fill(u.write(host), 1);
  const double* const kept = u.read(host).data();
  fill_on_device(u);
  touch(kept, 5);
}

TEST_F(StrictMemoryDeathTest, APointerKeptAcrossADeviceFillIsCaught) {  // 2
  EXPECT_MISUSE(
      read_a_kept_pointer(),
      "kolam: array 'u': a read of value 5 (bytes 40 to 48) on the host, which is stale there\n"
      "  since write(device) of bytes 0 to 800 at strict_memory_test.cpp\n"
      "    fill_on_device(kolam::Array<double, 1, Kokkos::LayoutLeft>&)\n"
      "    read_a_kept_pointer()\n"
      "  by\n"
      "    touch(double const*, int)\n"
      "    read_a_kept_pointer()\n"
      "  take read(host) again, after that, and use its View\n");
}

KOLAM_FRAME void read_one_stale_value() {
  auto u = strict_array();
  fill(u.write(host), 1);
  const double* const values = u.read(host).data();
  auto one = u.alias({7, 8});
  fill_on_device(one);
  for (int i = 0; i < 100; ++i) {
    if (i != 7) touch(values, i);
  }
  touch(values, 7);
}

#ifdef __x86_64__
TEST_F(StrictMemoryDeathTest, AnAliasOfOneValueIsCaughtAmongItsNeighbours) {
  EXPECT_MISUSE(
      read_one_stale_value(),
      "kolam: array 'u': a read of value 7 (bytes 56 to 64) on the host, which is stale there\n"
      "  since write(device) of bytes 56 to 64 at strict_memory_test.cpp\n"
      "    fill_on_device(kolam::Array<double, 1, Kokkos::LayoutLeft>&)\n"
      "    read_one_stale_value()\n"
      "  by\n"
      "    touch(double const*, int)\n"
      "    read_one_stale_value()\n"
      "  take read(host) again, after that, and use its View\n");
}
#endif

KOLAM_FRAME const double* read_on_host(Array<double>& u) { return u.read(host).data(); }

KOLAM_FRAME void write_what_is_only_read() {
  auto u = strict_array();
  fill_on_device(u);
  change(const_cast<double*>(read_on_host(u)), 3);
}

TEST_F(StrictMemoryDeathTest, WhatIsReadIsNotWritten) {
  EXPECT_MISUSE(
      write_what_is_only_read(),
      "kolam: array 'u': a write to value 3 (bytes 24 to 32) on the host, which no intent allows\n"
      "  the last one there is read(host) of bytes 0 to 800 at strict_memory_test.cpp\n"
      "    read_on_host(kolam::Array<double, 1, Kokkos::LayoutLeft>&)\n"
      "    write_what_is_only_read()\n"
      "  by\n"
      "    change(double*, int)\n"
      "    write_what_is_only_read()\n"
      "  take read_write(host) for it\n");
}

KOLAM_FRAME void use_an_old_view() {
  auto u = strict_array();
  fill(u.write(host), 1);
  const auto old_view = u.read(host);
  fill_on_device(u);
  const auto new_view = u.read(host);
  touch(new_view.data(), 4);  // the same value, by the View that holds
  touch(old_view.data(), 4);
}

TEST_F(StrictMemoryDeathTest, AViewKeptPastAConflictingIntentIsCaughtThoughTheValuesAreBack) {
  EXPECT_MISUSE(use_an_old_view(),
                "kolam: array 'u': a read of value 4 (bytes 32 to 40) on the host through a View "
                "that has lapsed\n"
                "  since write(device) of bytes 0 to 800 at strict_memory_test.cpp\n"
                "    fill_on_device(kolam::Array<double, 1, Kokkos::LayoutLeft>&)\n"
                "    use_an_old_view()\n"
                "  by\n"
                "    touch(double const*, int)\n"
                "    use_an_old_view()\n"
                "  take read(host) again, after that, and use its View\n");
}

KOLAM_FRAME void read_on_device(Array<double>& u) { static_cast<void>(u.read(device)); }

KOLAM_FRAME void write_too_late() {
  auto u = strict_array();
  double* const values = u.write(host).data();
  change(values, 0);
  read_on_device(u);
  touch(values, 0);  // still there to read
  change(values, 1);
}

TEST_F(StrictMemoryDeathTest, AWriteAfterTheOtherSideReadIsCaught) {
  EXPECT_MISUSE(write_too_late(),
                "kolam: array 'u': a write to value 1 (bytes 8 to 16) on the host through a View "
                "that has lapsed\n"
                "  since read(device) of bytes 0 to 800 at strict_memory_test.cpp\n"
                "    read_on_device(kolam::Array<double, 1, Kokkos::LayoutLeft>&)\n"
                "    write_too_late()\n"
                "  by\n"
                "    change(double*, int)\n"
                "    write_too_late()\n"
                "  take read_write(host) again, after that, and use its View\n");
}

KOLAM_FRAME void write_behind(index_t size, int first) {
  auto u = strict_array(size);
  double* const values = u.write(host).data();
  for (int i = first;; ++i) change(values, i);
}

TEST_F(StrictMemoryDeathTest, IndicesOutsideOfTheArrayAreCaught) {
  EXPECT_MISUSE(write_behind(512, 0),
                "kolam: array 'u': a write 1 bytes behind its 512 values on the host\n"
                "  by\n"
                "    change(double*, int)\n"
                "    write_behind(long, int)\n"
                "  check the indices of this loop\n");
  EXPECT_DEATH(write_behind(512, -1), HasSubstr("a write 8 bytes before its 512 values"));
}

KOLAM_FRAME void write_outside_of_a_range() {
  auto u = strict_array();
  double* const values = u.write(host, {10, 20}).data();
  change(values, 0);
  change(values, 9);
  change(values, 10);
}

#ifdef __x86_64__
TEST_F(StrictMemoryDeathTest, ValuesThatNoIntentNamedAreCaught) {
  EXPECT_MISUSE(write_outside_of_a_range(),
                "kolam: array 'u': a write to value 20 (bytes 160 to 168) on the host, which no "
                "intent allows\n"
                "  by\n"
                "    change(double*, int)\n"
                "    write_outside_of_a_range()\n"
                "  take read_write(host) for it\n");
}
#endif

KOLAM_FRAME void read_a_copied_array() {
  auto u = strict_array();
  auto v = strict_array();
  fill(u.write(host), 1);
  const double* const kept = u.read(host).data();
  fill_on_device(v);
  deep_copy(Kokkos::DefaultExecutionSpace{}, u, v);  // on the device
  touch(kept, 99);
}

TEST_F(StrictMemoryDeathTest, DeepCopyMakesTheOtherSideStale) {
  EXPECT_DEATH(read_a_copied_array(), AllOf(HasSubstr("value 99 (bytes 792 to 800) on the host"),
                                            HasSubstr("since deep_copy(device)")));
}

TEST_F(StrictMemoryDeathTest, WhatIsToBeReplacedIsPoisoned) {
  const Emulation before = emulation();
  auto u = strict_array(3);
  const auto x = u.write(host);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(std::isnan(x(static_cast<std::size_t>(i))));
  fill(x, 1);
  const auto y = u.write(device);
  EXPECT_TRUE(std::isnan(y(0)));
  EXPECT_EQ(u.read_write(device).data(), y.data());  // an intent on the same side ends nothing
  fill(y, 2);
  EXPECT_EQ(u.read(host)(2), 2);
  const auto z = u.write(host);  // where values were
  EXPECT_TRUE(std::isnan(z(2)));
  emulate(before);
}

// Other handlers get what is not ours, and what is ours after the report.
void fault_with_a_handler(bool ours) {
  static_cast<void>(std::signal(SIGSEGV, [](int) { std::_Exit(42); }));
  auto u = strict_array();
  double* const values = u.write(host).data();
  read_on_device(u);
  if (ours) {
    change(values, 0);
  } else {
    void* const closed = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    *static_cast<volatile int*>(closed) = 1;
  }
}

TEST_F(StrictMemoryDeathTest, OtherHandlersAreCalled) {
  // In a run that is strict as a whole, kolam's handler may have come first.
  if (emulation() == Emulation::strict) GTEST_SKIP();
  EXPECT_EXIT(fault_with_a_handler(true), ::testing::ExitedWithCode(42),
              HasSubstr("kolam: array 'u': a write to value 0"));
  EXPECT_EXIT(fault_with_a_handler(false), ::testing::ExitedWithCode(42), Not(HasSubstr("kolam:")));
}

// Instructions that touch two pages, and many values at once.
TEST_F(StrictMemoryDeathTest, AllowedAccessesToMixedPagesPass) {
  const Emulation before = emulation();
  auto u = strict_array(4096);
  fill(u.write(host), 1);
  auto part = u.alias({600, 700});
  fill(part.write(device), 2);
  auto copy = strict_array(4096);
  auto x = u.read(host, {0, 600});
  auto y = u.read_write(host, {700, 4096});
  std::memcpy(copy.write(host).data(), x.data(), 600 * sizeof(double));
  double sum = 0;
  for (std::size_t i = 0; i < 600; ++i) sum += x(i);
  for (std::size_t i = 0; i < y.extent(0); ++i) sum += y(i) += 1;
  EXPECT_EQ(sum, 600 + 2 * 3396);
  EXPECT_EQ(u.read(host, {650, 651})(0), 2);
  emulate(before);
}

}  // namespace kolam::strict_memory_test
