// SPDX-License-Identifier: Apache-2.0
// solve_poisson, of which each precision and dimension is compiled by itself.
#pragma once

#include <Kokkos_Core.hpp>
#include <kolam/comm/field_blocks.hpp>
#include <kolam/core/detail/allocate.hpp>
#include <kolam/core/detail/instantiate.hpp>
#include <kolam/core/forall.hpp>
#include <kolam/fem/multigrid.hpp>
#include <kolam/fem/nodal_function.hpp>
#include <kolam/fem/poisson.hpp>
#include <kolam/kernels/element/basis.hpp>
#include <kolam/kernels/element/element_basis.hpp>
#include <kolam/linear/detail/compiled_solvers.hpp>
#include <memory>
#include <optional>
#include <vector>

namespace kolam::fem {
namespace detail {

constexpr double pi = 3.14159265358979323846;

struct BoxMap {
  PoissonMap kind;
  template <int Dim>
  KOKKOS_FUNCTION void operator()(double (&x)[Dim]) const {
    if (kind == PoissonMap::none) return;
    double product = 0.1;
    for (int k = 0; k < Dim; ++k) product *= Kokkos::sin(pi * x[k]);
    for (int k = 0; k < Dim; ++k) x[k] += product;
  }
};

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
  // At a position or a MappedPoint.
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

// some = the values at these places.
template <class T, ExecutionSpace Exec>
struct ReadSome {
  Kokkos::View<const index_t*, typename Exec::memory_space> places;
  linear::ConstVector<T, Exec> values;
  linear::Vector<T, Exec> some;
  KOKKOS_FUNCTION void operator()(index_t i) const { some(i) = values(places(i)); }
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

template <class T, int Dim, class Exec>
class PoissonRun {
 public:
  using Space = FunctionSpace<T, Dim, Exec>;

  PoissonRun(const Exec& exec, const PoissonOptions& options)
      : exec_(exec), options_(options), kind_(options.problem) {
    for (std::size_t k = 0; k < Dim; ++k) mesh_.elements[k] = options.elements[k];
    mesh_.parts = comm::parse_decomposition<Dim>(options.decomposition, mesh_.elements,
                                                 options.communicator.size());
    mesh_.part = options.communicator.rank();
    const bool zero_on_sides =
        options.problem != PoissonProblem::poisson && options.problem != PoissonProblem::helmholtz;
    known_ = zero_on_sides ? KnownSolution{pi, 0} : KnownSolution{2, 0.5};
  }

  PoissonSolution solve() const {
    const Kokkos::Timer timer;
    const int order = options_.order;
    const Space space = box_space<T>(
        exec_, mesh_, kind_.collocated ? lobatto_element(order) : gauss_element(order, order + 2),
        BoxMap{options_.map}, kind_.laplace ? all_sides(Dim) : 0U,
        options_.deterministic ? Scatter::deterministic : Scatter::fastest, options_.communicator);
    const Operator<T, Dim, Exec> a = operator_on(space);
    const int components = a.components();
    Array<T> x = space.vector("solution", components);
    Array<T> b = space.vector("right-hand side", components);
    const bool known = options_.source == PoissonSource::manufactured;
    add_source(
        space,
        SourceFunction{options_.source, known_, kind_.laplace ? 1.0 : 0.0, kind_.mass ? 1.0 : 0.0},
        components, b.read_write(exec_));
    Array<T> values = known ? dirichlet_values(space, known_, components)
                            : dirichlet_values(space, Constant<T>{0}, components);
    if (known) a.apply_lift(values, b);

    const linear::AnyOperator any(a);
    linear::ConstVector<T, Exec> inverse_diagonal;
    std::optional<linear::AnyApplicable<T, Exec>> preconditioner;  // but scaling by the diagonal
    switch (options_.preconditioner) {
      case PoissonPreconditioner::none:
        break;
      case PoissonPreconditioner::jacobi:
        inverse_diagonal = linear::inverse_diagonal(any);
        break;
      case PoissonPreconditioner::chebyshev: {
        inverse_diagonal = linear::inverse_diagonal(any);
        const double largest = linear::estimate_eigenvalues(any, inverse_diagonal).largest;
        preconditioner.emplace(linear::Chebyshev(any, inverse_diagonal, 5, 1.1 * largest, 30));
        break;
      }
      case PoissonPreconditioner::pmg:
        preconditioner.emplace(multigrid(a));
        break;
    }
    PoissonSolution solution;
    solution.geometry = a.geometry();
    exec_.fence("kolam::solve_poisson: set-up");
    solution.setup_seconds = timer.seconds();
    const Kokkos::Timer solving;
    solution.result = preconditioner
                          ? conjugate_gradient(any, *preconditioner, b, x, options_.solve)
                          : merged_conjugate_gradient(any, inverse_diagonal, b, x, options_.solve);
    solution.seconds = solving.seconds();
    report(a, x, b, std::move(values), solution);
    return solution;
  }

