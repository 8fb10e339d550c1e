// SPDX-License-Identifier: Apache-2.0
// Chebyshev iteration as a solver.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cmath>
#include <kolam/core/error.hpp>
#include <kolam/linear/preconditioners.hpp>
#include <string>

namespace kolam::linear {
namespace detail {

// sums += (r D^-1 r, r r).
template <class T, class Exec>
struct AddScaledSquares {
  ConstVector<T, Exec> inverse, r;
  KOKKOS_FUNCTION void operator()(index_t i, double (&sums)[2]) const {
    const double square = static_cast<double>(r(i)) * r(i);
    sums[0] += static_cast<double>(inverse(i)) * square;
    sums[1] += square;
  }
};

}  // namespace detail

/// Solves A x = b for a symmetric positive definite A by Chebyshev iteration, with the diagonal as
/// preconditioner, starting from x. Its only sums are those of the residual, every `look_every`
/// iterations, so processes rarely wait for each other. If `spectrum` is that of D^-1 A, converges
/// at best as fast as conjugate gradients; a wider `spectrum` slows it down. Diverges if an
/// eigenvalue is above `spectrum`.
///
/// inverse: inverse_diagonal of A, [A.rows()]; spectrum: for example 0.95 and 1.05 times the ends
/// that estimate_eigenvalues returns, because those lie inside the spectrum. b and x: Arrays or
/// Views, [A.rows()]. Waits; all processes of A call it together. Keeps two vectors; besides A, an
/// iteration moves 6 values per unknown, 3 with StencilOperator. Throws InvalidArgument unless
/// 0 < smallest < largest, for look_every < 1, and for options that validate rejects. (Golub and
/// Varga 1961.)
template <LinearOperator A>
SolveResult chebyshev_iteration(const A& a, const ConstVectorOf<A>& inverse,
                                const EigenvalueEstimate& spectrum, const ReadVectorOf<A>& b,
                                const WriteVectorOf<A>& x, const SolveOptions& options = {},
                                int look_every = 10) {
  using T = typename A::value_type;
  using Exec = typename A::execution_space;
  validate(options);
  if (!(spectrum.smallest > 0) || !(spectrum.largest > spectrum.smallest) || look_every < 1) {
    throw InvalidArgument(
        "chebyshev_iteration: a spectrum from " + std::to_string(spectrum.smallest) + " to " +
        std::to_string(spectrum.largest) + " and looks every " + std::to_string(look_every) +
        " iterations; the first must be above 0 and below the second, the last 1 or more");
  }
  const Exec& exec = a.exec();
  const index_t n = a.rows();
  const detail::WorkVector<T, Exec> r(exec, "chebyshev r", n), other(exec, "chebyshev x", n);
  const RowSums<2, Exec> sums(exec, row_distribution(a));
  detail::SolveProgress progress(options);
  const ConstVector<T, Exec> right = b.read(exec);
  const Vector<T, Exec> solution = x.read_write(exec);

  detail::ChebyshevSteps steps(0.5 * (spectrum.largest + spectrum.smallest),
                               0.5 * (spectrum.largest - spectrum.smallest));
  Vector<T, Exec> newest = solution, before = other;  // iterates
  const auto look = [&] {
    detail::set_residual(a, right, newest, r);
    return sums.of("kolam::chebyshev_iteration: r r",
                   detail::AddScaledSquares<T, Exec>{inverse, r});
  };
  const auto first = look();
  progress.start(std::sqrt(first[1]), first[0]);
  for (std::int64_t done = 0; !progress.ended();) {
    const std::int64_t count = std::min<std::int64_t>(look_every, options.max_iterations - done);
    // (look() has left the residual of the first of these steps in r.)
    forall(exec, "kolam::chebyshev_iteration", n,
           detail::Relax<T, Exec>{r, inverse, newest, {}, steps.next<T>(), before});
    std::swap(newest, before);
    for (std::int64_t i = 1; i < count; ++i) {
      detail::relax(a, right, inverse, newest, steps.next<T>(), before, r);
      std::swap(newest, before);
    }
    done += count;
    const auto [rz, rr] = look();
    progress.step(std::sqrt(rr), rz, count);
  }
  if (newest.data() != solution.data()) Kokkos::deep_copy(kokkos_instance(exec), solution, newest);
  return progress.finish(detail::true_residual<A, T, Exec>(a, right, solution, r));
}

}  // namespace kolam::linear

namespace kolam {
using linear::chebyshev_iteration;
}  // namespace kolam
