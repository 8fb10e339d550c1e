// SPDX-License-Identifier: Apache-2.0
// Names of preconditioners; their effect: poisson_test.cpp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <kolam/core/error.hpp>
#include <kolam/fem/preconditioner.hpp>
#include <kolam/testing/matchers.hpp>

namespace kolam::testing {
namespace {

TEST(Preconditioner, HasAName) {
  using enum fem::Preconditioner;
  for (const auto each : {none, jacobi, chebyshev, pmg})
    EXPECT_EQ(fem::parse_preconditioner(fem::name(each)), each);
  EXPECT_EQ(fem::name(pmg), "pmg");
  EXPECT_THAT(error_of<InvalidArgument>([] { fem::parse_preconditioner("ilu"); }),
              ::testing::HasSubstr("ilu is unknown; choose one of none, jacobi, chebyshev, pmg"));
}

}  // namespace
}  // namespace kolam::testing
