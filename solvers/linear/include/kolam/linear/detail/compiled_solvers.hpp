// SPDX-License-Identifier: Apache-2.0
// Solvers of AnyOperator, compiled in the library, for files that need no other solvers.
#pragma once

#include <kolam/core/detail/instantiate.hpp>
#include <kolam/linear/any_operator.hpp>
#include <kolam/linear/merged_conjugate_gradient.hpp>
#include <kolam/linear/preconditioners.hpp>

namespace kolam::linear {

#define KOLAM_SOLVERS_OF(KOLAM_EXTERN, T, EXEC)                                                \
  KOLAM_EXTERN template SolveResult                                                            \
  conjugate_gradient<AnyOperator<T, EXEC>, AnyApplicable<T, EXEC>>(                            \
      const AnyOperator<T, EXEC>&, const AnyApplicable<T, EXEC>&, const ReadVector<T, EXEC>&,  \
      const WriteVector<T, EXEC>&, const SolveOptions&);                                       \
  KOLAM_EXTERN template void                                                                   \
  detail::iterate<T, EXEC, AnyOperator<T, EXEC>, AnyApplicable<T, EXEC>>(                      \
      const AnyOperator<T, EXEC>&, const AnyApplicable<T, EXEC>&, const ConstVector<T, EXEC>&, \
      const Vector<T, EXEC>&, const detail::ConjugateGradientWorkspace<T, EXEC>&,              \
      detail::SolveProgress&);                                                                 \
  KOLAM_EXTERN template SolveResult merged_conjugate_gradient<AnyOperator<T, EXEC>>(           \
      const AnyOperator<T, EXEC>&, const ConstVector<T, EXEC>&, const ReadVector<T, EXEC>&,    \
      const WriteVector<T, EXEC>&, const SolveOptions&);                                       \
  KOLAM_EXTERN template Vector<T, EXEC> inverse_diagonal<AnyOperator<T, EXEC>>(                \
      const AnyOperator<T, EXEC>&);                                                            \
  KOLAM_EXTERN template EigenvalueEstimate estimate_eigenvalues<AnyOperator<T, EXEC>>(         \
      const AnyOperator<T, EXEC>&, const ConstVector<T, EXEC>&, int);                          \
  KOLAM_EXTERN template class Chebyshev<AnyOperator<T, EXEC>>;
#define KOLAM_EXTERN_SOLVERS(EXEC)      \
  KOLAM_SOLVERS_OF(extern, float, EXEC) \
  KOLAM_SOLVERS_OF(extern, double, EXEC)
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_EXTERN_SOLVERS)
#undef KOLAM_EXTERN_SOLVERS

}  // namespace kolam::linear
