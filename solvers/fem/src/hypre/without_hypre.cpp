// SPDX-License-Identifier: Apache-2.0
// Stands in for hypre.cpp in a build without hypre.
#include <kolam/fem/boomer_amg.hpp>

namespace kolam::fem {

bool has_boomer_amg() { return false; }

template <class T, ExecutionSpace Exec>
template <int Dim>
BoomerAmg<T, Exec>::BoomerAmg(const Operator<T, Dim, Exec>&, const BoomerAmgOptions&) {
  throw InvalidArgument(
      "this kolam was built without hypre, which BoomerAMG is part of; solve the coarsest level by "
      "conjugate gradients, or install it (Debian and Ubuntu: apt-get install libhypre-dev) and "
      "build "
      "kolam with -DKOLAM_HYPRE=on");
}

template <class T, ExecutionSpace Exec>
void BoomerAmg<T, Exec>::apply(const linear::ConstVector<T, Exec>&,
                               const linear::Vector<T, Exec>&) const {}

#define KOLAM_INSTANTIATE(EXEC) \
  KOLAM_BOOMER_AMG(float, EXEC) \
  KOLAM_BOOMER_AMG(double, EXEC)
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_INSTANTIATE)

}  // namespace kolam::fem
