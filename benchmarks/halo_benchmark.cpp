// SPDX-License-Identifier: Apache-2.0
// Halo exchange between two subdomains of n x n points each, on two devices if available, else one.
//
//   halo/<rows|columns>-d<depth>[-staged]/double/<n>/<backend>[/kokkos]
//
// rows: subdomains above each other, with contiguous halos; columns: beside each other, with packed
// halos. bytes: every ghost is read and written once. Baseline, on one device: Kokkos' deep_copy
// between subviews.
#include <kolam/core/instances.hpp>
#include <kolam/grid/halo_exchange.hpp>
#include <memory>

#include "suite.hpp"

namespace kolam::benchmarks {

struct Halo {
  bool rows;
  index_t n;
  int depth;
  comm::Transport transport = comm::Transport::automatic;

  template <class Exec>
  Name name(const std::string& baseline = {}) const {
    std::string variant = rows ? "rows-d" : "columns-d";
    variant += std::to_string(depth);
    if (transport == comm::Transport::staged) variant += "-staged";
    return {"halo", variant, "double", n, backend_of<Exec>, baseline};
  }
  Work work() const { return {2.0 * 2.0 * 8.0 * static_cast<double>(n * depth)}; }
  comm::Parts<2> parts() const { return rows ? comm::Parts<2>{1, 2} : comm::Parts<2>{2, 1}; }
  comm::Decomposition<2> decomposition() const {
    return comm::Decomposition<2>(rows ? Extents<2>{n, 2 * n} : Extents<2>{2 * n, n}, parts());
  }
};

template <class Exec>
using Plane = Kokkos::View<double**, Kokkos::LayoutLeft, typename Exec::memory_space>;

// Returns a field with different values at all points of both subdomains.
template <class Exec>
Plane<Exec> filled(const Exec& exec, const Extents<2>& extents, int subdomain) {
  const auto nx = static_cast<std::size_t>(extents[0]);
  const auto ny = static_cast<std::size_t>(extents[1]);
  const Plane<Exec> u(Kokkos::view_alloc(exec, std::string("plane")), nx, ny);
  const index_t across = extents[0];
  forall(
      exec, "fill", across * extents[1], KOKKOS_LAMBDA(index_t i) {
        u(i % across, i / across) = static_cast<double>(i % 1013 + subdomain * 2000);
      });
  return u;
}

template <class Exec>
double sum_of(const Exec& exec, const Plane<Exec>& u) {
  const index_t across = static_cast<index_t>(u.extent(0));
  return sum<double>(
      exec, "sum", across * static_cast<index_t>(u.extent(1)),
      KOKKOS_LAMBDA(index_t i, double& sum) {
        sum += u(i % across, i / across) * static_cast<double>(1 + i % 7);
      });
}

template <class Exec>
std::vector<Plane<Exec>> planes(const Halo& halo, const std::vector<Exec>& instances) {
  std::vector<Plane<Exec>> all;
  for (int s = 0; s < 2; ++s)
    all.push_back(filled<Exec>(instances[static_cast<std::size_t>(s)],
                               comm::LocalGrid<2>(halo.decomposition(), s, halo.depth).extents(),
                               s));
  for (const Exec& exec : instances) exec.fence("filled");
  return all;
}

// Checks the fields after an exchange.
template <class Exec>
void check_sums(const Halo& halo, const std::vector<Exec>& instances,
                const std::vector<Plane<Exec>>& fields) {
  for (std::size_t s = 0; s < 2; ++s) instances[s].fence("exchanged");
  check("halo" + std::to_string(halo.rows) + " " + std::to_string(halo.n) + " " +
            std::to_string(halo.depth),
        sum_of<Exec>(instances[0], fields[0]) + 3 * sum_of<Exec>(instances[1], fields[1]));
}

template <class Exec>
void add_exchange(const Halo& halo) {
  add(halo.name<Exec>(), [=] {
    const std::vector<Exec> instances = make_instances<Exec>(2);
    const std::vector<Plane<Exec>> fields = planes(halo, instances);
    const auto exchange = std::make_shared<grid::HaloExchange<2, Exec>>(
        instances, halo.decomposition(), halo.depth, grid::Ghosts::faces, Communicator{},
        halo.transport);
    exchange->template exchange<double>(fields);
    check_sums(halo, instances, fields);
    return [=](benchmark::State& state) {
      measure(state, instances[1], {}, [&] {
        exchange->template exchange<double>(fields);
        exchange->release();
        for (const Exec& exec : instances) exec.fence("exchanged");
      });
      count(state, halo.work(), 0);
    };
  });
}

template <class Exec>
void add_copies(const Halo& halo) {
  add(halo.name<Exec>("kokkos"), [=] {
    const std::vector<Exec> instances = make_instances<Exec>(2);
    const std::vector<Plane<Exec>> fields = planes(halo, instances);
    const auto copy_layers = [=](std::size_t to, std::size_t from, const Box<2>& ghosts,
                                 const Box<2>& owned) {
      const auto part = [](const Plane<Exec>& u, const Box<2>& box) {
        return Kokkos::subview(u, Kokkos::pair(box[0].begin, box[0].end),
                               Kokkos::pair(box[1].begin, box[1].end));
      };
      Kokkos::deep_copy(instances[to], part(fields[to], ghosts), part(fields[from], owned));
    };
    const auto launch = [=] {
      const comm::LocalGrid<2> first(halo.decomposition(), 0, halo.depth);
      const comm::LocalGrid<2> second(halo.decomposition(), 1, halo.depth);
      const int across = halo.rows ? 1 : 0;
      copy_layers(0, 1, first.shared_ghost(across, 1), second.shared_own(across, -1));
      copy_layers(1, 0, second.shared_ghost(across, -1), first.shared_own(across, 1));
      for (const Exec& exec : instances) exec.fence("copied");
    };
    launch();
    check_sums(halo, instances, fields);
    return [=](benchmark::State& state) {
      measure(state, instances[1], {}, launch);
      count(state, halo.work(), 0);
    };
  });
}

void add_all() {
  for_each_backend([]<class Exec>(const Exec&) {
    const auto sizes = options().by_scale<std::vector<index_t>>({64}, {256, 1024, 4096},
                                                                {128, 512, 1024, 2048, 4096, 8192});
    for (const bool rows : {true, false}) {
      for (const int depth : {1, 8}) {
        for (const index_t n : sizes) {
          const Halo halo{rows, n, depth};
          if (devices<Exec>() < 2) add_copies<Exec>(halo);
          add_exchange<Exec>(halo);
          if (has_block_threads<Exec>)
            add_exchange<Exec>({rows, n, depth, comm::Transport::staged});
        }
      }
    }
  });
}

}  // namespace kolam::benchmarks

int main(int argc, char** argv) {
  return kolam::benchmarks::run_suite(argc, argv, kolam::benchmarks::add_all);
}
