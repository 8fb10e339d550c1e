// SPDX-License-Identifier: Apache-2.0
#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>
#include <algorithm>
#include <cmath>
#include <functional>
#include <kolam/comm/partition.hpp>
#include <kolam/core/detail/instantiate.hpp>
#include <kolam/core/runtime.hpp>
#include <kolam/grid/detail/grid_problem.hpp>
#include <kolam/grid/heat.hpp>
#include <kolam/grid/multigrid.hpp>
#include <kolam/grid/stencil_operator.hpp>
#include <kolam/kernels/stencil/common_stencils.hpp>
#include <kolam/linear/chebyshev_iteration.hpp>
#include <kolam/linear/detail/compiled_solvers.hpp>
#include <string>
#include <utility>

namespace kolam::grid {
namespace {

template <int N>
Extents<N> cells_of(const HeatOptions& options) {
  Extents<N> cells{options.nx, options.ny};
  if constexpr (N == 3) cells[2] = options.nz;
  return cells;
}

// A HeatRegion for devices, which std::array is not for.
struct Region {
  HeatRegion::Shape shape;
  double from[3], to[3];
  double radius, density, energy;

  Region() = default;
  explicit Region(const HeatRegion& of)
      : shape(of.shape), radius(of.radius), density(of.density), energy(of.energy) {
    std::copy(of.from.begin(), of.from.end(), from);
    std::copy(of.to.begin(), of.to.end(), to);
  }
};

// What a cell is made of.
template <int N, class Space>
struct Material {
  Kokkos::View<const Region*, Space> regions;
  double from[N], width[N];
  index_t cells[N];

  // The last region that has the cell; cells beyond the sides are as those at them.
  KOKKOS_FUNCTION Region at(const PerDimension<index_t, N>& where) const {
    PerDimension<index_t, N> cell = where;
    for (std::size_t d = 0; d < N; ++d)
      cell[d] = Kokkos::max(index_t{0}, Kokkos::min(cell[d], cells[d] - 1));
    auto last = static_cast<index_t>(regions.extent(0)) - 1;
    while (last > 0 && !has(regions(last), cell)) --last;
    return regions(last);
  }

 private:
  KOKKOS_FUNCTION bool has(const Region& region, const PerDimension<index_t, N>& cell) const {
    double square = 0;
    bool result = true;
    for (std::size_t d = 0; d < N; ++d) {
      // In cells.
      const double first = (region.from[d] - from[d]) / width[d];
      const double last = (region.to[d] - from[d]) / width[d];
      const auto low = static_cast<double>(cell[d]);
      const double off = (low + 0.5 - first) * width[d];
      square += off * off;
      if (region.shape == HeatRegion::Shape::box)
        result = result && low + 1 >= first + 0.01 && low < last - 0.01;
      if (region.shape == HeatRegion::Shape::point)
        result = result && low <= first && first < low + 1;
    }
    if (region.shape == HeatRegion::Shape::ball) return square <= region.radius * region.radius;
    return result;
  }
};

template <int N, class Space>
struct ConductivityAt {
  Material<N, Space> material;
  bool of_density;
  template <class... Index>
  KOKKOS_FUNCTION double operator()(Index... index) const {
    const double density = material.at({index...}).density;
    return of_density ? density : 1 / density;
  }
};

template <int N, class Space>
struct StartFrom {
  Material<N, Space> material;
  PerDimension<index_t, N> own, first;
  double* u;
  template <class... Index>
  KOKKOS_FUNCTION void operator()(Index... index) const {
    const PerDimension<index_t, N> at{index...};
    PerDimension<index_t, N> cell = at;
    for (std::size_t d = 0; d < N; ++d) cell[d] += first[d];
    const Region region = material.at(cell);
    u[kolam::detail::vector_place<N>(own, at)] = region.density * region.energy;
  }
};

// sums += density, u, density u.
template <int N, class Space>
struct AddUp {
  Material<N, Space> material;
  PerDimension<index_t, N> own, first;
  const double* u;

  KOKKOS_FUNCTION void operator()(index_t i, index_t j, double (&sums)[3]) const {
    add({i, j}, sums);
  }
  KOKKOS_FUNCTION void operator()(index_t i, index_t j, index_t k, double (&sums)[3]) const {
    add({i, j, k}, sums);
  }

