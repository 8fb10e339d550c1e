// SPDX-License-Identifier: Apache-2.0
// Cost of starting a loop over one index, and of waiting for it.
//
//   launch/<loop>/none/1/<backend>[/<kokkos or by hand>]
//   <loop>: forall and forall_3d, many in a row; forall_fence and reduce, each waited for
#include <kolam/core/forall_blocks.hpp>

#include "suite.hpp"

namespace kolam::benchmarks {

template <class Exec>
using Value = Kokkos::View<double*, typename Exec::memory_space>;

template <class Exec>
struct AddOne {
  Value<Exec> x;
  KOKKOS_FUNCTION void operator()(index_t i) const { x(i) += 1; }
  KOKKOS_FUNCTION void operator()(index_t i, double& sum) const { sum += x(i); }
  KOKKOS_FUNCTION void operator()(const Block<Exec>&, index_t i) const { x(i) += 1; }
  KOKKOS_FUNCTION void operator()(
      const typename Kokkos::TeamPolicy<Exec>::member_type& team) const {
    x(team.league_rank()) += 1;
  }
};

#ifdef KOKKOS_ENABLE_OPENMP
void by_hand(const Kokkos::OpenMP&, double* x) {
#pragma omp parallel for
  for (int i = 0; i < 1; ++i) x[i] += 1;
}
#endif
#ifdef KOKKOS_ENABLE_CUDA
__global__ void cuda_add_one(double* x) { x[0] += 1; }
void by_hand(const Kokkos::Cuda& exec, double* x) {
  cuda_add_one<<<1, 1, 0, exec.cuda_stream()>>>(x);
}
#endif

// Each launch adds one to x (a sum does not change x).
template <class Exec, class Launch>
void add_launch(const std::string& what, const std::string& baseline, Launch launch) {
  add({"launch", what, "none", 1, backend_of<Exec>, baseline}, [=] {
    const Exec exec{};
    const Value<Exec> x("x", 1);
    for (int i = 0; i < 3; ++i) launch(exec, x);
    double sum = -1;
    Kokkos::deep_copy(sum, Kokkos::subview(x, 0));
    check(what, sum);
    return [=](benchmark::State& state) { measure(state, exec, {}, [&] { launch(exec, x); }); };
  });
}

template <class Exec>
void add_launches() {
  using X = Value<Exec>;
  using Range = Kokkos::RangePolicy<Exec>;
  const auto hand = std::string(name(backend_of<Exec>));
  constexpr bool has_hand = requires(Exec exec, double* x) { by_hand(exec, x); };

  add_launch<Exec>("forall", "kokkos", [](const Exec& exec, const X& x) {
    Kokkos::parallel_for("launch", Range(exec, 0, 1), AddOne<Exec>{x});
  });
  if constexpr (has_hand)
    add_launch<Exec>("forall", hand, [](const Exec& exec, const X& x) { by_hand(exec, x.data()); });
  add_launch<Exec>("forall", "", [](const Exec& exec, const X& x) {
    forall(exec, "launch", 1, AddOne<Exec>{x});
  });

  add_launch<Exec>("forall_fence", "kokkos", [](const Exec& exec, const X& x) {
    Kokkos::parallel_for("launch", Range(exec, 0, 1), AddOne<Exec>{x});
    exec.fence("launch");
  });
  add_launch<Exec>("forall_fence", "", [](const Exec& exec, const X& x) {
    forall(exec, "launch", 1, AddOne<Exec>{x});
    exec.fence("launch");
  });

  add_launch<Exec>("forall_3d", "kokkos", [](const Exec& exec, const X& x) {
    Kokkos::parallel_for("launch", Kokkos::TeamPolicy<Exec>(exec, 1, 1), AddOne<Exec>{x});
  });
  add_launch<Exec>("forall_3d", "", [](const Exec& exec, const X& x) {
    forall_3d(exec, "launch", 1, {1, 1, 1}, AddOne<Exec>{x});
  });

  add_launch<Exec>("reduce", "kokkos", [](const Exec& exec, const X& x) {
    double sum = 0;
    Kokkos::parallel_reduce("launch", Range(exec, 0, 1), AddOne<Exec>{x}, sum);
  });
  add_launch<Exec>("reduce", "", [](const Exec& exec, const X& x) {
    static_cast<void>(sum<double>(exec, "launch", 1, AddOne<Exec>{x}));
  });
}

void add_all() {
  for_each_backend([]<class Exec>(const Exec&) { add_launches<Exec>(); });
}

}  // namespace kolam::benchmarks

int main(int argc, char** argv) {
  return kolam::benchmarks::run_suite(argc, argv, kolam::benchmarks::add_all);
}
