// SPDX-License-Identifier: Apache-2.0
// Relaxation steps for A x = b, which add a scaled residual.
#pragma once

#include <Kokkos_Core.hpp>
#include <concepts>
#include <kolam/core/forall.hpp>
#include <kolam/linear/operator.hpp>

namespace kolam::linear::detail {

// Factors of a step: y = of_x x + of_y y + of_r D^-1 (b - A x). y is not read if of_y is 0.
template <class T>
struct StepFactors {
  T of_x, of_y, of_r;
};

// The step at a row. `inverse` is D^-1; if it is empty, D is 1 and of_y is 0. If q (A x) is empty,
// b is the residual.
template <class T, class Exec>
struct Relax {
  ConstVector<T, Exec> b, inverse, x, q;
  StepFactors<T> factors;
  Vector<T, Exec> y;
  KOKKOS_FUNCTION void operator()(index_t i) const {
    T sum = factors.of_r * (q.data() == nullptr ? b(i) : b(i) - q(i));
    if (inverse.data() != nullptr) sum *= inverse(i);
    sum += factors.of_x * x(i);
    if (factors.of_y != T(0)) sum += factors.of_y * y(i);
    y(i) = sum;
  }
};

// Makes the step in one sweep if A can, and returns whether it did. y must not be x, and of_y must
// be 0 if `inverse` is empty.
template <class A>
bool relax_at_once(const A& a, const ConstVectorOf<A>& b, const ConstVectorOf<A>& inverse,
                   const ConstVectorOf<A>& x, const StepFactors<typename A::value_type>& factors,
                   const VectorOf<A>& y) {
  if constexpr (requires {
                  { a.relax(b, inverse, x, factors, y) } -> std::same_as<bool>;
                }) {
    return a.relax(b, inverse, x, factors, y);
  } else {
    return false;
  }
}

// Makes the step; q is a workspace for A x. Asynchronous if A is.
template <class A>
void relax(const A& a, const ConstVectorOf<A>& b, const ConstVectorOf<A>& inverse,
           const ConstVectorOf<A>& x, const StepFactors<typename A::value_type>& factors,
           const VectorOf<A>& y, const VectorOf<A>& q) {
  if (relax_at_once(a, b, inverse, x, factors, y)) return;
  a.apply(x, q);
  forall(a.exec(), "kolam::relax", a.rows(),
         Relax<typename A::value_type, typename A::execution_space>{b, inverse, x, q, factors, y});
}

// r = b - A x.
template <class A>
void set_residual(const A& a, const ConstVectorOf<A>& b, const ConstVectorOf<A>& x,
                  const VectorOf<A>& r) {
  relax(a, b, {}, x, {0, 0, 1}, r, r);
}

}  // namespace kolam::linear::detail