 private:
  KOKKOS_FUNCTION void add(const PerDimension<index_t, N>& at, double (&sums)[3]) const {
    PerDimension<index_t, N> cell = at;
    for (std::size_t d = 0; d < N; ++d) cell[d] += first[d];
    const double density = material.at(cell).density;
    const double value = u[kolam::detail::vector_place<N>(own, at)];
    sums[0] += density;
    sums[1] += value;
    sums[2] += density * value;
  }
};

// sums += (u - v)^2.
template <class Exec>
struct AddSquareOfDifference {
  linear::ConstVector<double, Exec> u, v;
  KOKKOS_FUNCTION void operator()(index_t i, double (&sums)[1]) const {
    const double difference = u(i) - v(i);
    sums[0] += difference * difference;
  }
};

// u, and how it gets on.
template <int N, class Exec>
class HeatField final : public SteppedField<double> {
  using Space = typename Exec::memory_space;
  using A = StencilOperator<double, ImplicitStep<ConductionStencil<double, N>>, Exec>;
  using Solve = std::function<linear::SolveResult(Array<double>& b, Array<double>& x)>;

 public:
  HeatField(const Exec& exec, const HeatOptions& options)
      : options_(options),
        exec_(exec),
        material_(material_of(options)),
        a_(exec, {step_of(options)}, grid_of(options)),
        u_(a_.vector("u")),
        b_(a_.vector("right-hand side")),
        sum_(exec, a_.row_distribution()) {
    if (options.scheme != TimeScheme::backward_euler) before_ = a_.vector("u before");
    a_.set_coefficient(
        0, ConductivityAt<N, Space>{material_, options.conductivity == Conductivity::density});
    const Box<N> own = a_.own();
    StartFrom<N, Space> start{material_, {}, {}, u_.write(exec).data()};
    for (std::size_t d = 0; d < N; ++d) {
      start.own[d] = own[d].end - own[d].begin;
      start.first[d] = own[d].begin;
    }
    for_each(exec, "kolam::heat: start", local_box(), start);
    exec.fence("kolam::heat: start");
    const Kokkos::Timer timer;
    make_solver();
    exec.fence("kolam::heat: set-up");
    set_up_seconds_ = a_.grid().communicator.max(timer.seconds());
  }

  StencilResult run(const StencilRun& run) override {
    validate(run);
    StencilResult result{run.tol ? StencilStatus::iteration_limit : StencilStatus::completed,
                         run.first_step,
                         0,
                         {},
                         run.first_step};
    const Kokkos::Timer timer;
    for (std::int64_t step = run.first_step; step < run.niter; ++step) {
      const linear::SolveResult solved = advance();
      solver_iterations_ += solved.iterations;
      solve_status_ = solved.status;
      if (solved.status != linear::SolveStatus::converged) {
        result.status = solved.status == linear::SolveStatus::not_finite ? StencilStatus::not_finite
                                                                         : StencilStatus::unsolved;
        break;
      }
      result.iterations = step + 1;
      const bool takes_norm = step % run.nccheck == 0;
      if (!takes_norm && (run.check_every == 0 || step % run.check_every != 0)) continue;
      const double norm = std::sqrt(sum_.of("kolam::heat: norm", difference())[0]);
      if (takes_norm || !std::isfinite(norm)) {
        result.norm_history.push_back({step, norm});
        if (run.progress) run.progress(result.norm_history.back());
      }
      if (!std::isfinite(norm)) result.status = StencilStatus::not_finite;
      if (run.tol && norm <= *run.tol) result.status = StencilStatus::converged;
      if (result.status == StencilStatus::not_finite || result.status == StencilStatus::converged)
        break;
    }
    exec_.fence("kolam::heat");
    result.seconds = communicator().max(timer.seconds());
    return result;
  }

  FieldNorms norms() const override {
    FieldLayout<N> layout{};
    const Box<N> own = a_.own();
    layout.size = 1;
    for (std::size_t d = 0; d < N; ++d) {
      layout.own[d] = own[d].end - own[d].begin;
      layout.stride[d] = layout.size;
      layout.size *= layout.own[d];
    }
    FieldNorms mine = field_norms<double, N>(exec_, layout, u_.read(exec_));
    // (NaN is the largest of all.)
    const bool finite = communicator().min(std::isfinite(mine.sum) ? 1 : 0) == 1;
    mine.sum = communicator().sum(mine.sum);
    mine.max = finite ? communicator().max(mine.max) : mine.sum;
    return mine;
  }

