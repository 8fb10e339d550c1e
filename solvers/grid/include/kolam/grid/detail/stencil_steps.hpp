// SPDX-License-Identifier: Apache-2.0
// The part of a stencil solver that does not depend on the stencil: subdomains, halos, and the
// steps and norms of a run. Compiled once, in the library.
#pragma once

#include <Kokkos_Core.hpp>
#include <functional>
#include <kolam/comm/decomposition.hpp>
#include <kolam/grid/detail/subdomain.hpp>
#include <kolam/grid/halo_exchange.hpp>
#include <kolam/grid/stencil_run.hpp>
#include <kolam/grid/stepped_field.hpp>
#include <kolam/kernels/stencil/norms.hpp>
#include <kolam/kernels/stencil/operands.hpp>
#include <optional>
#include <string>
#include <vector>

namespace kolam::grid::detail {

template <class Exec>
class SubdomainNorms;

// Returns the number of fused steps that is fastest on this decomposition; `on_large_grids`: if
// memory bandwidth limits each step.
template <int N>
int best_steps_per_pass(const comm::Decomposition<N>& decomposition, int on_large_grids,
                        std::size_t element_size, bool on_gpu);

// T is float or double, Exec an execution space of the build or HostTeams. The public functions are
// documented in StencilSolver and SteppedField.
template <class T, int N, ExecutionSpace Exec>
class StencilSteps : public SteppedField<T> {
 public:
  using typename SteppedField<T>::Read;
  using typename SteppedField<T>::Values;

  ~StencilSteps() override;

  StencilResult run(const StencilRun& run) override;
  HostField<T> on_host(Values values = Values::copied) const override;
  void load(const Read& read) override;
  HostField<T> with_boundary(const std::function<T(const GridPoint<N>&)>& boundary) const;
  std::vector<T> gather() const;
  FieldNorms norms() const override;
  Extents<3> extents() const override;
  int steps_per_pass() const override { return setup_.steps_per_pass; }
  const Communicator& communicator() const override { return setup_.communicator; }
  std::string transport() const;
  const comm::Decomposition<N>& decomposition() const { return decomposition_; }

 protected:
  using Boxes = std::vector<Box<N>>;
  using Operands = StepOperands<T, N, Exec>;
  using PartialSums = Kokkos::View<double**, Kokkos::LayoutLeft, typename Exec::memory_space>;

  // `ghosts`: those that one step reads.
  StencilSteps(const std::vector<Exec>& instances, const comm::Decomposition<N>& decomposition,
               const StencilSetup& setup, int coefficients, Ghosts ghosts);
  StencilSteps(StencilSteps&&) noexcept;
  StencilSteps& operator=(StencilSteps&&) noexcept;

  void fence(const char* why) const {
    for (const auto& d : subdomains_) d.exec.fence(why);
  }

  std::vector<Subdomain<T, N, Exec>> subdomains_;

 private:
  // The kernels, as stencil_sweep, fused_steps and fused_steps_sums for steps_per_pass().
  virtual void sweep(const Exec& exec, const Operands& operands, const Boxes& parts,
                     const SweepControl<Exec>& control) const = 0;
  virtual void sweep_fused(const Exec& exec, const Operands& operands, const FixedSides<N>& fixed,
                           const Boxes& parts, const PartialSums& partial_sums) const = 0;
  virtual index_t fused_sums(const Exec& exec, const Boxes& parts) const = 0;

  using Halo = HaloExchange<N, KokkosInstance<Exec>>;
  using Norms = SubdomainNorms<Exec>;

  bool fuses() const { return setup_.steps_per_pass > 1; }
  Norms step_norms(std::optional<double> tol) const;
  Norms fused_norms() const;
  void step(Norms* norms);
  void temporal_block(Norms& norms);
  template <class F>
  void advance(bool stores_ghosts, const F& sweep);
  void take_operands(bool stores_ghosts);
  void swap();
  void follow_neighbours() const;
  void mark();

  Halo make_halo() const;
  bool sweeps_reach_neighbours(const std::vector<Exec>& instances) const;

  comm::Decomposition<N> decomposition_;
  StencilSetup setup_;
  Ghosts ghosts_;
  bool overlap_ = false;            // the interior is swept during halo exchanges
  bool direct_ = false;             // kernels store directly into the neighbours' ghosts
  bool ordered_ = false;            // events keep the order of these kernels
  std::vector<Operands> operands_;  // operands of the current step
  std::optional<Halo> halo_;        // none if no step needs it
};

}  // namespace kolam::grid::detail
