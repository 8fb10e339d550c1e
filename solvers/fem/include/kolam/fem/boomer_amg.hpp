// SPDX-License-Identifier: Apache-2.0
// Algebraic multigrid by hypre, for coarse levels and as a preconditioner by itself.
//
//   auto m = kolam::fem::multigrid(a, {}, kolam::fem::CoarseSolver::boomeramg);
#pragma once

#include <kolam/core/detail/instantiate.hpp>
#include <kolam/fem/operator.hpp>
#include <memory>

namespace kolam::fem {

/// Whether this kolam was built with hypre.
bool has_boomer_amg();

/// How BoomerAMG works.
struct BoomerAmgOptions {
  int cycles = 1;  ///< V-cycles of an application, from zero
  /// Numbers of the matrix that are less than this part of their row's largest are weak: coarse levels do
  /// not follow them. 0: 0.25 in two dimensions, 0.5 in three.
  double strong_threshold = 0;
};

/// x = V-cycles of hypre's BoomerAMG on the assembled matrix of an operator, on hosts, in double
/// precision: a symmetric positive definite map, for any number of MPI's processes. Components are
/// coarsened each for itself. Copies share it; one application at a time.
///
/// Memory and set-up are those of assemble and of the hierarchy; an application copies both vectors to
/// and from the host. (Henson and Yang, Appl. Numer. Math. 41, 2002; smoothed by l1-Gauss-Seidel: Baker,
/// Falgout, Kolev and Yang, SIAM J. Sci. Comput. 33, 2011.)
template <class T, ExecutionSpace Exec>
class BoomerAmg {
 public:
  using value_type = T;          ///< of vectors
  using execution_space = Exec;  ///< of vectors

  /// Starts MPI if it does not run. All processes of the space call it. Throws InvalidArgument where
  /// this kolam has no hypre, and for processes that are not MPI's; Error with what hypre says. Waits.
  template <int Dim>
  explicit BoomerAmg(const Operator<T, Dim, Exec>& a, const BoomerAmgOptions& options = {});

  /// [a.rows()] both. Waits. All processes call it.
  void apply(const linear::ConstVector<T, Exec>& b, const linear::Vector<T, Exec>& x) const;

 private:
  struct Implementation;
  std::shared_ptr<const Implementation> implementation_;
};

// Compiled in the library, with hypre or without it.
#define KOLAM_BOOMER_AMG(T, EXEC)                                                               \
  template BoomerAmg<T, EXEC>::BoomerAmg(const Operator<T, 2, EXEC>&, const BoomerAmgOptions&); \
  template BoomerAmg<T, EXEC>::BoomerAmg(const Operator<T, 3, EXEC>&, const BoomerAmgOptions&); \
  template void BoomerAmg<T, EXEC>::apply(const linear::ConstVector<T, EXEC>&,                  \
                                          const linear::Vector<T, EXEC>&) const;

}  // namespace kolam::fem
