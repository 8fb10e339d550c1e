// SPDX-License-Identifier: Apache-2.0
// Algebraic multigrid by hypre, for coarse levels or as a preconditioner of its own.
//
//   auto m = kolam::fem::multigrid(a, {}, kolam::fem::CoarseSolver::boomeramg);
#pragma once

#include <kolam/core/detail/instantiate.hpp>
#include <kolam/fem/operator.hpp>
#include <memory>

namespace kolam::fem {

/// Returns whether this kolam was built with hypre.
bool has_boomer_amg();

/// Parameters of BoomerAMG.
struct BoomerAmgOptions {
  int cycles = 1;  ///< V-cycles of an application, which starts from x = 0
  /// Strength threshold: matrix entries below this fraction of the largest entry of their row are
  /// weak, and coarsening ignores them. 0 means 0.25 in two dimensions and 0.5 in three.
  double strong_threshold = 0;
};

/// V-cycles of hypre's BoomerAMG on the assembled matrix of an operator, as a symmetric positive
/// definite preconditioner. Runs on the host in double precision, on any number of MPI processes.
/// Each component is coarsened separately. Copies share the hierarchy; one application at a time.
///
/// Set-up takes the time and memory of assemble and of the hierarchy. An application copies both
/// vectors to and from the host. (Henson and Yang, Appl. Numer. Math. 41, 2002. The smoother is
/// l1-Gauss-Seidel: Baker, Falgout, Kolev and Yang, SIAM J. Sci. Comput. 33, 2011.)
template <class T, ExecutionSpace Exec>
class BoomerAmg {
 public:
  using value_type = T;          ///< type of vector entries
  using execution_space = Exec;  ///< execution space of vectors

  /// Assembles the matrix of a and sets up the hierarchy. Starts MPI if it is not running. All
  /// processes of the space call it. Throws InvalidArgument if kolam was built without hypre or if
  /// the processes are not MPI processes, and Error with the message of hypre if it fails. Waits.
  template <int Dim>
  explicit BoomerAmg(const Operator<T, Dim, Exec>& a, const BoomerAmgOptions& options = {});

  /// Sets x to the result of the V-cycles on b; both are [a.rows()]. Waits. All processes call it.
  void apply(const linear::ConstVector<T, Exec>& b, const linear::Vector<T, Exec>& x) const;

 private:
  struct Implementation;
  std::shared_ptr<const Implementation> implementation_;
};

// Instantiated in the library, with or without hypre.
#define KOLAM_BOOMER_AMG(T, EXEC)                                                               \
  template BoomerAmg<T, EXEC>::BoomerAmg(const Operator<T, 2, EXEC>&, const BoomerAmgOptions&); \
  template BoomerAmg<T, EXEC>::BoomerAmg(const Operator<T, 3, EXEC>&, const BoomerAmgOptions&); \
  template void BoomerAmg<T, EXEC>::apply(const linear::ConstVector<T, EXEC>&,                  \
                                          const linear::Vector<T, EXEC>&) const;

}  // namespace kolam::fem