  HostField<double> on_host(Values values) const override {
    HostField<double> result{extents(), {}, {}};
    const auto view = u_.read(kolam::host);
    const double* data = view.data();
    if (values == Values::copied) {
      auto copy = std::make_shared<std::vector<double>>(data, data + view.extent(0));
      data = copy->data();
      result.memory = std::move(copy);
    }
    result.blocks.push_back(block(data));
    return result;
  }

  void load(const Read& read) override {
    comm::throw_together(communicator(), [&] {
      double* const to = u_.read_write(kolam::host).data();
      const comm::FieldBlock<double, 3> here = block(to);
      read(here.box, to, here.pitches);
    });
  }

  Extents<3> extents() const override {
    const Extents<N>& cells = a_.grid().extents;
    Extents<3> all{cells[0], cells[1], 1};
    if constexpr (N == 3) all[2] = cells[2];
    return all;
  }
  int steps_per_pass() const override { return 1; }
  const Communicator& communicator() const override { return a_.grid().communicator; }

  // What is known at the end.
  void report(HeatSolution& solution) const {
    solution.solver_iterations = solver_iterations_;
    solution.set_up_seconds = set_up_seconds_;
    solution.solve_status = solve_status_;
    const Box<N> own = a_.own();
    AddUp<N, Space> add{material_, {}, {}, u_.read(exec_).data()};
    double volume = 1;
    for (std::size_t d = 0; d < N; ++d) {
      add.own[d] = own[d].end - own[d].begin;
      add.first[d] = own[d].begin;
      volume *= material_.width[d];
      solution.spacing[d] = material_.width[d];
      solution.origin[d] = material_.from[d] + 0.5 * material_.width[d];
    }
    std::array<double, 3> sums =
        BoxSums<3, N, Exec>(exec_, local_box()).of("kolam::heat: summary", add);
    communicator().sum(std::span<double>(sums));
    solution.volume = volume * static_cast<double>(options_.nx) * static_cast<double>(options_.ny) *
                      (N == 3 ? static_cast<double>(options_.nz) : 1.0);
    solution.mass = volume * sums[0];
    solution.energy = volume * sums[1];
    solution.temperature = volume * sums[2];
    for (const int part : a_.decomposition().parts())
      solution.decomposition += (solution.decomposition.empty() ? "" : "x") + std::to_string(part);
    solution.transport = a_.transport();
    if (solution.seconds > 0) {
      solution.t_eff_gbs = 24 * static_cast<double>(applications()) *
                           static_cast<double>(options_.nx * options_.ny) *
                           (N == 3 ? static_cast<double>(options_.nz) : 1.0) / solution.seconds *
                           1e-9;
    }
  }

 private:
  static Material<N, Space> material_of(const HeatOptions& options) {
    Array<Region> regions("regions of heat", static_cast<index_t>(options.regions.size()));
    const auto on_host = regions.write(kolam::host);
    for (std::size_t r = 0; r < options.regions.size(); ++r)
      on_host(r) = Region(options.regions[r]);
    // (Functors of set-up keep it.)
    const Kokkos::View<Region*, Space> copy(
        Kokkos::view_alloc(Kokkos::WithoutInitializing, "kolam::regions of heat"),
        options.regions.size());
    Kokkos::deep_copy(copy, on_host);
    Material<N, Space> material{copy, {}, {}, {}};
    const Extents<N> cells = cells_of<N>(options);
    for (std::size_t d = 0; d < N; ++d) {
      material.from[d] = options.from[d];
      material.cells[d] = cells[d];
      material.width[d] = (options.to[d] - options.from[d]) / static_cast<double>(cells[d]);
    }
    return material;
  }
  static ImplicitStep<ConductionStencil<double, N>> step_of(const HeatOptions& options) {
    ImplicitStep<ConductionStencil<double, N>> step{{},
                                                    implicit_share(options.scheme) * options.dt};
    const Extents<N> cells = cells_of<N>(options);
    for (std::size_t d = 0; d < N; ++d) {
      const double width = (options.to[d] - options.from[d]) / static_cast<double>(cells[d]);
      step.stencil.rates[d] = 0.5 / (width * width);
    }
    return step;
  }
  static Grid<N> grid_of(const HeatOptions& options) {
    return {cells_of<N>(options), all_sides<N>(Boundary::no_flux),
            options.communicator, options.decomposition,
            options.transport,    options.gpu_aware};
  }

