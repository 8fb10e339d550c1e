// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <kolam/kernels/vector_sums.hpp>
#include <kolam/testing/backends.hpp>
#include <numeric>

namespace kolam::testing {
namespace {

template <class Exec>
class VectorSumsOn : public ::testing::Test {};
TYPED_TEST_SUITE(VectorSumsOn, ExecutionSpaces, ExecutionSpaceNames);

// Values that make every sum subject to rounding.
KOKKOS_INLINE_FUNCTION double term(index_t i) {
  return 1.0 / (1.0 + static_cast<double>(i * 7919 % 10007));
}

template <class Exec>
std::array<double, 2> sums_on(const Exec& exec, index_t n) {
  return VectorSums<2, Exec>(exec, n).of(
      "test", KOKKOS_LAMBDA(index_t i, double(&s)[2]) {
        s[0] += static_cast<double>(i + 1);
        s[1] += term(i);
      });
}

TYPED_TEST(VectorSumsOn, AddEveryEntryOnce) {
  for (const index_t n : {0, 1, 7, 8, 9, 4095, 4096, 4097, 8192, 20011, 262'144, 262'145}) {
    const auto [whole, real] = sums_on(TypeParam{}, n);
    EXPECT_EQ(whole, static_cast<double>(n) * static_cast<double>(n + 1) / 2) << n;
    double expected = 0;
    for (index_t i = 0; i < n; ++i) expected += term(i);
    EXPECT_NEAR(real, expected, 1e-12 * (1 + expected)) << n;
  }
}

TYPED_TEST(VectorSumsOn, AreTheSameBitsEveryTime) {
  const auto first = sums_on(TypeParam{}, 100'003);
  for (int again = 0; again < 20; ++again) EXPECT_EQ(sums_on(TypeParam{}, 100'003), first);
}

template <class Exec>
double product_there(const Exec& exec) {
  const Kokkos::View<double, Kokkos::SharedHostPinnedSpace> product("product");
  VectorSums<2, Exec>(exec, 10).start(
      "test",
      KOKKOS_LAMBDA(index_t i, double(&s)[2]) {
        s[0] += 1;
        s[1] += static_cast<double>(i);
      },
      KOKKOS_LAMBDA(const double(&s)[2]) { product() = s[0] * s[1]; });
  exec.fence("test");
  return product();
}

TYPED_TEST(VectorSumsOn, GiveTheSumsToWhatFollowsThere) {
  EXPECT_EQ(product_there(TypeParam{}), 450);
}

#if defined(KOKKOS_ENABLE_OPENMP) && defined(KOKKOS_ENABLE_SERIAL)
TEST(VectorSumsOfHosts, DoNotDependOnTheThreads) {
  EXPECT_EQ(sums_on(Kokkos::OpenMP{}, 100'003), sums_on(Kokkos::Serial{}, 100'003));
}
#endif

}  // namespace
}  // namespace kolam::testing
