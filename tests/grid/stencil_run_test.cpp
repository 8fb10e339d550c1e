// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cmath>
#include <kolam/core/error.hpp>
#include <kolam/grid/stencil_run.hpp>
#include <kolam/testing/matchers.hpp>

namespace kolam {
namespace {

using ::testing::HasSubstr;

TEST(StencilRunTest, ErrorsNameOptionValueAndLimit) {
  const auto refusal = [](const grid::StencilRun& run) {
    return testing::error_of<InvalidArgument>([&] { validate(run); });
  };
  EXPECT_EQ(refusal({.niter = -1}), "niter is -1; it must be at least 0");
  EXPECT_EQ(refusal({.nccheck = 0}), "nccheck is 0; it must be at least 1");
  EXPECT_THAT(refusal({.tol = std::nan("")}), HasSubstr("tol is nan"));
  EXPECT_THAT(refusal({.tol = -1}), HasSubstr("tol is -1"));
  EXPECT_NO_THROW(validate(grid::StencilRun{}));
}

TEST(StencilStatusTest, HasNames) {
  EXPECT_EQ(name(grid::StencilStatus::completed), "completed");
  EXPECT_EQ(name(grid::StencilStatus::converged), "converged");
  EXPECT_EQ(name(grid::StencilStatus::iteration_limit), "iteration_limit");
  EXPECT_EQ(name(grid::StencilStatus::not_finite), "not_finite");
}

}  // namespace
}  // namespace kolam
