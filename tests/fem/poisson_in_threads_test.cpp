// SPDX-License-Identifier: Apache-2.0
// Parts of a problem in threads of one process. Several processes: tests/mpi.
#include <gtest/gtest.h>

#include <kolam/comm/device_threads.hpp>
#include <kolam/fem/poisson.hpp>
#include <kolam/testing/backends.hpp>
#include <vector>

namespace kolam::testing::poisson_in_threads_test {
namespace {

#ifdef KOKKOS_ENABLE_THREADS  // only one thread may use it
using Exec = Kokkos::Serial;
#else
using Exec = Kokkos::DefaultExecutionSpace;
#endif

TEST(PoissonInDeviceThreads, IsSolvedAsInOne) {
  fem::PoissonOptions options;
  options.order = 2;
  options.elements = optimised ? std::array<index_t, 3>{8, 4, 8} : std::array<index_t, 3>{4, 2, 5};
  options.map = fem::PoissonMap::sine;
  const fem::PoissonSolution one = fem::solve_poisson<double>(Exec{}, options);
  const std::vector<double> expected = one.values();
  comm::on_devices<Exec>(4, [&](const Exec& exec, const Communicator& all) {
    fem::PoissonOptions part = options;
    part.communicator = all;
    part.decomposition = "2x1x2";
    const fem::PoissonSolution cut = fem::solve_poisson<double>(exec, part);
    EXPECT_EQ(cut.dofs, one.dofs);
    EXPECT_EQ(cut.result.iterations, one.result.iterations);
    EXPECT_NEAR(cut.solution_l2, one.solution_l2, 1e-9 * one.solution_l2);
    const std::vector<double> values = cut.values();
    ASSERT_EQ(values.size(), all.rank() == 0 ? expected.size() : 0U);
    for (std::size_t i = 0; i < values.size(); ++i) ASSERT_NEAR(values[i], expected[i], 1e-8);
  });
}

}  // namespace
}  // namespace kolam::testing::poisson_in_threads_test
