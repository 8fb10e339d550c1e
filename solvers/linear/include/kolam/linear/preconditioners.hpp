// SPDX-License-Identifier: Apache-2.0
// Preconditioners made from an operator and its diagonal.
#pragma once

#include <Kokkos_Core.hpp>
#include <kolam/core/detail/allocate.hpp>
#include <kolam/core/error.hpp>
#include <kolam/linear/conjugate_gradient.hpp>
#include <kolam/linear/detail/relax.hpp>
#include <string>
#include <utility>

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

// The factors of Chebyshev iteration for eigenvalues from center - radius to center + radius.
class ChebyshevSteps {
 public:
  ChebyshevSteps(double center, double radius)
      : center_(center), radius_(radius), rho_(radius / center) {}

  // Returns the factors of the next step; x is the newest iterate and y the iterate before.
  template <class T>
  StepFactors<T> next() {
    if (std::exchange(first_, false)) return {1, 0, static_cast<T>(1 / center_)};
    const double rho = 1 / (2 * center_ / radius_ - rho_);
    const double of_before = rho * std::exchange(rho_, rho);
    return {static_cast<T>(1 + of_before), static_cast<T>(-of_before),
            static_cast<T>(2 * rho / radius_)};
  }

 private:
  double center_, radius_, rho_;
  bool first_ = true;
};

}  // namespace detail

/// Returns 1 over the diagonal of A, [A.rows()]. Waits.
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

/// The Jacobi preconditioner: y = D^-1 x, D the diagonal of A.
template <class T, ExecutionSpace Exec>
struct Jacobi {
  using value_type = T;          ///< type of vector entries
  using execution_space = Exec;  ///< execution space of its kernels

  Exec exec;                     ///< instance of its kernels
  ConstVector<T, Exec> inverse;  ///< inverse of the diagonal

  /// Makes it from the inverse_diagonal of an operator.
  Jacobi(const Exec& instance, const ConstVector<T, Exec>& inverse_of_diagonal)
      : exec(instance), inverse(inverse_of_diagonal) {}
  /// Makes it from an operator. Waits.
  template <LinearOperator A>
  explicit Jacobi(const A& a) : Jacobi(a.exec(), inverse_diagonal(a)) {}

  /// Applies it: y = D^-1 x. Asynchronous; y may be x.
  void apply(const ConstVector<T, Exec>& x, const Vector<T, Exec>& y) const {
    forall(exec, "kolam::Jacobi", static_cast<index_t>(inverse.extent(0)),
           detail::Scale<T, Exec>{inverse, x, y});
  }
};
/// Takes T and Exec from a.
template <LinearOperator A>
Jacobi(const A& a) -> Jacobi<typename A::value_type, typename A::execution_space>;

/// Returns estimates of the outermost eigenvalues of D^-1 A, from `steps` conjugate-gradient
/// iterations on a random vector (always the same): the largest to some per cent, from below; the
/// smallest from above, and far too large unless `steps` is large. Costs `steps` applications of A.
/// Waits. Throws InvalidArgument if there is no iteration: no steps, or no rows.
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

/// A Chebyshev polynomial in D^-1 A, accurate on the upper part of the spectrum: a smoother, and a
/// preconditioner that needs no sums. (Chebyshev iteration; Adams et al. 2003.)
template <LinearOperator A>
class Chebyshev {
  using T = typename A::value_type;
  using Exec = typename A::execution_space;

 public:
  using value_type = T;          ///< type of vector entries
  using execution_space = Exec;  ///< execution space of its kernels

  /// Makes a polynomial of `degree` (at least 1) applications of D^-1, and one fewer of A. Damps
  /// errors of eigenvalues from `largest` / `range` to `largest`, which should be a safe upper
  /// bound. Throws InvalidArgument if degree < 1 or range <= 1.
  Chebyshev(const A& a, const ConstVector<T, Exec>& inverse, int degree, double largest,
            double range)
      : a_(a),
        inverse_(inverse),
        degree_(degree),
        center_(0.5 * (largest + largest / range)),
        half_(0.5 * (largest - largest / range)),
        other_(a.exec(), "chebyshev x", a.rows()),
        q_(a.exec(), "chebyshev q", a.rows()) {
    if (degree < 1 || !(range > 1)) {
      throw InvalidArgument("Chebyshev: degree " + std::to_string(degree) + " and range " +
                            std::to_string(range) +
                            "; the one must be 1 or more, the other above 1");
    }
  }

  /// Applies the polynomial: x = p(D^-1 A) D^-1 b. Asynchronous if A is; one call at a time.
  void apply(const ConstVector<T, Exec>& b, const Vector<T, Exec>& x) const { run(b, x, true); }
  /// Smooths x: x += p(D^-1 A) D^-1 (b - A x), with one more application of A.
  void smooth(const ConstVector<T, Exec>& b, const Vector<T, Exec>& x) const { run(b, x, false); }

 private:
  void run(const ConstVector<T, Exec>& b, const Vector<T, Exec>& x, bool from_zero) const {
    detail::ChebyshevSteps steps(center_, half_);
    // Iterates alternate between x and other_; from zero, the first is chosen so that the last is
    // x.
    Vector<T, Exec> newest = x, before = other_;
    int done = 0;
    if (from_zero) {
      if (degree_ % 2 == 0) std::swap(newest, before);
      const auto factors = steps.next<T>();
      forall(a_.exec(), "kolam::Chebyshev", a_.rows(),
             detail::Relax<T, Exec>{b, inverse_, b, {}, {0, 0, factors.of_r}, newest});
      done = 1;
    }
    for (; done < degree_; ++done) {
      auto factors = steps.next<T>();
      if (from_zero && done == 1) factors.of_y = 0;  // (the iterate before was zero)
      detail::relax(a_, b, inverse_, newest, factors, before, q_);
      std::swap(newest, before);
    }
    if (newest.data() != x.data()) Kokkos::deep_copy(kokkos_instance(a_.exec()), x, newest);
  }

  A a_;
  ConstVector<T, Exec> inverse_;
  int degree_;
  double center_;
  double half_;
  detail::WorkVector<T, Exec> other_, q_;
};

/// Returns a polynomial of a as a preconditioner for conjugate gradients (PPCG). Its `degree` - 1
/// applications of a, which need no sums, replace about as many iterations with two sums each.
/// It is the Chebyshev polynomial for the spectrum that `steps` iterations of conjugate gradients
/// estimate in the set-up. Waits. Throws InvalidArgument for degree < 1, and if the estimate is not
/// an interval of positive numbers: a is not positive definite, or has no rows.
/// \code
///   const auto m = kolam::linear::polynomial_preconditioner(a, 10);
///   const auto result = kolam::conjugate_gradient(a, m, b, x);
/// \endcode
template <LinearOperator A>
Chebyshev<A> polynomial_preconditioner(const A& a, int degree = 10, int steps = 30) {
  const auto inverse = inverse_diagonal(a);
  const EigenvalueEstimate found = estimate_eigenvalues(a, inverse, steps);
  const double largest = 1.1 * found.largest;  // (the estimates are inside the spectrum)
  return {a, inverse, degree, largest, largest / (0.95 * found.smallest)};
}

}  // namespace kolam::linear
