// SPDX-License-Identifier: Apache-2.0
// Values that are read before they are written: an intent fills values to be replaced with poison.
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <kolam/core/forall.hpp>
#include <kolam/memory/array.hpp>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "strict_reports.hpp"

#ifdef __x86_64__

namespace kolam::strict_test {

using StrictUnwrittenDeathTest = StrictTest;

KOLAM_FRAME void add_to_what_is_to_be_written(index_t size) {
  auto u = strict_array(size);
  const auto x = u.write(device);
  forall("add", size, KOKKOS_LAMBDA(index_t i) { x(i) += 1; });
}

TEST_F(StrictUnwrittenDeathTest, ReadsBeforeWritesAreCaughtInKernels) {
  for (const index_t size : {10, 100'000}) {
    EXPECT_DEATH(
        add_to_what_is_to_be_written(size),
        ResultOf(report_in,
                 AllOf(HasSubstr("on the device in the kernel 'add' before it was written\n"
                                 "  the View was taken by write(device) of bytes 0 to " +
                                 std::to_string(8 * size) + " at strict_unwritten_test.cpp\n"),
                       HasSubstr("  take read_write(device) if old values are needed"))));
  }
}

template <class T>
Array<T> array_of(index_t size = 100) {
  emulate(Emulation::strict);
  return Array<T>("u", size);
}

KOLAM_FRAME void count_what_is_to_be_written() {
  auto u = array_of<int>();
  const auto x = u.write(device);
  forall("count", 1000, KOKKOS_LAMBDA(index_t i) { Kokkos::atomic_inc(&x(i % 10)); });
}

TEST_F(StrictUnwrittenDeathTest, AtomicUpdatesAreReads) {
  EXPECT_DEATH(count_what_is_to_be_written(), HasSubstr("in the kernel 'count' before it was"));
}

KOLAM_FRAME void add(double* values, int i) { values[i] += 1; }
KOLAM_FRAME void store(double* values, int i) { values[i] = 3; }
KOLAM_FRAME double* write_on_host(Array<double>& u) { return u.write(host).data(); }

KOLAM_FRAME void add_on_host(index_t size, int first) {
  const CloserLook look(true);
  auto u = strict_array(size);
  double* const values = write_on_host(u);
  for (int i = 0; i < first; ++i) store(values, i);
  for (int i = 0; i < first; ++i) add(values, i);
  add(values, first);
}

TEST_F(StrictUnwrittenDeathTest, ReadsBeforeWritesAreCaughtOnTheHost) {
  EXPECT_MISUSE(
      add_on_host(100, 0),
      "kolam: array 'u': a read of value 0 (bytes 0 to 8) on the host before it was written\n"
      "  the View was taken by write(host) of bytes 0 to 800 at strict_unwritten_test.cpp\n"
      "    write_on_host(kolam::Array<double, 1, Kokkos::LayoutLeft>&)\n"
      "    add_on_host(long, int)\n"
      "  by\n"
      "    add(double*, int)\n"
      "    add_on_host(long, int)\n"
      "  take read_write(host) if old values are needed, or write before you read\n");
}

TEST_F(StrictUnwrittenDeathTest, ReadsAreCaughtBesideValuesThatWereWritten) {
  EXPECT_DEATH(add_on_host(100, 57), HasSubstr("a read of value 57 (bytes 456 to 464) on the host "
                                               "before it was written"));
  EXPECT_DEATH(add_on_host(100'000, 700), HasSubstr("a read of value 700 "));
}

KOLAM_FRAME void add_in_a_part() {
  const CloserLook look(true);
  auto u = strict_array();
  double* const values = u.write(host, {10, 20}).data();
  store(values, 0);
  add(values, 0);
  add(values, 3);
}

TEST_F(StrictUnwrittenDeathTest, ReadsAreCaughtInAPartOfAnArray) {
  EXPECT_DEATH(add_in_a_part(), HasSubstr("a read of value 13 (bytes 104 to 112) on the host "
                                          "before it was written"));
}

KOLAM_FRAME void count(int* values, int i) { values[i] += 1; }

KOLAM_FRAME void count_on_host() {
  const CloserLook look(true);
  auto u = array_of<int>();
  int* const values = u.write(host).data();
  values[0] = values[1] = 0;
  count(values, 0);
  count(values, 4);
}

TEST_F(StrictUnwrittenDeathTest, UpdatesInMemoryAreReads) {
  EXPECT_DEATH(count_on_host(), HasSubstr("a read of value 4 (bytes 16 to 20) on the host before"));
}

KOLAM_FRAME void add_again() {
  const CloserLook look(true);
  auto u = strict_array();
  fill(u.write(host), 1);
  add(u.read_write(host).data(), 5);
  add(write_on_host(u), 5);
}

TEST_F(StrictUnwrittenDeathTest, WrittenValuesArePoisonedByTheNextWriteIntent) {
  EXPECT_DEATH(add_again(), HasSubstr("a read of value 5 (bytes 40 to 48) on the host before"));
}

struct Padded {
  char letter;
  double number;
  alignas(32) char last;
};

// Each of these would end the program if it were reported as misuse.
TEST_F(StrictUnwrittenDeathTest, LegalCodePasses) {
  const CloserLook look(true);
  constexpr index_t n = 3000;
  std::vector<double> expected(n);
  std::iota(expected.begin(), expected.end(), 1);

  auto u = strict_array(n);
  auto x = u.write(host);
  for (index_t i = n; i-- > 0;) x(i) = static_cast<double>(i + 1);  // backwards, and read at once
  for (index_t i = 1; i < n; ++i) EXPECT_EQ(x(i) - x(i - 1), 1);
  std::memcpy(u.write(host).data(), expected.data(), n * sizeof(double));
  EXPECT_EQ(u.read(host)(n - 1), n);

  auto y = u.write(host);
  std::vector<std::thread> threads;
  for (index_t t = 0; t < 3; ++t) {
    threads.emplace_back([=] {
      for (index_t i = t; i < n; i += 3) y(i) = static_cast<double>(i);
      for (index_t i = t; i < n; i += 3) y(i) += 1;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(std::memcmp(u.read(host).data(), expected.data(), n * sizeof(double)), 0);

  auto first = u.write(host, {0, 10});  // the rest is valid
  for (int i = 0; i < 10; ++i) first(static_cast<std::size_t>(i)) = 0;
  EXPECT_EQ(u.read(host)(9) + u.read(host)(10), 11);

  auto numbers = array_of<int>(n);
  auto z = numbers.write(host);
  std::fill_n(z.data(), n, -1);  // all bits
  EXPECT_EQ(std::accumulate(z.data(), z.data() + n, 0), -n);

  auto letters = array_of<char>(n);
  std::memset(letters.write(host).data(), 0x5e, n);
  EXPECT_EQ(letters.read(host)(n - 1), 0x5e);

  auto structs = array_of<Padded>(n);
  auto s = structs.write(host);
  for (index_t i = 0; i < n; ++i) s(i).letter = 'a';
  std::vector<Padded> copies(s.data(), s.data() + n);
  EXPECT_EQ(copies.back().letter, 'a');
}

TEST_F(StrictUnwrittenDeathTest, AtomicUpdatesOfWrittenValuesPass) {
  if (kolam::detail::thread_sanitized)
    GTEST_SKIP()
        << "the thread sanitizer makes atomic accesses under a lock that handlers want too";
  const CloserLook look(true);
  constexpr index_t n = 3000;
  auto numbers = array_of<int>(n);
  auto atomics = numbers.write(host);
  for (index_t i = 0; i < n; ++i) {
    std::atomic_ref<int>(atomics(i)).store(0);
    std::atomic_ref<int>(atomics(i)).fetch_add(1);
  }
  EXPECT_EQ(numbers.read(host)(n - 1), 1);
}

void fill_by_the_system(double* values, std::size_t bytes) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const std::vector<double> source(bytes / sizeof(double), 7);
  ASSERT_EQ(write(ends[1], source.data(), bytes), static_cast<ssize_t>(bytes));
  EXPECT_EQ(read(ends[0], values, bytes), static_cast<ssize_t>(bytes));
  close(ends[0]);
  close(ends[1]);
}

TEST_F(StrictUnwrittenDeathTest, TheSystemMayFillArraysOfTheHost) {
  const CloserLook look(false);
  auto u = strict_array(1000);
  fill_by_the_system(u.write(host).data(), 1000 * sizeof(double));
  EXPECT_EQ(u.read(host)(999), 7);
}

TEST_F(StrictUnwrittenDeathTest, TheSystemMayFillThemInAScopeUnderACloserLook) {
  const CloserLook look(true);
  auto u = strict_array(1000);
  auto v = strict_array(1000);
  const auto before = u.write(host);
  {
    const BothSides scope;
    fill_by_the_system(before.data(), 1000 * sizeof(double));
    fill_by_the_system(v.write(host).data(), 1000 * sizeof(double));
  }
  EXPECT_EQ(u.read(host)(999) + v.read(host)(999), 14);
}

// In a scope for both sides, memory is open even if its intent is taken within the scope.
TEST_F(StrictUnwrittenDeathTest, TheSystemMayFillArraysOfTheDeviceInAScope) {
  auto u = strict_array(1000);
  const BothSides scope;
  fill_by_the_system(u.write(device).data(), 1000 * sizeof(double));
  EXPECT_EQ(u.read(host)(999), 7);
}

}  // namespace kolam::strict_test

#endif
