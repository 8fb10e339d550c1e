// SPDX-License-Identifier: Apache-2.0
// Views used on the wrong side, and writes outside of an array.
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <kolam/core/forall.hpp>
#include <kolam/memory/array.hpp>
#include <memory>
#include <thread>

#include "strict_reports.hpp"

namespace kolam::strict_test {

using StrictSidesDeathTest = StrictTest;

template <class To, class From>
KOLAM_FRAME void scale(const To& to, const From& from, index_t first) {
  forall(
      "scale", static_cast<index_t>(to.extent(0)), KOKKOS_LAMBDA(index_t i) {
        if (i >= first) to(i) = 2 * from(i);
      });
}

KOLAM_FRAME void read_a_host_view_in_a_kernel(index_t first) {
  auto u = strict_array(1000);
  auto v = strict_array(1000);
  fill(u.write(host), 1);
  const auto from = u.read(host);
  const auto to = v.write(device);
  scale(to, from, first);
}

TEST_F(StrictSidesDeathTest, AHostViewInAKernelIsCaught) {
  const auto report = [](const char* value) {
    return ResultOf(
        report_in,
        AllOf(HasSubstr(std::string("kolam: array 'u': a read of value ") + value),
              HasSubstr("on the host in the kernel 'scale', which is for host code\n"
                        "  the View was taken by read(host) of bytes 0 to 8000 at "
                        "strict_sides_test.cpp\n    read_a_host_view_in_a_kernel(long)\n"),
              HasSubstr("  take read(device) and use its View here\n")));
  };
  EXPECT_DEATH(read_a_host_view_in_a_kernel(0), report(""));
  // By the last thread, if there are several.
  EXPECT_DEATH(read_a_host_view_in_a_kernel(999), report("999 (bytes 7992 to 8000)"));
}

KOLAM_FRAME void use_a_device_view_on_the_host() {
  auto u = strict_array();
  fill(u.write(device), 1);
  const auto x = u.read(device);
  auto v = strict_array();
  scale(v.write(device), x, 0);
  sink = x(3);
}

TEST_F(StrictSidesDeathTest, ADeviceViewInHostCodeIsCaught) {
  EXPECT_MISUSE(use_a_device_view_on_the_host(),
                "kolam: array 'u': a read of value 3 (bytes 24 to 32) on the device by host code, "
                "which is for kernels of the device\n"
                "  the View was taken by read(device) of bytes 0 to 800 at strict_sides_test.cpp\n"
                "    use_a_device_view_on_the_host()\n"
                "  by\n"
                "    use_a_device_view_on_the_host()\n"
                "  take read(host) and use its View here\n");
}

// The address sanitizer and runtimes of other languages install such small signal stacks.
TEST_F(StrictSidesDeathTest, AreReportedBesideASmallStackForSignals) {
  const auto misuse = [] {
    const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    auto* const pages = static_cast<char*>(
        mmap(nullptr, 3 * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    ASSERT_EQ(munmap(pages, size), 0);
    const stack_t small{.ss_sp = pages + size, .ss_flags = 0, .ss_size = 2 * size};
    ASSERT_EQ(sigaltstack(&small, nullptr), 0);
    use_a_device_view_on_the_host();
  };
  EXPECT_DEATH(misuse(), HasSubstr("take read(host) and use its View here"));
}

// Threads of the program and of its loops run host code too, also after kernels.
KOLAM_FRAME void use_a_device_view_on_a_thread() {
  auto u = strict_array();
  fill(u.write(device), 1);
  const auto x = u.read(device);
  auto v = strict_array();
  scale(v.write(device), x, 0);
#ifdef _OPENMP
#pragma omp parallel for schedule(static, 1)
  for (int i = 0; i < 4; ++i) {
    if (i == 1) sink = x(3);
  }
#else
  std::thread([&] { sink = x(3); }).join();
#endif
}

TEST_F(StrictSidesDeathTest, ADeviceViewOnAnotherThreadOfTheHostIsCaught) {
  EXPECT_DEATH(use_a_device_view_on_a_thread(), HasSubstr("on the device by host code"));
}

TEST_F(StrictSidesDeathTest, EachSideMayUseItsOwnViewsOnAllThreads) {
  auto u = strict_array(100'000);
  auto v = strict_array(100'000);
  for (int round = 0; round < 3; ++round) {
    auto x = u.write(host);
#ifdef _OPENMP
#pragma omp parallel for
#endif
    for (int i = 0; i < 100'000; ++i) x(i) = i;
    scale(v.write(device), u.read(device), 0);
    Kokkos::deep_copy(u.write(device), v.read(device));
    double sum = 0;
    std::thread([&, y = v.read(host)] {
      for (int i = 0; i < 100'000; ++i) sum += y(i);
    }).join();
    EXPECT_EQ(sum, 99'999.0 * 100'000);
    EXPECT_EQ(u.read(host)(99'999), 2 * 99'999);
  }
}

TEST_F(StrictSidesDeathTest, AScopeMayTouchBothSides) {
  auto u = strict_array(10);
  fill(u.write(device), 1);
  const auto x = u.read(device);
  {
    const BothSides scope;
    EXPECT_EQ(x(3), 1);
  }

  EXPECT_DEATH(sink = x(3), HasSubstr("on the device by host code"));
}

// A tool that was registered earlier still gets its callbacks.
std::atomic<int> kernels_seen{0};
TEST_F(StrictSidesDeathTest, OtherToolsAreTold) {
  if (emulation() == Emulation::strict) GTEST_SKIP() << "kolam may have come first";
  EXPECT_EXIT(
      {
        Kokkos::Tools::Experimental::set_begin_parallel_for_callback(
            [](const char*, std::uint32_t, std::uint64_t*) { ++kernels_seen; });
        auto u = strict_array();
        auto v = strict_array();
        fill(u.write(device), 1);
        const int before = kernels_seen;
        scale(v.write(device), u.read(device), 0);
        std::_Exit(kernels_seen == before + 1 ? 0 : 1);
      },
      ::testing::ExitedWithCode(0), "");
}

KOLAM_FRAME void set_past_the_end(Array<double>& u, index_t by) {
  u.write(host).data()[u.size() - 1 + by] = 3;
}

TEST_F(StrictSidesDeathTest, WritesJustPastTheEndAreFoundAtTheNextIntent) {
  const CloserLook look(false);  // a closer look finds them at once
  const auto misuse = [](index_t by) {
    auto u = strict_array(100);
    set_past_the_end(u, by);
    static_cast<void>(u.read(host, {0, 1}));
  };
  misuse(0);
  EXPECT_DEATH(misuse(1),
               ResultOf(report_in, AllOf(HasSubstr("kolam: array 'u': a write 8 bytes past "
                                                   "the end of its 100 values on the host\n"
                                                   "  after write(host)"),
                                         HasSubstr("    set_past_the_end("),
                                         HasSubstr("  before read(host)"))));
  EXPECT_DEATH(misuse(-100), HasSubstr("a write 8 bytes before its 100 values on the host"));
}

TEST_F(StrictSidesDeathTest, WritesJustPastTheEndAreFoundWhenTheArrayGoes) {
  const CloserLook look(false);
  EXPECT_DEATH(
      {
        auto u = std::make_unique<Array<double>>(strict_array(100));
        set_past_the_end(*u, 2);
        u.reset();
      },
      ResultOf(report_in, AllOf(HasSubstr("a write 16 bytes past the end of its 100 values"),
                                HasSubstr("  before the array was freed\n"))));
}

}  // namespace kolam::strict_test
