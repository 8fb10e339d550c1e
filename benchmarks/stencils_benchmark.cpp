// SPDX-License-Identifier: Apache-2.0
// The stencil problems with a norm every step, against plain Kokkos and code by hand.
//
//   jacobi/<variant>/<precision>/<n>/<backend>[/<baseline>]        n x n points
//   diffusion/<variant>/<precision>/<n>/<backend>[/<baseline>]     n x n, and 3d-...: n x n x n
//
// <variant>: plain, blocked (several fused steps), and with subdomains plain-1x2, plain-2x2,
// plain-1x2-staged, ...; with --scaling strong-plain-x<N> and weak-plain-x<N> for N devices or
// threads (weak: n per device or thread). t_eff counts 2 D_u + D_k bytes per step. Last norms must
// agree.
#include <cmath>
#include <kolam/comm/transport.hpp>
#include <kolam/core/instances.hpp>
#include <kolam/grid/diffusion.hpp>
#include <kolam/grid/jacobi.hpp>
#include <memory>

#include "stencil_baselines.hpp"
#include "suite.hpp"

namespace kolam::benchmarks {

struct Problem {
  bool diffusion;
  Grid grid;

  std::string subject() const { return diffusion ? "diffusion" : "jacobi"; }
  std::string variant(const std::string& how) const { return grid.nz > 1 ? "3d-" + how : how; }
  // Returns the work of a step.
  Work work(std::size_t value) const {
    const auto points = static_cast<double>(grid.points());
    const double flop = diffusion ? (grid.nz > 1 ? 19 : 14) : 7;
    return {effective_bytes(points, diffusion ? points : 0) * static_cast<double>(value),
            flop * points};
  }
};

struct How {
  std::string name;
  int steps_per_pass = 1;  // 0: the fastest
  int subdomains = 1;
  std::string decomposition = "auto";
  comm::Transport transport = comm::Transport::automatic;
};

int steps() { return options().by_scale(8, 24, 48); }

template <class T>
std::string norm_of(const Problem& p) {
  return p.subject() + p.variant("") + precision<T> + std::to_string(p.grid.points());
}
// Fields of float differ by rounding, and norms with them in their last digits.
template <class T>
constexpr double tolerance = std::is_same_v<T, float> ? 1e-5 : 1e-9;

template <class T, class Exec>
Timed prepare_kolam(const Problem& p, const How& how) {
  const auto solve = [=] {
    const auto set = [=](auto options) {
      options.nx = p.grid.nx;
      options.ny = p.grid.ny;
      options.niter = steps();
      options.steps_per_pass = how.steps_per_pass;
      options.subdomains = how.subdomains;
      options.decomposition = how.decomposition;
      options.transport = how.transport;
      return options;
    };
    if (!p.diffusion) return grid::solve_jacobi<T>(Exec{}, set(grid::JacobiOptions{}));
    auto options = set(grid::DiffusionOptions{});
    options.nz = p.grid.nz > 1 ? p.grid.nz : 0;
    return grid::solve_diffusion<T>(Exec{}, options);
  };
  const grid::GridSolution<T> first = solve();
  check(norm_of<T>(p), first.norm_history.back().norm, tolerance<T>);
  return [=, steps_per_pass = first.steps_per_pass](benchmark::State& state) {
    while (state.KeepRunningBatch(steps())) state.SetIterationTime(solve().seconds);
    count(state, p.work(sizeof(T)), peak_gbs<Exec>());
    state.counters["points"] = static_cast<double>(p.grid.points());
    state.counters["steps_per_pass"] = steps_per_pass;
    state.counters["workers"] =
        has_block_threads<Exec> ? std::min(how.subdomains, devices<Exec>()) : Exec{}.concurrency();
  };
}

template <class T, class Exec>
Timed prepare_plain(const Problem& p, bool by_hand) {
  const Exec exec{};
  const auto problem = std::make_shared<PlainProblem<T, Exec>>(exec, p.diffusion, p.grid);
  const auto seconds = [=] {
    problem->restart();
    exec.fence("restart");
    const Kokkos::Timer timer;
    problem->run(steps(), by_hand);
    exec.fence("steps");
    return timer.seconds();
  };
  static_cast<void>(seconds());
  check(norm_of<T>(p), problem->norm(), tolerance<T>);
  return [=](benchmark::State& state) {
    while (state.KeepRunningBatch(steps())) state.SetIterationTime(seconds());
    count(state, p.work(sizeof(T)), peak_gbs<Exec>());
    state.counters["points"] = static_cast<double>(p.grid.points());
  };
}

template <class T, class Exec>
void add_plain(const Problem& p, const std::string& baseline, bool by_hand) {
  add({p.subject(), p.variant("plain"), precision<T>, p.grid.nx, backend_of<Exec>, baseline},
      [=] { return prepare_plain<T, Exec>(p, by_hand); });
}

template <class T, class Exec>
void add_kolam(const Problem& p, const How& how) {
  add({p.subject(), p.variant(how.name), precision<T>, p.grid.nx, backend_of<Exec>},
      [=] { return prepare_kolam<T, Exec>(p, how); });
}

template <class T, class Exec>
void add_problem(const Problem& p, bool all_ways) {
  add_plain<T, Exec>(p, "kokkos", false);
  if constexpr (PlainProblem<T, Exec>::has_by_hand)
    add_plain<T, Exec>(p, std::string(name(backend_of<Exec>)), true);
  add_kolam<T, Exec>(p, {"plain"});
  add_kolam<T, Exec>(p, {"blocked", 0});
  if (!all_ways) return;
  if (p.grid.nz > 1) {
    add_kolam<T, Exec>(p, {"plain-1x1x2", 1, 2, "1x1x2"});
    add_kolam<T, Exec>(p, {"plain-1x2x2", 1, 4, "1x2x2"});
  } else {
    add_kolam<T, Exec>(p, {"plain-1x2", 1, 2, "1x2"});
    add_kolam<T, Exec>(p, {"plain-2x2", 1, 4, "2x2"});
    add_kolam<T, Exec>(p, {"blocked-1x2", 0, 2, "1x2"});
  }
  if (has_block_threads<Exec>)
    add_kolam<T, Exec>(p, {p.grid.nz > 1 ? "plain-1x1x2-staged" : "plain-1x2-staged", 1, 2,
                           p.grid.nz > 1 ? "1x1x2" : "1x2", comm::Transport::staged});
}

// On a host, the process has a fixed number of threads: it is run once for each number.
template <class Exec>
void add_scaling() {
  const index_t n = has_block_threads<Exec> ? options().by_scale<index_t>(128, 8192, 16384)
                                            : options().by_scale<index_t>(128, 2048, 6144);
  std::vector<int> workers{Exec{}.concurrency()};
  if (has_block_threads<Exec>) {
    workers.clear();
    for (int w = 1; w <= devices<Exec>(); w *= 2) workers.push_back(w);
  }
  for (const int w : workers) {
    const int subdomains = has_block_threads<Exec> ? w : 1;
    for (const int steps_per_pass : {1, 0}) {
      const std::string what = steps_per_pass == 1 ? "plain" : "blocked";
      const std::string x = what + "-x" + std::to_string(w);
      const How strong{"strong-" + x, steps_per_pass, subdomains};
      add_kolam<float, Exec>({false, {n, n, 1}}, strong);
      add_kolam<double, Exec>({false, {n, n, 1}}, strong);
      const How weak{"weak-" + x, steps_per_pass, subdomains};
      add_kolam<float, Exec>({false, {n, n * w, 1}}, weak);
    }
    const index_t m = n / (has_block_threads<Exec> ? 32 : 24);
    add_kolam<double, Exec>({true, {m, m, m}},
                            {"strong-plain-x" + std::to_string(w), 1, subdomains});
  }
}

template <class Exec>
void add_backend() {
  if (options().scaling) return add_scaling<Exec>();
  const bool one_thread = backend_of<Exec> == Backend::serial;  // (slow)
  const auto planes =
      has_block_threads<Exec>
          ? options().by_scale<std::vector<index_t>>({64}, {1024, 8192}, {1024, 4096, 16384})
          : options().by_scale<std::vector<index_t>>({64}, {512, one_thread ? 2048 : 4096},
                                                     {64, 256, 512, 1024, 2048, 6144, 8192});
  for (const index_t n : planes) {
    const bool largest = n == planes.back();
    add_problem<float, Exec>({false, {n, n, 1}}, largest);
    if (options().scale != Scale::quick || largest) {
      add_problem<double, Exec>({false, {n, n, 1}}, false);
      add_problem<float, Exec>({true, {n, n, 1}}, false);
    }
    if (options().scale != Scale::quick) add_problem<double, Exec>({true, {n, n, 1}}, false);
  }
  const auto boxes = has_block_threads<Exec> ? options().by_scale<std::vector<index_t>>(
                                                   {24}, {320}, {128, 256, 512, 768})
                                             : options().by_scale<std::vector<index_t>>(
                                                   {24}, {one_thread ? 128 : 192}, {64, 128, 320});
  for (const index_t n : boxes) {
    const bool largest = n == boxes.back();
    add_problem<double, Exec>({true, {n, n, n}}, largest);
    if (options().scale != Scale::quick) add_problem<float, Exec>({true, {n, n, n}}, false);
  }
}

void add_all() {
  for_each_backend([]<class Exec>(const Exec&) { add_backend<Exec>(); });
}

}  // namespace kolam::benchmarks

int main(int argc, char** argv) {
  return kolam::benchmarks::run_suite(argc, argv, kolam::benchmarks::add_all);
}