  // Of this process, from 0.
  Box<N> local_box() const {
    Box<N> box{};
    for (std::size_t d = 0; d < N; ++d) box[d].end = a_.own_points(d);
    return box;
  }
  comm::FieldBlock<double, 3> block(const double* data) const {
    return {comm::spatial(a_.own()), data, {a_.own_points(0), a_.own_points(0) * a_.own_points(1)}};
  }

  void make_solver() {
    // (Conjugate gradients alone are compiled for this operator, which takes sums as it is applied; the rest is compiled for
    // all operators.)
    using Any = linear::AnyApplicable<double, Exec>;
    const linear::AnyOperator<double, Exec> any(a_);
    const linear::SolveOptions tolerance = options_.tolerance;
    const auto by_gradients = [&](const Any& m) -> Solve {
      return [=](Array<double>& b, Array<double>& x) {
        return conjugate_gradient(any, m, b, x, tolerance);
      };
    };
    switch (options_.solver) {
      case HeatSolver::cg:
        solve_ = [this](Array<double>& b, Array<double>& x) {
          return conjugate_gradient(a_, linear::Identity{}, b, x, options_.tolerance);
        };
        break;
      case HeatSolver::chebyshev: {
        const auto inverse = linear::inverse_diagonal(any);
        linear::EigenvalueEstimate spectrum = linear::estimate_eigenvalues(any, inverse, 40);
        spectrum = {0.95 * spectrum.smallest, 1.05 * spectrum.largest};
        solve_ = [=](Array<double>& b, Array<double>& x) {
          return linear::chebyshev_iteration(any, inverse, spectrum, b, x, tolerance);
        };
        break;
      }
      case HeatSolver::ppcg:
        solve_ = by_gradients(Any(linear::polynomial_preconditioner(any, options_.inner_steps)));
        break;
      case HeatSolver::multigrid:
        solve_ = by_gradients(Any(multigrid(a_)));
        break;
    }
  }
  // Of the operator, by the solver, so far.
  std::int64_t applications() const {
    const std::int64_t of_an_iteration[] = {1, 1, options_.inner_steps,
                                            1 + 2 * linear::MultigridOptions{}.degree};
    return solver_iterations_ * of_an_iteration[static_cast<std::size_t>(options_.solver)];
  }

  // One step; u stays as it is where the system is not solved. (With backward Euler the right-hand side is u before.)
  linear::SolveResult advance() {
    if (before_) Kokkos::deep_copy(kokkos_instance(exec_), before_->write(exec_), u_.read(exec_));
    set_right_side(options_.scheme, a_, u_, b_);
    linear::SolveResult solved = solve_(b_, u_);
    if (solved.status != linear::SolveStatus::converged)
      Kokkos::deep_copy(kokkos_instance(exec_), u_.write(exec_), before().read(exec_));
    return solved;
  }
  const Array<double>& before() const { return before_ ? *before_ : b_; }
  AddSquareOfDifference<Exec> difference() const { return {u_.read(exec_), before().read(exec_)}; }

