// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <kolam/core/error.hpp>
#include <kolam/fem/assemble.hpp>

#include "../fem/box_spaces.hpp"
#include "all_processes.hpp"

namespace kolam::mpi_tests {
namespace {

using namespace kolam::testing;

TEST(AssembledMatrix, IsOfOneProcessOnly) {
  fem::BoxMesh<2> mesh{{7, 4}};
  mesh.parts = {all_processes().size(), 1};
  mesh.part = all_processes().rank();
  const auto space = fem::box_space<double>(DenseExec{}, mesh, gauss_element(1, 2), fem::Unmapped{},
                                            0, Scatter::fastest, all_processes());
  const fem::Operator a(space, fem::Mass{});
  if (all_processes().size() == 1) {
    EXPECT_EQ(assemble(a).rows(), a.rows());
  } else {
    EXPECT_THROW(static_cast<void>(assemble(a)), InvalidArgument);
  }
}

}  // namespace
}  // namespace kolam::mpi_tests
