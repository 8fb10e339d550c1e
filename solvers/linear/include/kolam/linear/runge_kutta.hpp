// SPDX-License-Identifier: Apache-2.0
// Explicit time steps of du/dt = f(u).
#pragma once

#include <Kokkos_Core.hpp>
#include <array>
#include <cmath>
#include <concepts>
#include <kolam/core/error.hpp>
#include <kolam/core/forall.hpp>
#include <kolam/linear/operator.hpp>
#include <string>
#include <utility>
#include <vector>

namespace kolam::linear {

/// The right-hand side f of du/dt = f(u), linear or not: f.apply(x, y) sets y = f(x). Every
/// LinearOperator qualifies.
template <class F>
concept RightHandSide =
    ExecutionSpace<typename F::execution_space> &&
    Applicable<F, typename F::value_type, typename F::execution_space> && requires(const F& f) {
      { f.rows() } -> std::convertible_to<index_t>;
      { f.exec() } -> std::convertible_to<typename F::execution_space>;
    };

/// A term of a sum: factor times vector.
template <class T, ExecutionSpace Exec>
struct Term {
  T factor;                     ///< factor of the vector
  ConstVector<T, Exec> vector;  ///< [rows]
};

/// Explicit Runge-Kutta methods. The ssp methods are strong stability preserving: a quantity that
/// does not grow in forward Euler steps of some length, such as the total variation, does not grow
/// in their steps of that length either. (Gottlieb, Shu and Tadmor 2001.)
enum class RungeKuttaMethod {
  ssp2,  ///< Heun's method: two stages, second order
  ssp3,  ///< Shu and Osher's method: three stages, third order
  rk4    ///< the classical method: four stages, fourth order
};

namespace detail {

// vectors[to] = of_x x + of_f dt f(x) + others, with x = vectors[from]; vectors[0] is u. `time` is
// the time of x, as a fraction of the step.
struct Stage {
  std::size_t from, to;
  double time, of_x, of_f;
  double others[3];  // factors of vectors[0] to [2]
};

// The last stage is written to u, so the others need one vector each.
inline std::vector<Stage> stages(RungeKuttaMethod method) {
  switch (method) {
    case RungeKuttaMethod::ssp2:
      return {{0, 1, 0, 1, 1, {}}, {1, 0, 1, 0.5, 0.5, {0.5}}};
    case RungeKuttaMethod::ssp3:
      return {{0, 1, 0, 1, 1, {}},
              {1, 2, 1, 0.25, 0.25, {0.75}},
              {2, 0, 0.5, 2.0 / 3, 2.0 / 3, {1.0 / 3}}};
    case RungeKuttaMethod::rk4:
      break;
  }
  return {{0, 1, 0, 1, 0.5, {}},
          {1, 2, 0.5, 0, 0.5, {1}},
          {2, 3, 0.5, 0, 1, {1}},
          {3, 0, 1, 1.0 / 3, 1.0 / 6, {-1.0 / 3, 1.0 / 3, 2.0 / 3}}};
}

// y = of_x x + of_f f + terms, at one row.
template <class T, class Exec, std::size_t Terms>
struct Combine {
  ConstVector<T, Exec> x, f;
  T of_x, of_f;
  Kokkos::Array<T, Terms> factors;
  Kokkos::Array<ConstVector<T, Exec>, Terms> vectors;
  Vector<T, Exec> y;
  KOKKOS_FUNCTION void operator()(index_t i) const {
    T sum = of_x * x(i) + of_f * f(i);
    for (std::size_t t = 0; t < Terms; ++t) sum += factors[t] * vectors[t](i);
    y(i) = sum;
  }
};

}  // namespace detail

/// A Runge-Kutta integrator for du/dt = f(u).
/// \code
///   kolam::linear::RungeKutta time(f, kolam::linear::RungeKuttaMethod::ssp3);
///   ...
///   time.step(u, dt);
/// \endcode
/// Memory: one, two or three vectors (ssp2, ssp3, rk4), and one more if f lacks apply_stage
/// (StencilOperator has it). A step moves 5, 8 or 13 values for each row, and 4 more in each stage
/// without apply_stage.
template <RightHandSide F>
class RungeKutta {
 public:
  using value_type = typename F::value_type;            ///< type of vector entries
  using execution_space = typename F::execution_space;  ///< execution space of its kernels

