// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <Kokkos_Core.hpp>
#include <kolam/core/error.hpp>
#include <kolam/grid/detail/grid_problem.hpp>
#include <kolam/grid/grid_run.hpp>
#include <kolam/testing/matchers.hpp>

namespace kolam {
namespace {

using testing::error_of;

TEST(GridOptionsTest, ErrorsNameOptionValueAndLimit) {
  grid::GridOptions options;
  options.subdomains = -1;
  EXPECT_EQ(error_of<InvalidArgument>([&] { validate(options); }),
            "subdomains is -1; it must be at least 0");
  options.subdomains = 0;
  EXPECT_NO_THROW(validate(options));
  options.nx = 1;
  EXPECT_EQ(error_of<InvalidArgument>([&] { validate(options); }),
            "nx is 1; it must be at least 3");
}

comm::Parts<2> parts(const std::string& how, int subdomains, int devices,
                     const Extents<2>& interior) {
  grid::GridOptions options;
  options.decomposition = how;
  options.subdomains = subdomains;
  return grid::detail::decompose<2>(options, interior, {false, true}, devices).parts();
}

TEST(GridOptionsTest, OneSubdomainForEachDeviceUnlessAskedOtherwise) {
  EXPECT_EQ(parts("auto", 0, 1, {100, 100}), (comm::Parts<2>{1, 1}));
  EXPECT_EQ(parts("stripes", 0, 4, {100, 100}), (comm::Parts<2>{1, 4}));
  EXPECT_EQ(parts("stripes", 2, 4, {100, 100}), (comm::Parts<2>{1, 2}));
  EXPECT_EQ(parts("3x2", 0, 4, {100, 100}), (comm::Parts<2>{3, 2}));
}

// An explicit number of subdomains is used or refused; without it, surplus devices stay idle.
TEST(GridOptionsTest, MoreDevicesThanPointsTakeFewerSubdomains) {
  EXPECT_EQ(parts("auto", 0, 4, {1, 3}), (comm::Parts<2>{1, 3}));
  EXPECT_THROW(parts("auto", 4, 4, {1, 3}), InvalidArgument);
}

}  // namespace
}  // namespace kolam
