// SPDX-License-Identifier: Apache-2.0
// The loops over vectors of conjugate gradients.
#pragma once

#include <Kokkos_Core.hpp>
#include <kolam/kernels/vector_sums.hpp>
#include <kolam/linear/operator.hpp>
#include <vector>

namespace kolam::linear::detail {

using kolam::detail::DeviceNumber;

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

// r -= alpha q, and on hosts x += alpha p (see Directions). Scalar is T or DeviceNumber<T>.
template <class T, class Exec, class Scalar = T>
struct TakeStep {
  Vector<T, Exec> p, q, x, r;
  Scalar alpha;
  KOKKOS_FUNCTION void operator()(index_t i) const {
    if constexpr (!has_block_threads<Exec>) x(i) += alpha * p(i);
    r(i) -= alpha * q(i);
  }
};

// The same, and sums += r r.
template <class T, class Exec, class Scalar = T>
struct TakeStepAndAddSquare {
  TakeStep<T, Exec, Scalar> step;
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

// The search directions. On devices, x is updated by four at once, so it is read and written only
// every fourth step. (Hosts read a line before they write it: a new vector for each direction would
// cost as much as this saves, plus cache space.)
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

}  // namespace kolam::linear::detail