  HeatOptions options_;
  Exec exec_;
  Material<N, Space> material_;
  A a_;
  Array<double> u_, b_;
  std::optional<Array<double>> before_;
  linear::RowSums<1, Exec> sum_;
  Solve solve_;
  double set_up_seconds_ = 0;
  std::int64_t solver_iterations_ = 0;
  linear::SolveStatus solve_status_ = linear::SolveStatus::converged;
};

template <int N, class Exec>
HeatSolution solve(const Exec& exec, const HeatOptions& options,
                   const FieldRunner<double>& runner) {
  const Communicator& all = options.communicator;
  const Exec own = detail::instances_for(exec, all, all.size()).front();
  const auto field = std::make_shared<HeatField<N, Exec>>(own, options);
  HeatSolution solution{{runner ? runner(*field, options) : field->run(options)}};
  field->report(solution);
  const FieldNorms norms = field->norms();
  solution.final_l2 = std::sqrt(norms.sum);
  solution.final_max = norms.max;
  solution.time = options.dt * static_cast<double>(solution.iterations);
  solution.communicator = options.communicator;
  solution.on_host = [field] { return field->on_host(SteppedField<double>::Values::copied); };
  return solution;
}

void require_above_zero(const char* option, double value) {
  if (value > 0 && std::isfinite(value)) return;
  throw InvalidArgument(std::string(option) + " is " + std::to_string(value) +
                        "; it must be a finite number above 0");
}

}  // namespace

std::string_view name(HeatSolver solver) {
  constexpr std::string_view names[] = {"cg", "chebyshev", "ppcg", "mg"};
  return names[static_cast<std::size_t>(solver)];
}

HeatSolver parse_heat_solver(std::string_view text) {
  for (const auto solver :
       {HeatSolver::cg, HeatSolver::chebyshev, HeatSolver::ppcg, HeatSolver::multigrid})
    if (text == name(solver)) return solver;
  throw InvalidArgument("solver '" + std::string(text) +
                        "' is unknown; use one of cg, chebyshev, ppcg, mg");
}

HeatOptions::HeatOptions() {
  using enum HeatRegion::Shape;
  nx = ny = 512;
  niter = 20;
  regions = {{all, {}, {}, 0, 100, 0.0001},
             {box, {0, 1, 0}, {1, 2, 10}, 0, 0.1, 25},
             {box, {1, 1, 0}, {6, 2, 10}, 0, 0.1, 0.1},
             {box, {5, 1, 0}, {6, 8, 10}, 0, 0.1, 0.1},
             {box, {5, 7, 0}, {10, 8, 10}, 0, 0.1, 0.1}};
}

void validate(const HeatOptions& options) {
  validate(static_cast<const StencilRun&>(options));
  detail::require_at_least("nx", options.nx, 1);
  detail::require_at_least("ny", options.ny, 1);
  detail::require_at_least("nz", options.nz, 0);
  detail::require_at_least("inner_steps", options.inner_steps, 1);
  if (options.subdomains != 0 && options.subdomains != 1) {
    throw InvalidArgument("subdomains is " + std::to_string(options.subdomains) +
                          "; heat has one in each process");
  }
  if (options.steps_per_pass != 0 && options.steps_per_pass != 1) {
    throw InvalidArgument("steps_per_pass is " + std::to_string(options.steps_per_pass) +
                          "; implicit steps are taken one by one");
  }
  linear::validate(options.tolerance);
  require_above_zero("dt", options.dt);
  for (std::size_t d = 0; d < (options.nz == 0 ? 2U : 3U); ++d) {
    if (std::isfinite(options.from[d]) && std::isfinite(options.to[d]) &&
        options.from[d] < options.to[d])
      continue;
    throw InvalidArgument("the box is from " + std::to_string(options.from[d]) + " to " +
                          std::to_string(options.to[d]) + " along " + "xyz"[d] +
                          "; it must end where it is larger");
  }
  if (options.regions.empty() || options.regions.front().shape != HeatRegion::Shape::all)
    throw InvalidArgument("the first region is not of all cells; it must be, so that each has one");
  for (const HeatRegion& region : options.regions) {
    require_above_zero("density", region.density);
    if (!std::isfinite(region.energy) || !(region.radius >= 0) || !std::isfinite(region.radius)) {
      throw InvalidArgument("a region has energy " + std::to_string(region.energy) +
                            " and radius " + std::to_string(region.radius) +
                            "; both must be finite, the radius at least 0");
    }
  }
}

std::uint64_t heat_bytes(const HeatOptions& options) {
  // u, b, k and those of conjugate gradients, then those of the solver.
  const index_t vectors[] = {11, 9, 16, 26};
  return static_cast<std::uint64_t>(checked_product(
      "bytes of vectors of nx x ny x nz",
      {vectors[static_cast<std::size_t>(options.solver)], options.nx, options.ny,
       std::max<std::int64_t>(options.nz, 1), static_cast<index_t>(sizeof(double))}));
}

template <class Exec>
HeatSolution solve_heat(const Exec& exec, const HeatOptions& options,
                        const FieldRunner<double>& runner) {
  const Kokkos::Profiling::ScopedRegion region("kolam::solve_heat");
  validate(options);
  const std::uint64_t bytes = heat_bytes(options);
  require_running("solve_heat");
  // (Of several devices one works.)
  const auto devices = static_cast<std::uint64_t>(comm::devices_here<Exec>(options.communicator));
  detail::require_memory_for<Exec>(options, "heat", bytes * devices);
  return options.nz == 0 ? solve<2>(exec, options, runner) : solve<3>(exec, options, runner);
}

#define KOLAM_INSTANTIATE(EXEC)                                           \
  template HeatSolution solve_heat<EXEC>(const EXEC&, const HeatOptions&, \
                                         const FieldRunner<double>&);
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_INSTANTIATE)

}  // namespace kolam::grid
