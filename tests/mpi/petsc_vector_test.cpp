// SPDX-License-Identifier: Apache-2.0
// Vectors of PETSc over the memory of arrays, one part of a vector in each process.
#define PETSC_SKIP_COMPLEX  // (else compilers for GPUs take Thrust's complex numbers)
#include <gtest/gtest.h>
#include <petscvec.h>

#include <kolam/comm/transport/mpi.hpp>
#include <kolam/core/forall.hpp>
#include <kolam/memory/array.hpp>
#include <type_traits>

#include "all_processes.hpp"

namespace kolam::petsc_vector_test {

TEST(PetscVectors, ShareTheMemoryOfArrays) {
  if constexpr (!std::is_same_v<PetscScalar, double>) {
    GTEST_SKIP() << "this PETSc has other numbers than double";
  } else {
    const Communicator& all = mpi_tests::all_processes();
    const index_t n = 3 + all.rank();  // another number in each process
    ASSERT_EQ(PetscInitializeNoArguments(), 0);
    Array<double> u("u", n);
    Kokkos::deep_copy(u.write(device), 2);
    {
      const auto values = u.read_write(host);
      Vec x = nullptr;
      ASSERT_EQ(VecCreateMPIWithArray(comm::mpi_communicator(all), 1, static_cast<PetscInt>(n),
                                      PETSC_DETERMINE, values.data(), &x),
                0);
      PetscInt rows = 0;
      PetscScalar product = 0;
      EXPECT_EQ(VecGetSize(x, &rows), 0);
      EXPECT_EQ(rows, 3 * all.size() + all.size() * (all.size() - 1) / 2);
      EXPECT_EQ(VecDot(x, x, &product), 0);
      EXPECT_EQ(product, 4.0 * static_cast<double>(rows));
      EXPECT_EQ(VecScale(x, 1.5), 0);
      EXPECT_EQ(VecDestroy(&x), 0);
    }
    // The device has what PETSc wrote.
    const auto after = u.read(device);
    EXPECT_EQ(sum<double>(
                  "after", n, KOKKOS_LAMBDA(index_t i, double& partial) { partial += after(i); }),
              3.0 * static_cast<double>(n));
    EXPECT_EQ(PetscFinalize(), 0);
  }
}

}  // namespace kolam::petsc_vector_test
