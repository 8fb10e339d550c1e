// SPDX-License-Identifier: Apache-2.0
// Preconditioners made of an operator and its diagonal.
#pragma once

#include <Kokkos_Core.hpp>
#include <kolam/core/detail/allocate.hpp>
#include <kolam/core/error.hpp>
#include <kolam/linear/conjugate_gradient.hpp>
#include <string>

namespace kolam::linear {
namespace detail {

// d = 1 / d.
template <class T, class Exec>
struct Invert {
  Vector<T, Exec> d;
  KOKKOS_FUNCTION void operator()(index_t i) const { d(i) = T(1) / d(i); }
};

// y = d x.
template <class T, class Exec>
struct Scale {
  ConstVector<T, Exec> d, x;
  Vector<T, Exec> y;
  KOKKOS_FUNCTION void operator()(index_t i) const { y(i) = d(i) * x(i); }
};

// The first step of a Chebyshev iteration: r = b - q (from zero: b), d = factor D^-1 r, x += d.
template <class T, class Exec>
struct ChebyshevStart {
  ConstVector<T, Exec> b, inverse;
  Vector<T, Exec> q, r, d, x;
  T factor;
  bool from_zero;
  KOKKOS_FUNCTION void operator()(index_t i) const {
    const T residual = from_zero ? b(i) : b(i) - q(i);
    const T direction = factor * inverse(i) * residual;
    r(i) = residual;
    d(i) = direction;
    x(i) = from_zero ? direction : x(i) + direction;
  }
};

// A later one: r -= q, d = of_d d + of_r D^-1 r, x += d.
template <class T, class Exec>
struct ChebyshevStep {
  ConstVector<T, Exec> inverse;
  Vector<T, Exec> q, r, d, x;
  T of_d, of_r;
  KOKKOS_FUNCTION void operator()(index_t i) const {
    const T residual = r(i) - q(i);
    const T direction = of_d * d(i) + of_r * inverse(i) * residual;
    r(i) = residual;
    d(i) = direction;
    x(i) += direction;
  }
};

}  // namespace detail

/// 1 over the diagonal of A, [A.rows()]. Waits.
template <LinearOperator A>
VectorOf<A> inverse_diagonal(const A& a) {
  using T = typename A::value_type;
  using Exec = typename A::execution_space;
  const auto d =
      kolam::detail::allocate_zeros<VectorOf<A>>(a.exec(), "kolam::inverse diagonal", a.rows());
  a.diagonal(d);
  forall(a.exec(), "kolam::inverse_diagonal", a.rows(), detail::Invert<T, Exec>{d});
  a.exec().fence("kolam::inverse_diagonal");
  return d;
}

/// y = D^-1 x, D the diagonal of A.
template <class T, ExecutionSpace Exec>
struct Jacobi {
  using value_type = T;          ///< of vectors
  using execution_space = Exec;  ///< that it works on

  Exec exec;                     ///< that it works on
  ConstVector<T, Exec> inverse;  ///< of the diagonal

  /// Of an operator whose inverse_diagonal is known.
  Jacobi(const Exec& instance, const ConstVector<T, Exec>& inverse_of_diagonal)
      : exec(instance), inverse(inverse_of_diagonal) {}
  /// Of this operator. Waits.
  template <LinearOperator A>
  explicit Jacobi(const A& a) : Jacobi(a.exec(), inverse_diagonal(a)) {}

  /// Asynchronous; y may be x.
  void apply(const ConstVector<T, Exec>& x, const Vector<T, Exec>& y) const {
    forall(exec, "kolam::Jacobi", static_cast<index_t>(inverse.extent(0)),
           detail::Scale<T, Exec>{inverse, x, y});
  }
};
/// Those of a.
template <LinearOperator A>
Jacobi(const A& a) -> Jacobi<typename A::value_type, typename A::execution_space>;

/// The outermost eigenvalues of D^-1 A, from `steps` conjugate-gradient iterations on a vector of
/// random numbers (always the same): the largest to some per cent, from below; the smallest from
/// above, and far off unless `steps` are many. Costs as many applications of A. Waits. Throws
/// InvalidArgument if there is no iteration: no steps, or no rows.
template <LinearOperator A>
EigenvalueEstimate estimate_eigenvalues(const A& a, const ConstVectorOf<A>& inverse,
                                        int steps = 15) {
  using T = typename A::value_type;
  using Exec = typename A::execution_space;
  const index_t n = a.rows();
  const detail::WorkVector<T, Exec> b(a.exec(), "random numbers", n);
  const detail::WorkVector<T, Exec> x(a.exec(), "solution of no use", n);
  fill_random(a, b);
  const SolveResult result =
      conjugate_gradient(a, Jacobi<T, Exec>{a.exec(), inverse}, b, x,
                         SolveOptions{.rtol = 1e-12, .max_iterations = steps});
  return eigenvalue_estimate(result);
}

/// A polynomial in D^-1 A that is small on the upper part of its spectrum: a smoother, and a
/// preconditioner that needs no sums. (Chebyshev iteration; Adams et al. 2003.)
template <LinearOperator A>
class Chebyshev {
  using T = typename A::value_type;
  using Exec = typename A::execution_space;

