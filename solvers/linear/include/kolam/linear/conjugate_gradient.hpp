// SPDX-License-Identifier: Apache-2.0
// Conjugate gradients for symmetric positive definite operators.
#pragma once

#include <Kokkos_Core.hpp>
#include <cmath>
#include <kolam/linear/detail/cg_on_device.hpp>
#include <kolam/linear/operator.hpp>
#include <kolam/linear/solve_result.hpp>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

namespace kolam::linear {

/// The preconditioner that does nothing.
struct Identity {};

namespace detail {

// Returns |b - A x|; `workspace` holds one vector.
template <class A, class T, class Exec>
double true_residual(const A& a, const ConstVector<T, Exec>& b, const Vector<T, Exec>& x,
                     const Vector<T, Exec>& workspace) {
  a.apply(x, workspace);
  const auto [sum] = RowSums<1, Exec>(a.exec(), row_distribution(a))
                         .of("kolam::true_residual", AddResidualSquare<T, Exec>{b, workspace});
  return std::sqrt(sum);
}

// Returns r z and r r.
template <class T, class Exec>
std::pair<double, double> residual_sums(const RowSums<2, Exec>& sums, const Vector<T, Exec>& r,
                                        const Vector<T, Exec>& z) {
  const auto [rz, rr] = sums.of("kolam::cg: r z", AddResidualProducts<T, Exec>{r, z});
  return {rz, rr};
}

// Sets y = A x and returns x y, in one sweep if the operator has apply_dot.
template <class A, class T, class Exec>
double apply_dot(const A& a, const RowSums<1, Exec>& sum, const Vector<T, Exec>& x,
                 const Vector<T, Exec>& y) {
  if constexpr (requires { a.apply_dot(x, y); }) {
    return a.apply_dot(x, y);
  } else {
    a.apply(x, y);
    return sum.of("kolam::cg: p A p", AddProduct<T, Exec>{x, y})[0];
  }
}

// Sets p = z + beta before and q = A p, and returns p q, in as few sweeps as the operator can.
template <class A, class T, class Exec>
double apply_direction(const A& a, const RowSums<1, Exec>& sum, const SetDirection<T, Exec>& d,
                       const Vector<T, Exec>& q) {
  if constexpr (has_block_threads<Exec> &&
                requires { a.apply_direction(d.z, d.beta, d.before, d.p, q); }) {
    if (!d.first) return a.apply_direction(d.z, d.beta, d.before, d.p, q);
  }
  forall(a.exec(), "kolam::cg: p = z + beta p", a.rows(), d);
  return apply_dot(a, sum, d.p, q);
}

// The vectors and sums of a solve besides A, M, b and x; kept for repeated solves.
template <class T, ExecutionSpace Exec>
struct ConjugateGradientWorkspace {
  WorkVector<T, Exec> r, q, z;  // z is r without a preconditioner
  Directions<T, Exec> directions;
  RowSums<1, Exec> one_sum;
  RowSums<2, Exec> sums;
  std::conditional_t<has_block_threads<Exec>, CgNumbersOnDevice<Exec>, NoNumbersOnDevice> numbers;

  ConjugateGradientWorkspace(const Exec& exec, const comm::RowDistribution& rows,
                             bool preconditioned)
      : ConjugateGradientWorkspace(exec, rows, rows.here * rows.components, preconditioned) {}

