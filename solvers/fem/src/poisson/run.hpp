// SPDX-License-Identifier: Apache-2.0
// A model problem on any space. For boxes see box.hpp, for meshes mesh.hpp.
#pragma once

#include <Kokkos_Core.hpp>
#include <cmath>
#include <kolam/fem/nodal_function.hpp>
#include <kolam/fem/poisson.hpp>
#include <kolam/kernels/element/element_basis.hpp>
#include <utility>

#include "../chosen_solver.hpp"

namespace kolam::fem {
namespace detail {

constexpr double pi = 3.14159265358979323846;

// u = sin(a x + b) sin(a y + b) ...; with a = pi and b = 0 it is zero on all sides.
struct KnownSolution {
  double a;
  double b;

  template <int Dim, class X>
  KOKKOS_FUNCTION double product(const X (&x)[Dim], int derived = -1) const {
    double u = 1;
    for (int k = 0; k < Dim; ++k) {
      u *= k == derived ? a * Kokkos::cos(a * x[k] + b) : Kokkos::sin(a * x[k] + b);
    }
    return u;
  }
  // The value at a position or a MappedPoint, and the gradient.
  template <int Dim>
  KOKKOS_FUNCTION double operator()(const double (&x)[Dim]) const {
    return product(x);
  }
  template <class T, int Dim>
  KOKKOS_FUNCTION double operator()(const MappedPoint<T, Dim>& at) const {
    return product(at.x);
  }
  template <class T, int Dim>
  KOKKOS_FUNCTION void operator()(const MappedPoint<T, Dim>& at, T (&gradient)[Dim]) const {
    for (int k = 0; k < Dim; ++k) gradient[k] = static_cast<T>(product(at.x, k));
  }
};

struct SourceFunction {
  PoissonSource kind;
  KnownSolution known;
  double of_laplace;  // the operator is -of_laplace Laplace + of_value
  double of_value;

  template <class T, int Dim>
  KOKKOS_FUNCTION double operator()(const MappedPoint<T, Dim>& at) const {
    if (kind == PoissonSource::one) return 1;
    if (kind == PoissonSource::expxyz) {
      double sum = 0;
      for (int k = 0; k < Dim; ++k) sum += (k + 1) * static_cast<double>(at.x[k]);
      return Kokkos::exp(sum);
    }
    return (of_laplace * Dim * known.a * known.a + of_value) * known(at);
  }
};

struct ProblemKind {
  bool mass, laplace, collocated;
  explicit ProblemKind(PoissonProblem p)
      : mass(p == PoissonProblem::bp1 || p == PoissonProblem::bp2 ||
             p == PoissonProblem::helmholtz),
        laplace(p != PoissonProblem::bp1 && p != PoissonProblem::bp2),
        collocated(p == PoissonProblem::bp5 || p == PoissonProblem::bp6) {}
};

// The parts of a model problem that do not depend on the kind of space.
template <class T, int Dim, class Exec>
class PoissonRun {
 public:
  using Space = FunctionSpace<T, Dim, Exec>;
  using OperatorOf = Operator<T, Dim, Exec>;

  PoissonRun(const Exec& exec, const PoissonOptions& options)
      : exec_(exec), options_(options), kind_(options.problem) {
    const bool zero_on_sides =
        options.problem != PoissonProblem::poisson && options.problem != PoissonProblem::helmholtz;
    known_ = zero_on_sides ? KnownSolution{pi, 0} : KnownSolution{2, 0.5};
  }

  const PoissonOptions& options() const { return options_; }
  bool has_gradients() const { return kind_.laplace; }
  ElementBasis basis() const {
    return kind_.collocated ? lobatto_element(options_.order)
                            : gauss_element(options_.order, options_.order + 2);
  }
  Scatter scatter() const {
    return options_.deterministic ? Scatter::deterministic : Scatter::fastest;
  }

  OperatorOf operator_on(const Space& space) const;

  struct Result {
    PoissonSolution solution;
    Array<T> values;  // at the nodes of the space
  };
  // timer: started when the set-up began.
  Result solve(const OperatorOf& a, const Kokkos::Timer& timer) const;

 private:
  Exec exec_;
  PoissonOptions options_;
  ProblemKind kind_;
  KnownSolution known_;
};

// (Defined outside the class: inline functions are compiled at every call, even if extern.)
template <class T, int Dim, class Exec>
auto PoissonRun<T, Dim, Exec>::operator_on(const Space& space) const -> OperatorOf {
  const auto of = [&](const auto& form) { return OperatorOf(space, form, options_.geometry); };
  switch (options_.problem) {
    case PoissonProblem::bp1:
      return of(Mass{});
    case PoissonProblem::bp2:
      return of(componentwise<Dim>(Mass{}));
    case PoissonProblem::bp4:
    case PoissonProblem::bp6:
      return of(componentwise<Dim>(Diffusion{}));
    case PoissonProblem::helmholtz:
      return of(Helmholtz{});
    default:
      return of(Diffusion{});
  }
}

template <class T, int Dim, class Exec>
auto PoissonRun<T, Dim, Exec>::solve(const OperatorOf& a, const Kokkos::Timer& timer) const
    -> Result {
  const Space& space = a.space();
  const int components = a.components();
  Array<T> x = space.vector("solution", components);
  Array<T> b = space.vector("right-hand side", components);
  const bool known = options_.source == PoissonSource::manufactured;
  add_source(
      space,
      SourceFunction{options_.source, known_, kind_.laplace ? 1.0 : 0.0, kind_.mass ? 1.0 : 0.0},
      components, b.read_write(exec_));
  Result result{{},
                known ? dirichlet_values(space, known_, components)
                      : dirichlet_values(space, Constant<T>{0}, components)};
  if (known) a.apply_lift(result.values, b);
  const ChosenSolver<T, Exec> solver(a, options_.preconditioner, options_.coarse_solver);
  PoissonSolution& solution = result.solution;
  solution.geometry = a.geometry();
  solution.setup_seconds = timer.seconds();
  const Kokkos::Timer solving;
  solution.result = solver.solve(b, x, options_.solve);
  solution.seconds = solving.seconds();

  const comm::RowDistribution rows = a.row_distribution();
  solution.dofs = rows.communicator.sum(rows.owned * rows.components);
  solution.elements = rows.communicator.sum(space.elements());
  // (The sums are b x and x x.)
  const auto [bx, xx] = linear::RowSums<2, Exec>(exec_, rows)
                            .of("kolam::norms", linear::detail::AddResidualProducts<T, Exec>{
                                                    x.read(exec_), b.read(exec_)});
  solution.solution_l2 = std::sqrt(xx);
  solution.rhs_dot_solution = bx;
  if (!known) solution.compliance = bx;
  set_dofs(space, x, result.values, components);
  solution.integral = integral(space, result.values);
  if (known) {
    solution.l2_error = l2_error(space, result.values, known_);
    solution.h1_error = h1_error(space, result.values, known_);
  }
  return result;
}

}  // namespace detail
}  // namespace kolam::fem