 public:
  using value_type = T;          ///< of vectors
  using execution_space = Exec;  ///< that it works on

  /// `degree` (at least 1) applications of D^-1, one fewer of A. Smooths the eigenvalues from
  /// `largest` / `range` to `largest`, which a safe estimate bounds from above. Throws
  /// InvalidArgument if degree < 1 or range <= 1.
  Chebyshev(const A& a, const ConstVector<T, Exec>& inverse, int degree, double largest,
            double range)
      : a_(a),
        inverse_(inverse),
        degree_(degree),
        center_(0.5 * (largest + largest / range)),
        half_(0.5 * (largest - largest / range)),
        r_(a.exec(), "chebyshev r", a.rows()),
        d_(a.exec(), "chebyshev d", a.rows()),
        q_(a.exec(), "chebyshev q", a.rows()) {
    if (degree < 1 || !(range > 1)) {
      throw InvalidArgument("Chebyshev: degree " + std::to_string(degree) + " and range " +
                            std::to_string(range) +
                            "; the one must be 1 or more, the other above 1");
    }
  }

  /// x = p(D^-1 A) D^-1 b. Asynchronous if A is; one use at a time.
  void apply(const ConstVector<T, Exec>& b, const Vector<T, Exec>& x) const { run(b, x, true); }
  /// The same for what is left of b: x += p(D^-1 A) D^-1 (b - A x).
  void smooth(const ConstVector<T, Exec>& b, const Vector<T, Exec>& x) const { run(b, x, false); }

 private:
  void run(const ConstVector<T, Exec>& b, const Vector<T, Exec>& x, bool from_zero) const {
    const Exec& exec = a_.exec();
    const index_t n = a_.rows();
    if (!from_zero) a_.apply(x, q_);
    forall(exec, "kolam::Chebyshev", n,
           detail::ChebyshevStart<T, Exec>{b, inverse_, q_, r_, d_, x, static_cast<T>(1 / center_),
                                           from_zero});
    const double sigma = center_ / half_;
    double rho = 1 / sigma;
    for (int k = 1; k < degree_; ++k) {
      const double next = 1 / (2 * sigma - rho);
      const T of_d = static_cast<T>(next * rho);
      const T of_r = static_cast<T>(2 * next / half_);
      rho = next;
      a_.apply(d_, q_);
      forall(exec, "kolam::Chebyshev", n,
             detail::ChebyshevStep<T, Exec>{inverse_, q_, r_, d_, x, of_d, of_r});
    }
  }

  A a_;
  ConstVector<T, Exec> inverse_;
  int degree_;
  double center_;
  double half_;
  detail::WorkVector<T, Exec> r_, d_, q_;
};

/// A polynomial of a as a preconditioner of conjugate gradients, which are then known as PPCG: `degree` - 1 applications of
/// a, and no sums, take the place of about as many iterations, each of which has two. It is Chebyshev's for the spectrum
/// that `steps` iterations of conjugate gradients find, the set-up. Waits. Throws InvalidArgument for degree < 1, and where
/// the estimate is no interval of positive numbers: a is not positive definite, or has no rows.
/// \code
///   const auto m = kolam::linear::polynomial_preconditioner(a, 10);
///   const auto result = kolam::conjugate_gradient(a, m, b, x);
/// \endcode
template <LinearOperator A>
Chebyshev<A> polynomial_preconditioner(const A& a, int degree = 10, int steps = 30) {
  const auto inverse = inverse_diagonal(a);
  const EigenvalueEstimate found = estimate_eigenvalues(a, inverse, steps);
  const double largest = 1.1 * found.largest;  // (the estimates lie within the spectrum)
  return {a, inverse, degree, largest, largest / (0.95 * found.smallest)};
}

}  // namespace kolam::linear