 private:
  ConjugateGradientWorkspace(const Exec& exec, const comm::RowDistribution& rows, index_t n,
                             bool preconditioned)
      : r(exec, "cg r", n),
        q(exec, "cg q", n),
        z(preconditioned ? WorkVector<T, Exec>(exec, "cg z", n) : r),
        directions(exec, n),
        one_sum(exec, rows),
        sums(exec, rows),
        numbers(exec) {}
};

// conjugate_gradient without the true residual.
template <class T, ExecutionSpace Exec, class A, class M>
void iterate(const A& a, const M& m, const ConstVector<T, Exec>& b, const Vector<T, Exec>& x,
             const ConjugateGradientWorkspace<T, Exec>& workspace, SolveProgress& progress) {
  const Exec& exec = a.exec();
  const index_t n = a.rows();
  const Vector<T, Exec> r = workspace.r;
  const Vector<T, Exec> q = workspace.q;
  const Vector<T, Exec> z = workspace.z;
  constexpr bool plain = std::is_same_v<M, Identity>;
  a.apply(x, q);
  forall(exec, "kolam::cg: r = b - A x", n, SetResidual<T, Exec>{b, q, r});
  if constexpr (!plain) m.apply(r, z);
  if constexpr (has_block_threads<Exec> && goes_on_device<A, T, Exec>) {
    if (workspace.one_sum.of_one_process())
      return iterate_on_device<T, Exec>(a, m, x, workspace, progress);
  }
  Directions<T, Exec> directions = workspace.directions;  // (the same vectors)
  auto [rz, rr] = residual_sums<T>(workspace.sums, r, z);
  progress.start(std::sqrt(rr), rz);
  double beta = 0;
  while (!progress.ended()) {
    const SetDirection<T, Exec> direction{z, directions.before(), directions.next(),
                                          static_cast<T>(beta), beta == 0};
    const double pq = apply_direction(a, workspace.one_sum, direction, q);
    if (!progress.admits(pq)) break;
    progress.lanczos(rz / pq, beta);
    const TakeStep<T, Exec> step{direction.p, q, x, r, static_cast<T>(rz / pq)};
    directions.defer(step.alpha, x);
    const char* const label = "kolam::cg: x += alpha p, r -= alpha q";
    double next_rz = 0, next_rr = 0;
    if (plain && workspace.one_sum.counts_all()) {
      next_rr = workspace.one_sum.of(label, TakeStepAndAddSquare<T, Exec>{step})[0];
      next_rz = next_rr;
    } else {
      forall(exec, label, n, step);
      if constexpr (!plain) m.apply(r, z);
      std::tie(next_rz, next_rr) = residual_sums<T>(workspace.sums, r, z);
    }
    progress.step(std::sqrt(next_rr), next_rz);
    beta = next_rz / rz;
    rz = next_rz;
  }
  directions.finish(x);
}

}  // namespace detail

/// Solves A x = b by conjugate gradients with the preconditioner M (Identity, or a symmetric
/// positive definite Applicable), starting from x. b and x: Arrays or Views, [A.rows()]. Stops on
/// the norm of the recursive residual, relative to the first; SolveResult also has the true
/// residual.
///
/// Throws InvalidArgument for options that validate rejects, but never for numerical failure: see
/// SolveStatus; x is then the last iterate. Waits; all processes of A call it together. Sums do not
/// depend on the number of threads.
///
/// Keeps four vectors, seven on devices (one fewer without M). Besides A and M, an iteration moves
/// 13 values per unknown; without M 11 (12 if another process counts some of its rows); on devices
/// 1.5 fewer. It moves 2 fewer if A has apply_dot(x, y), which also returns x . A x over all
/// processes, and on devices another 1 fewer if A has apply_direction(z, beta, before, p, y), which
/// stores p = z + beta before and does apply_dot(p, y) (see StencilOperator). On a device, in a
/// single process, the host waits once per iteration, or twice if A has apply_dot but is not a
/// StencilOperator. (Hestenes and Stiefel 1952.)
template <LinearOperator A, class M>
SolveResult conjugate_gradient(const A& a, const M& m, const ReadVectorOf<A>& b,
                               const WriteVectorOf<A>& x, const SolveOptions& options = {}) {
  using T = typename A::value_type;
  using Exec = typename A::execution_space;
  static_assert(std::same_as<M, Identity> || Applicable<M, T, Exec>,
                "a preconditioner is Identity{}, or has apply(x, y) for vectors of the operator");
  validate(options);
  const detail::ConjugateGradientWorkspace<T, Exec> workspace(a.exec(), row_distribution(a),
                                                              !std::is_same_v<M, Identity>);
  detail::SolveProgress progress(options);
  const ConstVector<T, Exec> right = b.read(a.exec());
  const Vector<T, Exec> solution = x.read_write(a.exec());
  detail::iterate(a, m, right, solution, workspace, progress);
  return progress.finish(detail::true_residual<A, T, Exec>(a, right, solution, workspace.q));
}

}  // namespace kolam::linear

namespace kolam {
using linear::conjugate_gradient;
}  // namespace kolam
