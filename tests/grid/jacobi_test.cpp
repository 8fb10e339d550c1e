// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <kolam/core/error.hpp>
#include <kolam/grid/detail/grid_problem.hpp>
#include <kolam/grid/jacobi.hpp>
#include <kolam/testing/backends.hpp>
#include <kolam/testing/laplace_reference.hpp>
#include <kolam/testing/matchers.hpp>
#include <limits>
#include <vector>

namespace kolam::testing::jacobi_test {
namespace {

using ::testing::HasSubstr;

template <class Exec>
class Jacobi : public ::testing::Test {};
TYPED_TEST_SUITE(Jacobi, KokkosSpaces, ExecutionSpaceNames);

grid::JacobiOptions options(std::int64_t nx, std::int64_t ny, std::int64_t niter) {
  grid::JacobiOptions result;
  result.nx = nx;
  result.ny = ny;
  result.niter = niter;
  return result;
}

template <class T, class Exec>
void expect_reference(const grid::JacobiOptions& o) {
  SCOPED_TRACE(std::to_string(o.nx) + " x " + std::to_string(o.ny));
  const auto result = grid::solve_jacobi<T>(Exec{}, o);

  auto u = jacobi_start<T>(static_cast<std::size_t>(o.nx), static_cast<std::size_t>(o.ny));
  auto new_u = u;
  std::size_t record = 0;
  for (std::int64_t i = 0; i < o.niter; ++i) {
    const double norm = laplace_sweep(u, new_u);
    std::swap(u, new_u);
    if (i % o.nccheck != 0) continue;
    ASSERT_LT(record, result.norm_history.size());
    EXPECT_EQ(result.norm_history[record].iteration, i);
    EXPECT_NEAR(result.norm_history[record].norm, norm, 1e-12 * norm);
    ++record;
  }
  EXPECT_EQ(result.norm_history.size(), record);
  EXPECT_EQ(result.status, grid::StencilStatus::completed);
  EXPECT_EQ(result.iterations, o.niter);
  const std::vector<T> values = result.field();
  EXPECT_TRUE(all_equal(values, [&](std::size_t i) { return u.values[i]; }));
}

TYPED_TEST(Jacobi, GivesTheNormsAndTheBitsOfTheSerialReference) {
  constexpr std::int64_t steps = optimised ? 12 : 5;
  for (const auto& [nx, ny] : {std::pair{3, 3}, {5, 7}, {64, 64}, {127, 129}}) {
    expect_reference<float, TypeParam>(options(nx, ny, steps));
    expect_reference<double, TypeParam>(options(nx, ny, steps));
  }
}

TYPED_TEST(Jacobi, GivesTheNormsOfTheSerialReferenceOnALargerGrid) {
  constexpr std::int64_t n = optimised ? 1024 : 300;
  expect_reference<float, TypeParam>(options(n, n, 20));
  expect_reference<double, TypeParam>(options(n, n, 20));
}

TYPED_TEST(Jacobi, ComputesNormsEveryNccheckStepsOnly) {
  auto o = options(33, 31, 11);
  o.nccheck = 4;
  expect_reference<double, TypeParam>(o);
}

TYPED_TEST(Jacobi, WithoutStepsGivesTheStart) {
  expect_reference<float, TypeParam>(options(5, 7, 0));
}

// The field must be that of the step that met the tolerance, although later ones were launched.
template <class Exec>
void expect_stop_at_tolerance(std::int64_t at) {
  const auto all = grid::solve_jacobi<double>(Exec{}, options(17, 19, at + 1));
  auto o = options(17, 19, 500);
  o.tol = all.norm_history.back().norm;
  const auto result = grid::solve_jacobi<double>(Exec{}, o);
  EXPECT_EQ(result.status, grid::StencilStatus::converged);
  EXPECT_EQ(result.iterations, at + 1);
  EXPECT_EQ(result.norm_history.back().iteration, at);
  EXPECT_EQ(result.norm_history.back().norm, *o.tol);
  EXPECT_EQ(result.field(), all.field());
  EXPECT_EQ(result.final_l2, all.final_l2);
}

TYPED_TEST(Jacobi, StopsAtTheStepThatMeetsTheTolerance) {
  expect_stop_at_tolerance<TypeParam>(6);
  expect_stop_at_tolerance<TypeParam>(7);
}

TYPED_TEST(Jacobi, SaysThatAToleranceWasNotMet) {
  auto o = options(17, 19, 5);
  o.tol = 1e-12;
  const auto result = grid::solve_jacobi<float>(TypeParam{}, o);
  EXPECT_EQ(result.status, grid::StencilStatus::iteration_limit);
  EXPECT_EQ(result.iterations, 5);
}

TYPED_TEST(Jacobi, GivesTheFinalNormsOfItsField) {
  const auto o = options(21, 23, 9);
  const auto result = grid::solve_jacobi<double>(TypeParam{}, o);
  const auto values = result.field();
  double sum = 0;
  double most = 0;
  for (std::int64_t y = 1; y < o.ny - 1; ++y) {
    for (std::int64_t x = 1; x < o.nx - 1; ++x) {
      const double value = values[static_cast<std::size_t>(x + o.nx * y)];
      sum += value * value;
      most = std::max(most, std::abs(value));
    }
  }
  EXPECT_NEAR(result.final_l2, std::sqrt(sum), 1e-13 * std::sqrt(sum));
  EXPECT_EQ(result.final_max, most);
}

TYPED_TEST(Jacobi, ReportsProgressInOrder) {
  auto o = options(9, 9, optimised ? 400 : 100);
  std::vector<std::int64_t> seen;
  o.progress = [&](const grid::NormRecord& record) { seen.push_back(record.iteration); };
  static_cast<void>(grid::solve_jacobi<float>(TypeParam{}, o));
  EXPECT_FALSE(seen.empty());
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
}

#ifdef KOKKOS_ENABLE_OPENMP
// Fields and norms are bitwise equal for OpenMP with any number of threads, and for Serial.
TEST(JacobiReproducibility, DoesNotDependOnTheNumberOfThreads) {
  const auto o = options(1031, 257, 20);
  const auto expected = grid::solve_jacobi<float>(Kokkos::OpenMP{}, o);
  for (const int threads : {1, 2, 3}) {
    const auto result = grid::solve_jacobi<float>(Kokkos::OpenMP(threads), o);
    ASSERT_EQ(result.norm_history.size(), expected.norm_history.size());
    for (std::size_t i = 0; i < expected.norm_history.size(); ++i)
      EXPECT_EQ(result.norm_history[i].norm, expected.norm_history[i].norm);
    EXPECT_EQ(result.final_l2, expected.final_l2);
    EXPECT_EQ(result.field(), expected.field());
  }
#ifdef KOKKOS_ENABLE_SERIAL
  const auto serial = grid::solve_jacobi<float>(Kokkos::Serial{}, o);
  EXPECT_EQ(serial.norm_history.back().norm, expected.norm_history.back().norm);
  EXPECT_EQ(serial.field(), expected.field());
#endif
}
#endif

TEST(JacobiOptionsTest, ErrorsNameOptionValueAndLimit) {
  const auto refusal = [](auto change) {
    grid::JacobiOptions o;
    change(o);
    return error_of<InvalidArgument>([&] { validate(o); });
  };
  EXPECT_EQ(refusal([](auto& o) { o.nx = 2; }), "nx is 2; it must be at least 3");
  EXPECT_EQ(refusal([](auto& o) { o.ny = 0; }), "ny is 0; it must be at least 3");
  EXPECT_EQ(refusal([](auto& o) { o.niter = -1; }), "niter is -1; it must be at least 0");
  EXPECT_EQ(refusal([](auto& o) { o.nccheck = 0; }), "nccheck is 0; it must be at least 1");
  EXPECT_THAT(refusal([](auto& o) { o.tol = std::nan(""); }), HasSubstr("tol is nan"));
  EXPECT_THAT(refusal([](auto& o) { o.tol = -1; }), HasSubstr("tol is -1"));
  EXPECT_THAT(refusal([](auto& o) { o.tol = INFINITY; }), HasSubstr("tol is inf"));
  EXPECT_NO_THROW(validate(grid::JacobiOptions{}));
}

TYPED_TEST(Jacobi, TooLargeForMemoryNamesTheSizes) {
  const auto o = options(99999999999, 4096, 1);
  try {
    static_cast<void>(grid::solve_jacobi<float>(TypeParam{}, o));
    FAIL() << "nothing was thrown";
  } catch (const OutOfMemory& error) {
    const int devices = kolam::comm::devices_here<TypeParam>({});  // they share the grid
    EXPECT_GE(error.requested(),
              grid::jacobi_bytes(o, sizeof(float)) / static_cast<unsigned>(devices));
    EXPECT_GT(error.available(), 0);
    EXPECT_THAT(error.what(), HasSubstr("99999999999 x 4096"));
  }
  EXPECT_THROW(
      static_cast<void>(grid::solve_jacobi<float>(TypeParam{}, options(1L << 40, 1L << 40, 1))),
      InvalidArgument);
}

}  // namespace
}  // namespace kolam::testing::jacobi_test
