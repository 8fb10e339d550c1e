// SPDX-License-Identifier: Apache-2.0
// Vectors of hypre over the memory of arrays, one part of a vector in each process.
#include <_hypre_parcsr_mv.h>
#include <gtest/gtest.h>

#include <kolam/comm/transport/mpi.hpp>
#include <kolam/core/forall.hpp>
#include <kolam/memory/array.hpp>

#include "all_processes.hpp"

namespace kolam::hypre_vector_test {

// Returns a vector of hypre over `values`: rows [first, first + n) of `rows`. Copies nothing.
hypre_ParVector* vector_over(MPI_Comm comm, index_t rows, index_t first,
                             const Kokkos::View<double*, Kokkos::HostSpace>& values) {
  HYPRE_BigInt range[] = {static_cast<HYPRE_BigInt>(first),
                          static_cast<HYPRE_BigInt>(first + static_cast<index_t>(values.size()))};
  hypre_ParVector* const vector =
      hypre_ParVectorCreate(comm, static_cast<HYPRE_BigInt>(rows), range);
  hypre_Vector* const own = hypre_ParVectorLocalVector(vector);
  hypre_VectorData(own) = values.data();
  hypre_VectorOwnsData(own) = 0;
  hypre_ParVectorInitialize(vector);
  return vector;
}

TEST(HypreVectors, ShareTheMemoryOfArrays) {
  const Communicator& all = mpi_tests::all_processes();
  const MPI_Comm comm = comm::mpi_communicator(all);
  const index_t n = 3 + all.rank();  // another number in each process
  index_t first = 0, rows = 0;
  for (int rank = 0; rank < all.size(); ++rank) {
    if (rank < all.rank()) first += 3 + rank;
    rows += 3 + rank;
  }
  HYPRE_Init();
  Array<double> u("u", n);
  Kokkos::deep_copy(u.write(device), 2);
  {
    const auto values = u.read_write(host);
    hypre_ParVector* const x = vector_over(comm, rows, first, values);
    EXPECT_EQ(hypre_VectorData(hypre_ParVectorLocalVector(x)), values.data());
    EXPECT_EQ(hypre_ParVectorInnerProd(x, x), 4.0 * static_cast<double>(rows));
    hypre_ParVectorScale(1.5, x);
    hypre_ParVectorDestroy(x);
  }
  // The device has what hypre wrote.
  const auto after = u.read(device);
  EXPECT_EQ(sum<double>(
                "after", n, KOKKOS_LAMBDA(index_t i, double& partial) { partial += after(i); }),
            3.0 * static_cast<double>(n));
}

}  // namespace kolam::hypre_vector_test
