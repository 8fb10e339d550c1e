// SPDX-License-Identifier: Apache-2.0
// Conjugate gradients for symmetric positive definite operators.
#pragma once

#include <Kokkos_Core.hpp>
#include <cmath>
#include <kolam/kernels/vector_sums.hpp>
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

// sums += (b - q)^2.
template <class T, class Exec>
struct AddResidualSquare {
  ConstVector<T, Exec> b;
  Vector<T, Exec> q;
  KOKKOS_FUNCTION void operator()(index_t i, double (&sums)[1]) const {
    const double r = static_cast<double>(b(i)) - q(i);
    sums[0] += r * r;
  }
};

// sums += (r z, r r).
template <class T, class Exec>
struct AddResidualProducts {
  ConstVector<T, Exec> r, z;
  KOKKOS_FUNCTION void operator()(index_t i, double (&sums)[2]) const {
    sums[0] += static_cast<double>(r(i)) * z(i);
    sums[1] += static_cast<double>(r(i)) * r(i);
  }
};

// sums += x y.
template <class T, class Exec>
struct AddProduct {
  Vector<T, Exec> x, y;
  KOKKOS_FUNCTION void operator()(index_t i, double (&sums)[1]) const {
    sums[0] += static_cast<double>(x(i)) * y(i);
  }
};

// r = b - q.
template <class T, class Exec>
struct SetResidual {
  ConstVector<T, Exec> b;
  Vector<T, Exec> q, r;
  KOKKOS_FUNCTION void operator()(index_t i) const { r(i) = b(i) - q(i); }
};

// p = z + beta before; the first p is z, because vectors may hold values of an earlier solve.
template <class T, class Exec>
struct SetDirection {
  Vector<T, Exec> z, before, p;
  T beta;
  bool first;
  KOKKOS_FUNCTION void operator()(index_t i) const {
    // (On hosts both are the same vector; reading p(i) lets the compiler know.)
    const T last = has_block_threads<Exec> ? before(i) : p(i);
    p(i) = first ? z(i) : z(i) + beta * last;
  }
};

// r -= alpha q, and on hosts x += alpha p (see Directions).
template <class T, class Exec>
struct TakeStep {
  Vector<T, Exec> p, q, x, r;
  T alpha;
  KOKKOS_FUNCTION void operator()(index_t i) const {
    if constexpr (!has_block_threads<Exec>) x(i) += alpha * p(i);
    r(i) -= alpha * q(i);
  }
};

// The same, and sums += r r.
template <class T, class Exec>
struct TakeStepAndAddSquare {
  TakeStep<T, Exec> step;
  KOKKOS_FUNCTION void operator()(index_t i, double (&sums)[1]) const {
    step(i);
    sums[0] += static_cast<double>(step.r(i)) * step.r(i);
  }
};

// x += alpha p for N steps, in order.
template <std::size_t N, class T, class Exec>
struct TakeSteps {
  Vector<T, Exec> x;
  Kokkos::Array<Vector<T, Exec>, N> p;
  Kokkos::Array<T, N> alpha;
  KOKKOS_FUNCTION void operator()(index_t i) const {
    T value = x(i);
    for (std::size_t n = 0; n < N; ++n) value += alpha[n] * p[n](i);
    x(i) = value;
  }
};

// The search directions. On devices x takes four at once, so it is read and written only every
// fourth step. (Hosts read a line before they write it: a new vector for each direction would cost
// as much as that saves, and cache space.)
template <class T, ExecutionSpace Exec, std::size_t most = has_block_threads<Exec> ? 4 : 1>
class Directions {
 public:
  Directions(const Exec& exec, index_t n) : exec_(exec) {
    for (std::size_t i = 0; i < most; ++i) p_.emplace_back(exec, "cg p", n);
  }

  // Return the vector for the next direction, and the vector of the direction before.
  Vector<T, Exec> next() const { return p_[pending_]; }
  Vector<T, Exec> before() const { return p_[(pending_ + most - 1) % most]; }

  // Defers x += alpha next() until later steps; on hosts TakeStep has done it.
  void defer(T alpha, const Vector<T, Exec>& x) {
    if constexpr (most > 1) {
      alpha_[pending_++] = alpha;
      if (pending_ < most) return;
      take<most>(0, x);
      pending_ = 0;
    }
  }
  // Adds the deferred steps to x.
  void finish(const Vector<T, Exec>& x) {
    for (std::size_t i = 0; i < pending_; ++i) take<1>(i, x);
    pending_ = 0;
  }

 private:
  template <std::size_t N>
  void take(std::size_t first, const Vector<T, Exec>& x) {
    TakeSteps<N, T, Exec> steps{x, {}, {}};
    for (std::size_t i = 0; i < N; ++i) {
      steps.p[i] = p_[first + i];
      steps.alpha[i] = alpha_[first + i];
    }
    forall(exec_, "kolam::cg: x += alpha p", static_cast<index_t>(x.extent(0)), steps);
  }

  Exec exec_;
  std::vector<WorkVector<T, Exec>> p_;
  Kokkos::Array<T, most> alpha_ = {};
  std::size_t pending_ = 0;
};

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

// Sets y = A x and returns x y, in one sweep if the operator can.
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

// The vectors and sums of a solve beside A, M, b and x; kept for repeated solves.
template <class T, ExecutionSpace Exec>
struct ConjugateGradientWorkspace {
  WorkVector<T, Exec> r, q, z;  // z is r without a preconditioner
  Directions<T, Exec> directions;
  RowSums<1, Exec> one_sum;
  RowSums<2, Exec> sums;

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
        sums(exec, rows) {}
};

// conjugate_gradient without the true residual.
template <class T, ExecutionSpace Exec, class A, class M>
void iterate(const A& a, const M& m, const ConstVector<T, Exec>& b, const Vector<T, Exec>& x,
             const ConjugateGradientWorkspace<T, Exec>& workspace, SolveProgress& progress) {
  Directions<T, Exec> directions = workspace.directions;  // (the same vectors)
  const Exec& exec = a.exec();
  const index_t n = a.rows();
  const Vector<T, Exec> r = workspace.r;
  const Vector<T, Exec> q = workspace.q;
  const Vector<T, Exec> z = workspace.z;
  constexpr bool plain = std::is_same_v<M, Identity>;
  a.apply(x, q);
  forall(exec, "kolam::cg: r = b - A x", n, SetResidual<T, Exec>{b, q, r});
  if constexpr (!plain) m.apply(r, z);
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
/// positive definite Applicable), starting from x. b and x: Arrays or Views, [A.rows()]. Stops by
/// the norm of the recurrence's residual, relative to the first; SolveResult has the true residual
/// as well.
///
/// Throws InvalidArgument for options that validate rejects, but never for numerical failure: see
/// SolveStatus; x is then the last iterate. Waits; all processes of A call it together. Sums do not
/// depend on the number of threads.
///
/// Keeps four vectors, on devices seven (one fewer without a preconditioner). Beside A and M, an iteration moves 13 values for each
/// unknown, without M 11 (12 if another process counts some of its rows), on devices 1.5 less. It
/// moves 2 less if A has apply_dot(x, y), which also returns x . A x over all processes. On devices
/// it moves 1 less again if A has apply_direction(z, beta, before, p, y), which stores p = z + beta
/// before and is apply_dot for it (see StencilOperator). (Hestenes and Stiefel 1952.)
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