  /// Keeps a copy of f and allocates all vectors. Throws OutOfMemory.
  explicit RungeKutta(const F& f, RungeKuttaMethod method = RungeKuttaMethod::ssp3)
      : f_(f), stages_(detail::stages(method)) {
    for (std::size_t i = 1; i < stages_.size(); ++i) work_.push_back(work("stage"));
    if constexpr (!has_apply_stage) work_.push_back(work("du/dt"));
  }

  /// Returns the copy of f, for instance to set its coefficients.
  F& f() { return f_; }

  /// Advances u by a step of dt. u: an Array or a View, [f.rows()]. Asynchronous if f is; all
  /// processes of f call it. Throws InvalidArgument for another length and if dt is not finite.
  void step(const WriteVectorOf<F>& u, double dt) {
    step(u, dt, [](double) {});
  }
  /// The same for du/dt = f(t, u): calls before(offset) before each application of f, to prepare f
  /// for the time offset, 0 to dt, after the step's beginning.
  template <std::invocable<double> Before>
  void step(const WriteVectorOf<F>& u, double dt, const Before& before) {
    const Exec exec = f_.exec();
    const Vector<T, Exec> values = u.read_write(exec);
    if (values.extent(0) != static_cast<std::size_t>(f_.rows())) {
      throw InvalidArgument("RungeKutta::step: u has " + std::to_string(values.extent(0)) +
                            " values; f has " + std::to_string(f_.rows()) + " rows");
    }
    if (!std::isfinite(dt)) {
      throw InvalidArgument("RungeKutta::step: dt is " + std::to_string(dt) +
                            "; it must be finite");
    }
    for (const detail::Stage& stage : stages_) {
      before(stage.time * dt);
      if (stage.others[1] != 0) {
        run<3>(stage, dt, values);
      } else if (stage.others[0] != 0) {
        run<1>(stage, dt, values);
      } else {
        run<0>(stage, dt, values);
      }
    }
  }

 private:
  using T = value_type;
  using Exec = execution_space;
  static constexpr bool has_apply_stage =
      requires(const F& f, const ConstVector<T, Exec>& x, const Vector<T, Exec>& y) {
        f.apply_stage(x, T(), T(), std::array<Term<T, Exec>, 1>{}, y);
      };

  auto work(const char* label) const {
    return detail::WorkVector<T, Exec>(f_.exec(), std::string("Runge-Kutta: ") + label, f_.rows());
  }

  template <std::size_t Terms>
  void run(const detail::Stage& stage, double dt, const Vector<T, Exec>& u) const {
    const auto vector = [&](std::size_t number) -> Vector<T, Exec> {
      return number == 0 ? u : work_[number - 1];
    };
    const ConstVector<T, Exec> x = vector(stage.from);
    const Vector<T, Exec> y = vector(stage.to);
    const auto of_x = static_cast<T>(stage.of_x), of_f = static_cast<T>(stage.of_f * dt);
    std::array<Term<T, Exec>, Terms> terms;
    for (std::size_t i = 0; i < Terms; ++i) terms[i] = {static_cast<T>(stage.others[i]), vector(i)};
    if constexpr (has_apply_stage) {
      f_.apply_stage(x, of_x, of_f, terms, y);
    } else {
      const Vector<T, Exec> rate = work_.back();
      f_.apply(x, rate);
      detail::Combine<T, Exec, Terms> combine{x, rate, of_x, of_f, {}, {}, y};
      for (std::size_t i = 0; i < Terms; ++i) {
        combine.factors[i] = terms[i].factor;
        combine.vectors[i] = terms[i].vector;
      }
      forall(f_.exec(), "kolam::RungeKutta", f_.rows(), combine);
    }
  }

  F f_;
  std::vector<detail::Stage> stages_;
  std::vector<detail::WorkVector<T, Exec>> work_;
};

}  // namespace kolam::linear
