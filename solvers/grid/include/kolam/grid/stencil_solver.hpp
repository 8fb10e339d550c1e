// SPDX-License-Identifier: Apache-2.0
// Steps of a stencil over the subdomains of a grid: halos, overlap, temporal blocking, norms.
//
//   kolam::grid::StencilSolver solver(kolam::make_instances<Exec>(4), Smooth{},
//                                     kolam::comm::Decomposition<2>({nx, ny}, {1, 4}));
//   solver.initialise(KOKKOS_LAMBDA(const kolam::grid::GridPoint<2>& p) {
//     return p[0] < 0 ? 1.0 : 0.0;
//   });
//   solver.run({.niter = 1000});
//   std::vector<double> u = solver.gather();
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <kolam/comm/decomposition.hpp>
#include <kolam/core/instances.hpp>
#include <kolam/grid/detail/stencil_steps.hpp>
#include <kolam/grid/stencil_run.hpp>
#include <kolam/grid/stepped_field.hpp>
#include <kolam/kernels/stencil/fused_steps.hpp>
#include <kolam/kernels/stencil/stencil.hpp>
#include <kolam/kernels/stencil/sweep.hpp>
#include <utility>
#include <vector>

namespace kolam::grid {

/// Returns the number of fused steps that StencilSolver takes if setup.steps_per_pass is 0.
template <class S, class T, ExecutionSpace Exec>
int best_steps_per_pass(const comm::Decomposition<S::dimensions>& decomposition) {
  return detail::best_steps_per_pass(decomposition, best_fused_steps<S, T, Exec>, sizeof(T),
                                     has_block_threads<Exec>);
}

/// A field of T on the points of a grid, cut into one subdomain for each instance, and the steps of
/// a stencil on it. T is float or double.
///
/// Reproducible: the field is bitwise the same for every decomposition, number of fused steps and
/// number of threads, if the compiler always rounds the stencil's own arithmetic in the same way
/// (if sums contain products: -ffp-contract=off, and for CUDA --fmad=false). Norms are bitwise the
/// same for one decomposition, number of fused steps and kind of device, and agree to about 1e-13
/// (relative) between others.
///
/// A step moves 2 D_u + D_k bytes: it reads field and coefficients, and writes the field. Several
/// fused steps together move about as much. The host does not wait for steps, except to compare
/// norms with a tolerance on several subdomains or after fused steps.
template <class S, class T, ExecutionSpace Exec>
class StencilSolver final : public detail::StencilSteps<T, S::dimensions, Exec> {
  using Steps = detail::StencilSteps<T, S::dimensions, Exec>;

 public:
  static_assert(StencilOf<S, T>,
                "a stencil is trivially copyable, has `static constexpr int dimensions` of 2 or 3, "
                "and is called as operator()(u), with one more argument for each of its "
                "`coefficients`; it returns the new value of the point");
  static constexpr int dims = S::dimensions;  ///< dimensions of the grid, 2 or 3

  /// Makes a solver without memory for fields. `instances`: one for each subdomain of this process
  /// (its Partition share in setup.communicator). All processes call every function together.
  /// Throws InvalidArgument, and as HaloExchange does.
  StencilSolver(const std::vector<Exec>& instances, const S& stencil,
                const comm::Decomposition<dims>& grid, StencilSetup setup = {})
      : Steps(instances, grid, with_steps_per_pass(setup, grid), stencil_coefficients<S>,
              stencil_corners<S> ? Ghosts::corners : Ghosts::faces),
        stencil_(stencil) {}

  /// Sets the field to f(GridPoint<dims>), called on the device for every point of the grid, and in
  /// dimensions that are not periodic also for the boundary around it, at -1 and at the extent.
  /// Throws OutOfMemory if a device has too little memory for its subdomains.
  template <class F>
  void initialise(const F& f) {
    for (auto& d : this->subdomains_) {
      d.fill(decomposition(), d.u, f);
      d.fill(decomposition(), d.new_u, f);
    }
    this->fence("kolam::StencilSolver::initialise");
  }
  /// Sets coefficient `k` of the stencil, from 0, in the same way. Throws InvalidArgument for a
  /// number that the stencil does not have.
  template <class F>
  void set_coefficient(int k, const F& f) {
    detail::require_coefficient("StencilSolver", k, stencil_coefficients<S>);
    for (auto& d : this->subdomains_)
      d.fill(decomposition(), d.coefficients[static_cast<std::size_t>(k)], f);
    this->fence("kolam::StencilSolver::set_coefficient");
  }

  /// Advances the field. Throws InvalidArgument, see validate; AccessError before `initialise`, and
  /// before `set_coefficient` of each coefficient.
  using Steps::run;
  /// Returns a copy with one layer of points around it: `boundary`(GridPoint<dims>) beyond
  /// dimensions that are not periodic, the values of the other end beyond those that are. Point (0,
  /// 0) of the grid is (1, 1) there, and the extents are larger by 2.
  using Steps::with_boundary;
  /// Returns the values at all points of the grid, x fastest, on the host of rank 0; nothing
  /// elsewhere.
  using Steps::gather;
  /// Returns the transports of halos, in words, see HaloExchange::transport.
  using Steps::transport;
  /// Returns the decomposition of the grid.
  using Steps::decomposition;

 private:
  using typename Steps::Boxes;
  using typename Steps::Operands;
  using typename Steps::PartialSums;

  static StencilSetup with_steps_per_pass(StencilSetup setup,
                                          const comm::Decomposition<dims>& grid) {
    if (setup.steps_per_pass == 0) setup.steps_per_pass = best_steps_per_pass<S, T, Exec>(grid);
    return setup;
  }

  void sweep(const Exec& exec, const Operands& operands, const Boxes& parts,
             const SweepControl<Exec>& control) const override {
    stencil_sweep<T>(exec, stencil_, with_stencil(operands), parts, control);
  }
  void sweep_fused(const Exec& exec, const Operands& operands, const FixedSides<dims>& fixed,
                   const Boxes& parts, const PartialSums& partial_sums) const override {
    with_fused_steps([&]<int Count>() {
      fused_steps<T, Count>(exec, stencil_, with_stencil(operands), fixed, parts, partial_sums);
    });
  }
  index_t fused_sums(const Exec& exec, const Boxes& parts) const override {
    index_t sums = 0;
    with_fused_steps([&]<int Count>() { sums = fused_steps_sums<S, T, Count>(exec, parts); });
    return sums;
  }

  static StencilOperands<S, T, Exec> with_stencil(const Operands& operands) {
    StencilOperands<S, T, Exec> result{operands.layout,     operands.u,          operands.new_u, {},
                                       operands.low_ghosts, operands.high_ghosts};
    std::copy(operands.coefficients.begin(), operands.coefficients.end(),
              result.coefficients.begin());
    return result;
  }

  // Calls f.operator()<Count>() with the number of fused steps.
  template <class F>
  void with_fused_steps(const F& f) const {
    [&]<int... More>(std::integer_sequence<int, More...>) {
      static_cast<void>(
          ((this->steps_per_pass() == More + 2 && (f.template operator()<More + 2>(), true)) ||
           ...));
    }(std::make_integer_sequence<int, most_steps_per_pass(dims) - 1>{});
  }

  S stencil_;
};
/// Deduces a field of double; name the type for another one: StencilSolver<Smooth, float, Exec>.
template <class S, int N, ExecutionSpace Exec>
StencilSolver(const std::vector<Exec>&, const S&, const comm::Decomposition<N>&,
              const StencilSetup& = {}) -> StencilSolver<S, double, Exec>;

}  // namespace kolam::grid
