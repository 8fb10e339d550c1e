// SPDX-License-Identifier: Apache-2.0
// Misuse that strict emulation finds, and its reports. Each case runs in a process of its own.
#include <gmock/gmock.h>
#include <sys/mman.h>

#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <kolam/memory/array.hpp>
#include <kolam/memory/deep_copy.hpp>
#include <kolam/memory/emulation.hpp>

#include "strict_reports.hpp"

namespace kolam::strict_test {

using StrictMemoryDeathTest = StrictTest;

KOLAM_FRAME void fill_on_device(Array<double>& u) { fill(u.write(device), 2); }
KOLAM_FRAME void touch(const double* values, int i) { sink = values[i]; }
KOLAM_FRAME void change(double* values, int i) { values[i] = 3; }

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
      "  the View was taken by read(host) of bytes 0 to 800 at strict_memory_test.cpp\n"
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
      "  the View was taken by read(host) of bytes 0 to 800 at strict_memory_test.cpp\n"
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
      "  the View was taken by read(host) of bytes 0 to 800 at strict_memory_test.cpp\n"
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
  touch(new_view.data(), 4);  // the same value, through the current View
  touch(old_view.data(), 4);
}

TEST_F(StrictMemoryDeathTest, AViewKeptPastAConflictingIntentIsCaughtThoughTheValuesAreBack) {
  EXPECT_MISUSE(use_an_old_view(),
                "kolam: array 'u': a read of value 4 (bytes 32 to 40) on the host through a View "
                "that has lapsed\n"
                "  since write(device) of bytes 0 to 800 at strict_memory_test.cpp\n"
                "    fill_on_device(kolam::Array<double, 1, Kokkos::LayoutLeft>&)\n"
                "    use_an_old_view()\n"
                "  the View was taken by read(host) of bytes 0 to 800 at strict_memory_test.cpp\n"
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
  touch(values, 0);  // still valid for reading
  change(values, 1);
}

TEST_F(StrictMemoryDeathTest, AWriteAfterTheOtherSideReadIsCaught) {
  EXPECT_MISUSE(write_too_late(),
                "kolam: array 'u': a write to value 1 (bytes 8 to 16) on the host through a View "
                "that has lapsed\n"
                "  since read(device) of bytes 0 to 800 at strict_memory_test.cpp\n"
                "    read_on_device(kolam::Array<double, 1, Kokkos::LayoutLeft>&)\n"
                "    write_too_late()\n"
                "  the View was taken by write(host) of bytes 0 to 800 at strict_memory_test.cpp\n"
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
                "kolam: array 'u': a write 1 bytes past the end of its 512 values on the host\n"
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
  const CloserLook look(false);
  auto u = strict_array(3);
  const auto x = u.write(host);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(std::isnan(x(static_cast<std::size_t>(i))));
  fill(x, 1);
  const auto y = u.write(device);
  EXPECT_EQ(u.read_write(device).data(), y.data());  // an intent on this side ends no View
  EXPECT_TRUE(std::isnan(u.read(host)(0)));
  fill(u.write(device), 2);
  EXPECT_EQ(u.read(host)(2), 2);
  const auto z = u.write(host);  // over valid values
  EXPECT_TRUE(std::isnan(z(2)));
}

// Other handlers get faults of other memory, and faults of kolam's memory after the report.
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
  // If the whole run is strict, kolam's handler may have been installed first.
  if (emulation() == Emulation::strict) GTEST_SKIP();
  EXPECT_EXIT(fault_with_a_handler(true), ::testing::ExitedWithCode(42),
              HasSubstr("kolam: array 'u': a write to value 0"));
  EXPECT_EXIT(fault_with_a_handler(false), ::testing::ExitedWithCode(42), Not(HasSubstr("kolam:")));
}

// Instructions that touch two pages, and many values at once.
TEST_F(StrictMemoryDeathTest, AllowedAccessesToMixedPagesPass) {
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
}

}  // namespace kolam::strict_test
