// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <kolam/kernels/element/geometry.hpp>

namespace kolam::testing::quadrature_point_test {
namespace {

using Exec = Kokkos::DefaultHostExecutionSpace;

struct NothingSaid {};

TEST(QuadraturePoint, IsMetByIntegrandsThatSayWhatTheyReadAndWrite) {
  EXPECT_TRUE((Integrand<OnStored<Mass<>, double, 2, Exec>>));
  EXPECT_FALSE(Integrand<NothingSaid>);
  EXPECT_EQ((kolam::detail::data_count<OnStored<Diffusion<>, float, 3, Exec>>()), 6);
  EXPECT_FALSE((kolam::detail::stores_data<OnStored<Mass<>, double, 2, Exec>>()));
  EXPECT_TRUE((kolam::detail::is_component_wise<OnStored<Mass<3>, double, 3, Exec>>()));
  EXPECT_FALSE(kolam::detail::is_component_wise<NothingSaid>());
}

TEST(QuadraturePoint, KnowsWhatAnEvaluationIsOf) {
  EXPECT_FALSE(kolam::detail::has_values(Evaluation::none) ||
               kolam::detail::has_gradients(Evaluation::none));
  EXPECT_TRUE(kolam::detail::has_values(Evaluation::values));
  EXPECT_FALSE(kolam::detail::has_gradients(Evaluation::values));
  EXPECT_TRUE(kolam::detail::has_gradients(Evaluation::gradients));
  EXPECT_TRUE(kolam::detail::has_values(Evaluation::values_and_gradients) &&
              kolam::detail::has_gradients(Evaluation::values_and_gradients));
}

}  // namespace
}  // namespace kolam::testing::quadrature_point_test
