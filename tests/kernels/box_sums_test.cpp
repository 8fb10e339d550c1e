// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <kolam/kernels/box_sums.hpp>
#include <kolam/testing/backends.hpp>
#include <vector>

namespace kolam::testing {
namespace box_sums_tests {
namespace {

template <class Exec>
class BoxSumsOn : public ::testing::Test {};
TYPED_TEST_SUITE(BoxSumsOn, ExecutionSpaces, ExecutionSpaceNames);

// Values that make every sum subject to rounding.
KOKKOS_INLINE_FUNCTION double term(index_t i, index_t j, index_t k) {
  return 1.0 / (10'008.0 + static_cast<double>((i + 101 * j + 10'301 * k) * 7919 % 10'007));
}

template <class Exec>
std::array<double, 3> sums_on(const Exec& exec, const Box<2>& box) {
  return BoxSums<3, 2, Exec>(exec, box).of(
      "test", KOKKOS_LAMBDA(index_t i, index_t j, double(&s)[3]) {
        s[0] += 1;
        s[1] += static_cast<double>(i + 1000 * j);
        s[2] += term(i, j, 0);
      });
}
template <class Exec>
std::array<double, 3> sums_on(const Exec& exec, const Box<3>& box) {
  return BoxSums<3, 3, Exec>(exec, box).of(
      "test", KOKKOS_LAMBDA(index_t i, index_t j, index_t k, double(&s)[3]) {
        s[0] += 1;
        s[1] += static_cast<double>(i + 1000 * j + 1'000'000 * k);
        s[2] += term(i, j, k);
      });
}

const std::vector<Box<2>> planes{
    {{{0, 1}, {0, 1}}},        {{{2, 2}, {0, 4}}},    {{{0, 3}, {5, 4}}},    {{{-1, 6}, {-3, 4}}},
    {{{3, 260}, {7, 40}}},     {{{0, 9001}, {2, 4}}}, {{{1, 3}, {0, 5003}}}, {{{0, 64}, {0, 64}}},
    {{{-7, 500}, {100, 303}}}, {{{0, 4096}, {0, 3}}}};
const std::vector<Box<3>> spaces{{{{0, 1}, {0, 1}, {0, 1}}},      {{{2, 5}, {-1, 6}, {3, 3}}},
                                 {{{-2, 15}, {1, 20}, {-3, 30}}}, {{{0, 700}, {0, 3}, {0, 5}}},
                                 {{{0, 2}, {0, 90}, {0, 60}}},    {{{1, 33}, {1, 33}, {1, 33}}}};

template <class Exec, int D>
void expect_each_point_once(const std::vector<Box<D>>& boxes) {
  for (const Box<D>& box : boxes) {
    double points = 0, whole = 0, real = 0;
    const Range of_k = D == 3 ? box[D - 1] : Range{0, 1};
    for (index_t k = of_k.begin; k < of_k.end; ++k) {
      for (index_t j = box[1].begin; j < box[1].end; ++j) {
        for (index_t i = box[0].begin; i < box[0].end; ++i) {
          points += 1;
          whole += static_cast<double>(i + 1000 * j + 1'000'000 * k);
          real += term(i, j, k);
        }
      }
    }
    const auto sums = sums_on(Exec{}, box);
    EXPECT_EQ(sums[0], points);
    EXPECT_EQ(sums[1], whole);
    EXPECT_NEAR(sums[2], real, 1e-12 * (1 + real));
  }
}

TYPED_TEST(BoxSumsOn, AddEveryPointOnce) {
  expect_each_point_once<TypeParam>(planes);
  expect_each_point_once<TypeParam>(spaces);
}

TYPED_TEST(BoxSumsOn, AreTheSameBitsEveryTime) {
  const Box<2> box{{{-7, 500}, {100, 303}}};
  const auto first = sums_on(TypeParam{}, box);
  for (int again = 0; again < 20; ++again) EXPECT_EQ(sums_on(TypeParam{}, box), first);
}

// Doubles the values and sums the results.
template <class Exec>
void expect_update(const Exec& exec) {
  const index_t nx = 300, ny = 40;
  const Kokkos::View<double*, typename Exec::memory_space> u("u", nx * ny);
  forall(exec, "fill", nx * ny, KOKKOS_LAMBDA(index_t n) { u(n) = static_cast<double>(n); });
  const Kokkos::View<double, Kokkos::SharedHostPinnedSpace> total("total");
  BoxSums<1, 2, Exec>(exec, Box<2>{{{0, nx}, {1, ny}}})
      .start(
          "double",
          KOKKOS_LAMBDA(index_t i, index_t j, double(&s)[1]) { s[0] += u(i + nx * j) *= 2; },
          KOKKOS_LAMBDA(const double(&s)[1]) { total() = s[0]; });
  exec.fence("test");
  const auto here = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, u);
  double sum = 0;
  for (index_t n = 0; n < nx * ny; ++n) {
    EXPECT_EQ(here(n), static_cast<double>(n < nx ? n : 2 * n));
    if (n >= nx) sum += here(n);
  }
  EXPECT_EQ(total(), sum);
}

TYPED_TEST(BoxSumsOn, MayChangeValuesAtTheirPoints) { expect_update(TypeParam{}); }

#if defined(KOKKOS_ENABLE_OPENMP) && defined(KOKKOS_ENABLE_SERIAL)
TEST(BoxSumsOfHosts, DoNotDependOnTheThreads) {
  for (const Box<2>& box : planes)
    EXPECT_EQ(sums_on(Kokkos::OpenMP{}, box), sums_on(Kokkos::Serial{}, box));
  for (const Box<3>& box : spaces)
    EXPECT_EQ(sums_on(Kokkos::OpenMP{}, box), sums_on(Kokkos::Serial{}, box));
}
#endif

}  // namespace
}  // namespace box_sums_tests
}  // namespace kolam::testing
