// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <kolam/core/device.hpp>
#include <kolam/core/error.hpp>
#include <kolam/testing/matchers.hpp>
#include <limits>

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
