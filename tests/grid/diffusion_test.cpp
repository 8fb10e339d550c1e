// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cmath>
#include <kolam/core/error.hpp>
#include <kolam/grid/diffusion.hpp>
#include <kolam/testing/backends.hpp>
#include <kolam/testing/matchers.hpp>
#include <numeric>
#include <vector>

namespace kolam::testing {
namespace {

using ::testing::HasSubstr;

grid::DiffusionOptions options(std::int64_t nx, std::int64_t ny, std::int64_t nz,
                               std::int64_t niter) {
  grid::DiffusionOptions result;
  result.nx = nx;
  result.ny = ny;
  result.nz = nz;
  result.niter = niter;
  return result;
}

// The oracle: the same problem in double, as simple as possible.
std::vector<double> reference(const grid::DiffusionOptions& o) {
  const bool flat = o.nz == 0;
  const std::int64_t n[3] = {o.nx, o.ny, flat ? 1 : o.nz};
  double h[3];
  double least = 1e300;
  for (int d = 0; d < 3; ++d) {
    h[d] = 10.0 / static_cast<double>(std::max<std::int64_t>(n[d] - 1, 1));
    if (d < 2 || !flat) least = std::min(least, h[d]);
  }
  const double dt = least * least / (flat ? 4.1 : 6.1);
  const auto place = [&](std::int64_t x, std::int64_t y, std::int64_t z) {
    return static_cast<std::size_t>(x + n[0] * (y + n[1] * z));
  };
  const auto hill = [&](double height, double cx, double cy, double cz, double width,
                        std::int64_t x, std::int64_t y, std::int64_t z) {
    const double dx = (h[0] * static_cast<double>(x) - cx) / width;
    const double dy = (h[1] * static_cast<double>(y) - cy) / width;
    const double dz = flat ? 0 : (h[2] * static_cast<double>(z) - cz) / width;
    return height * std::exp(-dx * dx - dy * dy - dz * dz);
  };
  std::vector<double> u(static_cast<std::size_t>(n[0] * n[1] * n[2]));
  std::vector<double> cp = u;
  for (std::int64_t z = 0; z < n[2]; ++z) {
    for (std::int64_t y = 0; y < n[1]; ++y) {
      for (std::int64_t x = 0; x < n[0]; ++x) {
        u[place(x, y, z)] =
            hill(100, 5, 5, 10.0 / 3, 2, x, y, z) + hill(50, 5, 5, 10 / 1.5, 2, x, y, z);
        cp[place(x, y, z)] = 1 + hill(5, 10 / 1.5, 5, 10 / 1.5, 1, x, y, z) +
                             hill(5, 10.0 / 3, 5, 10 / 1.5, 1, x, y, z);
      }
    }
  }
  for (std::int64_t i = 0; i < o.niter; ++i) {
    const std::vector<double> old = u;
    for (std::int64_t z = flat ? 0 : 1; z < (flat ? 1 : n[2] - 1); ++z) {
      for (std::int64_t y = 1; y < n[1] - 1; ++y) {
        for (std::int64_t x = 1; x < n[0] - 1; ++x) {
          const double c = old[place(x, y, z)];
          double laplace =
              (old[place(x - 1, y, z)] - 2 * c + old[place(x + 1, y, z)]) / (h[0] * h[0]) +
              (old[place(x, y - 1, z)] - 2 * c + old[place(x, y + 1, z)]) / (h[1] * h[1]);
          if (!flat)
            laplace += (old[place(x, y, z - 1)] - 2 * c + old[place(x, y, z + 1)]) / (h[2] * h[2]);
          u[place(x, y, z)] = c + dt / cp[place(x, y, z)] * laplace;
        }
      }
    }
  }
  return u;
}

template <class Exec>
class DiffusionSolve : public ::testing::Test {};
TYPED_TEST_SUITE(DiffusionSolve, KokkosSpaces, ExecutionSpaceNames);

TYPED_TEST(DiffusionSolve, FollowsTheReference) {
  for (auto o : {options(23, 19, 0, 12), options(17, 11, 9, 7), options(3, 3, 3, 2)}) {
    const std::vector<double> expected = reference(o);
    o.subdomains = 1;
    const auto whole = grid::solve_diffusion<double>(TypeParam{}, o);
    EXPECT_EQ(whole.status, grid::StencilStatus::completed);
    const std::vector<double> field = whole.field();
    EXPECT_TRUE(all_near(field, [&](std::size_t i) { return expected[i]; }, 1e-11));
    const auto single = grid::solve_diffusion<float>(TypeParam{}, o);
    EXPECT_TRUE(all_near(single.field(), [&](std::size_t i) { return expected[i]; }, 1e-3));
    if (o.nx == 3) continue;
    o.subdomains = 4;
    const auto cut = grid::solve_diffusion<double>(TypeParam{}, o);
    EXPECT_EQ(cut.field(), field);
    EXPECT_NE(cut.decomposition, whole.decomposition);
  }
}

TYPED_TEST(DiffusionSolve, GivesTheSameBitsWithSeveralStepsAPass) {
  auto o = options(41, 37, 0, 10);
  const auto single = grid::solve_diffusion<float>(TypeParam{}, o);
  o.steps_per_pass = 4;
  o.subdomains = 2;
  const auto blocked = grid::solve_diffusion<float>(TypeParam{}, o);
  EXPECT_EQ(blocked.field(), single.field());
  EXPECT_NEAR(blocked.norm_history.back().norm, single.norm_history.back().norm,
              1e-12 * single.norm_history.back().norm);
}

TEST(DiffusionOptionsTest, ErrorsNameOptionValueAndLimit) {
  const auto refusal = [](grid::DiffusionOptions o) {
    return error_of<InvalidArgument>([&] { validate(o); });
  };
  EXPECT_EQ(refusal(options(2, 9, 9, 1)), "nx is 2; it must be at least 3");
  EXPECT_EQ(refusal(options(9, 2, 9, 1)), "ny is 2; it must be at least 3");
  EXPECT_EQ(refusal(options(9, 9, 2, 1)), "nz is 2; it must be at least 3");
  auto deep = options(9, 9, 9, 1);
  deep.steps_per_pass = 5;
  EXPECT_THAT(refusal(deep), HasSubstr("5 steps per pass"));
  deep.nz = 0;
  EXPECT_NO_THROW(validate(deep));
}

}  // namespace
}  // namespace kolam::testing
