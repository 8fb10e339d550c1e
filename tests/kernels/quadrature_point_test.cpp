// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <kolam/kernels/integrands.hpp>

namespace kolam::testing::quadrature_point_test {
namespace {

using Exec = Kokkos::DefaultHostExecutionSpace;

struct NothingSaid {};

TEST(QuadraturePoint, IsMetByIntegrandsThatSayWhatTheyReadAndWrite) {
  EXPECT_TRUE((Integrand<Mass<double, 1, Exec>>));
  EXPECT_FALSE(Integrand<NothingSaid>);
  EXPECT_EQ((kolam::detail::data_count<Diffusion<float, 3, 1, Exec>>()), 6);
  EXPECT_FALSE((kolam::detail::stores_data<Mass<double, 1, Exec>>()));
  EXPECT_TRUE((kolam::detail::is_component_wise<Mass<double, 3, Exec>>()));
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
