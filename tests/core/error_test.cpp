// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <kolam/core/error.hpp>
#include <limits>
#include <utility>

namespace kolam {
namespace {

using ::testing::HasSubstr;

TEST(FormatBytes, UsesTheLargestBinaryUnitThatFits) {
  const std::pair<std::uint64_t, const char*> cases[] = {
      {0, "0 B"},
      {1023, "1023 B"},
      {1024, "1.00 KiB"},
      {1536, "1.50 KiB"},
      {1024 * 1024, "1.00 MiB"},
      {(std::uint64_t{3} << 30) / 2, "1.50 GiB"},
      {std::uint64_t{1} << 40, "1.00 TiB"},
      {std::uint64_t{1} << 50, "1.00 PiB"},
      {std::numeric_limits<std::uint64_t>::max(), "16.00 EiB"},
  };
  for (const auto& [bytes, text] : cases) EXPECT_EQ(format_bytes(bytes), text);
}

TEST(OutOfMemory, NamesLabelPlaceSizesAndRemedy) {
  const OutOfMemory error("array 'u'", "the memory of X", 2048, 1024);

  EXPECT_EQ(error.requested(), 2048U);
  EXPECT_EQ(error.available(), 1024U);
  for (const char* part : {"array 'u'", "the memory of X", "2.00 KiB", "2048 bytes", "1.00 KiB",
                           "1024 bytes", "use a smaller problem"}) {
    EXPECT_THAT(error.what(), HasSubstr(part));
  }
}

template <class E>
class Errors : public ::testing::Test {};
using Kinds =
    ::testing::Types<InvalidArgument, BackendUnavailable, DeviceUnavailable, NotRunning, FileError>;
TYPED_TEST_SUITE(Errors, Kinds);

TYPED_TEST(Errors, AreCaughtAsErrorAndKeepTheirText) {
  try {
    throw TypeParam("text");
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "text");
  }
}

}  // namespace
}  // namespace kolam
