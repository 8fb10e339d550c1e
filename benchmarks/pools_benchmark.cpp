// SPDX-License-Identifier: Apache-2.0
// The loops of a conjugate-gradient step over arrays from the pools, and over arrays allocated one
// by one by the system: the addresses of arrays of equal size determine how well caches work.
//
//   pools/cg/double/<values of an array>/<backend>[/malloc]
#include <kolam/memory/array.hpp>
#include <kolam/memory/pool.hpp>
#include <memory>

#include "suite.hpp"

namespace kolam::benchmarks {

using Exec = Kokkos::DefaultExecutionSpace;
using In = Kokkos::View<const double*, Exec::memory_space>;
using Out = Kokkos::View<double*, Exec::memory_space>;

// The Laplacian of a square of n x n nodes, the identity on its edge.
struct ApplyLaplacian {
  In x;
  Out y;
  index_t n;
  KOKKOS_FUNCTION void operator()(index_t i) const {
    const index_t column = i % n;
    const bool edge = column == 0 || column == n - 1 || i < n || i >= n * (n - 1);
    y(i) = edge ? x(i) : 4 * x(i) - x(i - 1) - x(i + 1) - x(i - n) - x(i + n);
  }
};
struct Dot {
  In x;
  In y;
  KOKKOS_FUNCTION void operator()(index_t i, double& sum) const { sum += x(i) * y(i); }
};
struct Axpy {
  double a;
  In x;
  Out y;
  KOKKOS_FUNCTION void operator()(index_t i) const { y(i) += a * x(i); }
};
struct Xpay {
  In x;
  double a;
  Out y;
  KOKKOS_FUNCTION void operator()(index_t i) const { y(i) = x(i) + a * y(i); }
};
struct Fill {
  Out x;
  KOKKOS_FUNCTION void operator()(index_t i) const { x(i) = static_cast<double>(i % 97); }
};

class Problem {
 public:
  explicit Problem(index_t n)
      : n_(n), x_("x", n * n), r_("r", n * n), p_("p", n * n), q_("q", n * n) {
    for (Array<double>* a : {&x_, &r_, &p_, &q_}) {
      forall(exec_, "fill", n * n, Fill{a->write(exec_)});
    }
  }

  // Always the same values, because a converging solve would end with denormal values.
  void step() {
    const index_t size = n_ * n_;
    const auto dot = [&](const char* label, const Array<double>& a, const Array<double>& b) {
      return kolam::sum<double>(exec_, label, size, Dot{a.read(exec_), b.read(exec_)});
    };
    forall(exec_, "q = A p", size, ApplyLaplacian{p_.read(exec_), q_.write(exec_), n_});
    sum_ = dot("p q", p_, q_);
    const double alpha = 1e-12;
    forall(exec_, "x += alpha p", size, Axpy{alpha, p_.read(exec_), x_.read_write(exec_)});
    forall(exec_, "r -= alpha q", size, Axpy{-alpha, q_.read(exec_), r_.read_write(exec_)});
    sum_ += dot("r r", r_, r_);
    forall(exec_, "p = r + beta p", size, Xpay{r_.read(exec_), 1e-12, p_.read_write(exec_)});
  }
  double sum() const { return sum_; }

 private:
  Exec exec_;
  index_t n_;
  Array<double> x_;
  Array<double> r_;
  Array<double> p_;
  Array<double> q_;
  double sum_ = 0;
};

void add_cg(index_t n, bool pooled) {
  const Name name{"pools", "cg", "double", n * n, default_backend(), pooled ? "" : "malloc"};
  add(name, [=] {
    const bool before = pools_used();
    use_pools(pooled);
    trim_pools();
    const auto problem = std::make_shared<Problem>(n);
    use_pools(before);
    problem->step();
    check("pools/" + std::to_string(n), problem->sum());
    const double bytes = 14.0 * 8 * static_cast<double>(n * n);
    return
        [=](benchmark::State& state) { measure(state, Exec{}, {bytes}, [&] { problem->step(); }); };
  });
}

void add_all() {
  using Sizes = std::vector<index_t>;
  for (const index_t n :
       options().by_scale<Sizes>({256}, {512, 2000}, {256, 512, 1000, 1448, 2000, 2048, 4096})) {
    for (const bool pooled : {false, true}) add_cg(n, pooled);
  }
}

}  // namespace kolam::benchmarks

int main(int argc, char** argv) {
  return kolam::benchmarks::run_suite(argc, argv, kolam::benchmarks::add_all);
}