 private:
  Operator<T, Dim, Exec> operator_on(const Space& space) const {
    const auto of = [&](const auto& form) {
      return Operator<T, Dim, Exec>(space, form, options_.geometry);
    };
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

  void report(const Operator<T, Dim, Exec>& a, const Array<T>& x, const Array<T>& b,
              Array<T> values, PoissonSolution& solution) const {
    const Space& space = a.space();
    const comm::RowDistribution rows = a.row_distribution();
    const Communicator& all = options_.communicator;
    solution.dofs = all.sum(rows.owned * rows.components);
    solution.elements = all.sum(space.elements());
    for (const int part : mesh_.parts) {
      solution.decomposition.append(solution.decomposition.empty() ? "" : "x");
      solution.decomposition.append(std::to_string(part));
    }
    // (sums of x x and x b)
    const auto [bx, xx] = linear::RowSums<2, Exec>(exec_, rows)
                              .of("kolam::norms", linear::detail::AddResidualProducts<T, Exec>{
                                                      x.read(exec_), b.read(exec_)});
    solution.solution_l2 = std::sqrt(xx);
    solution.rhs_dot_solution = bx;
    set_dofs(space, x, values, rows.components);
    solution.integral = integral(space, values);
    solution.centre = centre(values.read(exec_));
    if (options_.source == PoissonSource::manufactured) {
      solution.l2_error = l2_error(space, values, known_);
      solution.h1_error = h1_error(space, values, known_);
    }
    Box<3> mine{Range{0, 1}, Range{0, 1}, Range{0, 1}};  // of the structured grid
    const Box<Dim> own = mesh_.own();
    for (std::size_t k = 0; k < Dim; ++k) {
      mine[k] = {own[k].begin * options_.order, own[k].end * options_.order + 1};
      solution.nodes[k] = mesh_.elements[k] * options_.order + 1;
    }
    // `fields` of the structured grid, one after the other.
    const auto gathered = [mine, all, nodes = solution.nodes](const auto& there,
                                                              std::size_t fields) {
      const auto count = static_cast<std::size_t>(size<3>(mine));
      const index_t row = mine[0].end - mine[0].begin;
      std::vector<double> result;
      for (std::size_t f = 0; f < fields; ++f) {
        const std::vector<double> field(there.data() + f * count, there.data() + (f + 1) * count);
        const std::vector<double> whole = comm::gather<double>(
            all, nodes, {{mine, field.data(), {row, row * (mine[1].end - mine[1].begin)}}});
        result.insert(result.end(), whole.begin(), whole.end());
      }
      return result;
    };
    const auto kept = std::make_shared<const Array<T>>(std::move(values));
    solution.values = [=] { return gathered(kept->read(kolam::host), 1); };
    solution.coordinates = [=, coordinates = space.coordinates] {
      return gathered(coordinates->read(kolam::host), Dim);
    };
  }

  // The first component in the middle of the box before its map: from the nodes of one element, in
  // the process that has it.
  double centre(const linear::ConstVector<T, Exec>& values) const {
    const std::vector<double> nodes = lobatto_element(options_.order).nodes;
    const Box<Dim> own = mesh_.own();
    std::vector<double> weights{1};
    std::vector<index_t> places{0};  // of the nodes, in this process
    index_t stride = 1;
    bool here = true;
    for (std::size_t k = 0; k < Dim; ++k) {
      const index_t element = mesh_.elements[k] / 2;
      const double middle = static_cast<double>(mesh_.elements[k]) / 2;
      const Basis along = lagrange_basis(nodes, {middle - static_cast<double>(element)});
      here = here && own[k].begin <= element && element < own[k].end;
      std::vector<double> more_weights;
      std::vector<index_t> more_places;
      for (int j = 0; j <= options_.order; ++j) {
        for (std::size_t i = 0; i < weights.size(); ++i) {
          more_weights.push_back(weights[i] * along.value(0, j));
          more_places.push_back(places[i] +
                                stride * ((element - own[k].begin) * options_.order + j));
        }
      }
      weights = more_weights;
      places = more_places;
      stride *= (own[k].end - own[k].begin) * options_.order + 1;
    }
    double sum = 0;
    if (here) {
      const auto place = kolam::detail::to_space<index_t>(exec_, "kolam::centre places", places);
      const auto some = kolam::detail::allocate_view<linear::Vector<T, Exec>>(
          exec_, "kolam::centre", places.size());
      forall(exec_, "kolam::centre", static_cast<index_t>(places.size()),
             ReadSome<T, Exec>{place, values, some});
      const auto there = kolam::detail::readable_on_host(some);
      for (std::size_t i = 0; i < weights.size(); ++i)
        sum += weights[i] * static_cast<double>(there(i));
    }
    return options_.communicator.sum(sum);
  }

 private:
  Exec exec_;
  PoissonOptions options_;
  ProblemKind kind_;
  KnownSolution known_;
  BoxMesh<Dim> mesh_;
};

}  // namespace detail

template <class T, class Exec>
PoissonSolution solve_poisson(const Exec& exec, const PoissonOptions& options) {
  validate(options);
  return options.dimensions == 2 ? detail::PoissonRun<T, 2, Exec>(exec, options).solve()
                                 : detail::PoissonRun<T, 3, Exec>(exec, options).solve();
}

}  // namespace kolam::fem
