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
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "heat_material.hpp"

namespace kolam::grid {
namespace {

// sums += (u - v)^2.
template <class Exec>
struct AddSquareOfDifference {
  linear::ConstVector<double, Exec> u, v;
  KOKKOS_FUNCTION void operator()(index_t i, double (&sums)[1]) const {
    const double difference = u(i) - v(i);
    sums[0] += difference * difference;
  }
};

// The field u, and its implicit steps.
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
        a_(exec, {step_of(options, material_)}, grid_of(options)),
        u_(a_.vector("u")),
        b_(a_.vector("right-hand side")),
        sum_(exec, a_.row_distribution()) {
    if (options.scheme != TimeScheme::backward_euler) before_ = a_.vector("u before");
    a_.set_coefficient(0, detail::ConductivityAt<N, Space>{
                              material_, options.conductivity == Conductivity::density});
    a_.set_values(u_, detail::StartAt<N, Space>{material_});
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
    // (A value that is not finite makes the maximum the sum, which is not finite either.)
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

  // Fills in the results known at the end.
  void report(HeatSolution& solution) const {
    solution.solver_iterations = solver_iterations_;
    solution.set_up_seconds = set_up_seconds_;
    solution.solve_status = solve_status_;
    const Box<N> own = a_.own();
    detail::AddUp<N, Space> add{material_, {}, {}, u_.read(exec_).data()};
    double volume = 1, cells = 1;
    for (std::size_t d = 0; d < N; ++d) {
      add.own[d] = own[d].end - own[d].begin;
      add.first[d] = own[d].begin;
      volume *= material_.width[d];
      cells *= static_cast<double>(material_.cells[d]);
      solution.spacing[d] = material_.width[d];
      solution.origin[d] = material_.from[d] + 0.5 * material_.width[d];
    }
    std::array<double, 3> sums =
        BoxSums<3, N, Exec>(exec_, local_box()).of("kolam::heat: summary", add);
    communicator().sum(std::span<double>(sums));
    solution.volume = volume * cells;
    solution.mass = volume * sums[0];
    solution.energy = volume * sums[1];
    solution.temperature = volume * sums[2];
    for (const int part : a_.decomposition().parts())
      solution.decomposition += (solution.decomposition.empty() ? "" : "x") + std::to_string(part);
    solution.transport = a_.transport();
    if (solution.seconds > 0)
      solution.t_eff_gbs =
          24 * cells * static_cast<double>(applications()) / solution.seconds * 1e-9;
  }

 private:
  static detail::Material<N, Space> material_of(const HeatOptions& options) {
    Array<detail::Region> regions("regions of heat", static_cast<index_t>(options.regions.size()));
    const auto on_host = regions.write(kolam::host);
    for (std::size_t r = 0; r < options.regions.size(); ++r)
      on_host(r) = detail::Region(options.regions[r]);
    // (A View, because set-up functors keep it.)
    const Kokkos::View<detail::Region*, Space> copy(
        Kokkos::view_alloc(Kokkos::WithoutInitializing, "kolam::regions of heat"),
        options.regions.size());
    Kokkos::deep_copy(copy, on_host);
    detail::Material<N, Space> material{copy, {}, {}, {}};
    const Extents<N> cells = detail::cells_of<N>(options);
    for (std::size_t d = 0; d < N; ++d) {
      material.from[d] = options.from[d];
      material.cells[d] = cells[d];
      material.width[d] = (options.to[d] - options.from[d]) / static_cast<double>(cells[d]);
    }
    return material;
  }
  static ImplicitStep<ConductionStencil<double, N>> step_of(
      const HeatOptions& options, const detail::Material<N, Space>& material) {
    ImplicitStep<ConductionStencil<double, N>> step{{},
                                                    implicit_share(options.scheme) * options.dt};
    for (std::size_t d = 0; d < N; ++d)
      step.stencil.rates[d] = 0.5 / (material.width[d] * material.width[d]);
    return step;
  }
  static Grid<N> grid_of(const HeatOptions& options) {
    return {detail::cells_of<N>(options),
            all_sides<N>(Boundary::no_flux),
            options.communicator,
            options.decomposition,
            options.transport,
            options.gpu_aware};
  }

  // Returns the cells of this process, with indices from 0.
  Box<N> local_box() const {
    Box<N> box{};
    for (std::size_t d = 0; d < N; ++d) box[d].end = a_.own_points(d);
    return box;
  }
  comm::FieldBlock<double, 3> block(const double* data) const {
    return {comm::spatial(a_.own()), data, {a_.own_points(0), a_.own_points(0) * a_.own_points(1)}};
  }

  void make_solver() {
    // (Only plain conjugate gradients are compiled for this operator, which computes sums as it is
    // applied; the other solvers are compiled for AnyOperator.)
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
  // Returns the number of applications of the operator by the solver so far.
  std::int64_t applications() const {
    const std::int64_t of_an_iteration[] = {1, 1, options_.inner_steps,
                                            1 + 2 * linear::MultigridOptions{}.degree};
    return solver_iterations_ * of_an_iteration[static_cast<std::size_t>(options_.solver)];
  }

  // Makes one step; u stays as it is if the system is not solved. (With backward Euler the
  // right-hand side is the old u.)
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
  detail::Material<N, Space> material_;
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

}  // namespace

template <class Exec>
HeatSolution solve_heat(const Exec& exec, const HeatOptions& options,
                        const FieldRunner<double>& runner) {
  const Kokkos::Profiling::ScopedRegion region("kolam::solve_heat");
  validate(options);
  const std::uint64_t bytes = heat_bytes(options);
  require_running("solve_heat");
  const Communicator& all = options.communicator;
  detail::require_memory_for<Exec>(all, "heat", bytes, all.size());
  return options.nz == 0 ? solve<2>(exec, options, runner) : solve<3>(exec, options, runner);
}

#define KOLAM_INSTANTIATE(EXEC)                                           \
  template HeatSolution solve_heat<EXEC>(const EXEC&, const HeatOptions&, \
                                         const FieldRunner<double>&);
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_INSTANTIATE)

}  // namespace kolam::grid
