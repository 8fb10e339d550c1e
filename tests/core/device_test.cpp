// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <sched.h>

#include <cstdint>
#include <fstream>
#include <kolam/core/detail/host_cache.hpp>
#include <kolam/core/device.hpp>
#include <kolam/core/error.hpp>
#include <kolam/testing/matchers.hpp>
#include <limits>
#include <string>
#include <thread>

namespace kolam {
namespace {

using ::testing::HasSubstr;

TEST(Device, DescribesEveryBackendPlausibly) {
  for (const Backend backend : backends()) {
    SCOPED_TRACE(name(backend));
    const Device d = device_of(backend);

    EXPECT_EQ(d.backend, backend);
    EXPECT_FALSE(d.name.empty());
    EXPECT_GE(d.concurrency, 1);
    EXPECT_GT(d.memory_total, std::uint64_t{64} << 20);
    EXPECT_GT(d.memory_available, 0U);
    EXPECT_LE(d.memory_available, d.memory_total);
    EXPECT_LT(d.last_level_cache, d.memory_total);
  }
}

// (Read from /sys: the system's own call may count caches that a virtual machine does not have.)
TEST(Device, CachesOfTheHostAreThoseOfItsProcessors) {
  const std::string folder =
      "/sys/devices/system/cpu/cpu" + std::to_string(sched_getcpu()) + "/cache/index";
  std::uint64_t last = 0;  // in KiB
  for (int index = 0; index < 8; ++index) {
    std::uint64_t size = 0;
    if (std::ifstream(folder + std::to_string(index) + "/size") >> size) last = size;
  }
  if (last == 0) GTEST_SKIP() << "the system does not describe its caches";
  const std::uint64_t all = detail::host_cache_bytes();
  EXPECT_GE(all, last * 1024);
  EXPECT_EQ(all % (last * 1024), 0U);
  EXPECT_LE(all, last * 1024 * std::thread::hardware_concurrency());
}

TEST(Device, ConcurrencyIsThatOfKokkos) {
  EXPECT_EQ(device_of(default_backend()).concurrency,
            Kokkos::DefaultExecutionSpace().concurrency());
}

TEST(Device, EveryOneOfTheBuildCanBeUsed) { EXPECT_NO_THROW(detail::require_usable_devices()); }

TEST(RequireMemory, TakesWhatFitsAndRefusesWhatDoesNot) {
  for (const Backend backend : backends()) {
    SCOPED_TRACE(name(backend));
    EXPECT_NO_THROW(require_memory(backend, "little", 0));
    EXPECT_NO_THROW(require_memory(backend, "little", 4096));
    try {
      require_memory(backend, "array 'u'", std::numeric_limits<std::uint64_t>::max());
      ADD_FAILURE() << "nothing was thrown";
    } catch (const OutOfMemory& error) {
      EXPECT_EQ(error.requested(), std::numeric_limits<std::uint64_t>::max());
      EXPECT_GT(error.available(), 0U);
      EXPECT_LE(error.available(), device_of(backend).memory_total);
      EXPECT_THAT(error.what(), HasSubstr("array 'u'"));
      EXPECT_THAT(error.what(), HasSubstr(device_of(backend).name));
    }
  }
}

}  // namespace
}  // namespace kolam
