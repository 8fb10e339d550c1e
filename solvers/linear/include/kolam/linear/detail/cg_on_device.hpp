// SPDX-License-Identifier: Apache-2.0
// Conjugate gradients on a device: it computes the length of a step from p A p itself, so the host
// waits once in an iteration.
#pragma once

#include <Kokkos_Core.hpp>
#include <cmath>
#include <kolam/core/detail/allocate.hpp>
#include <kolam/core/event.hpp>
#include <kolam/core/execution.hpp>
#include <kolam/linear/detail/cg_kernels.hpp>
#include <memory>
#include <type_traits>
#include <utility>

namespace kolam::linear::detail {

// The numbers of a step.
struct CgStep {
  double rz, rr;  // r z and r r after the step
  double pq;      // p A p
  double alpha;   // r z before the step over p A p; 0 unless p A p is positive
};

// The numbers of the last step, on the device and in memory that the host reads.
template <ExecutionSpace Exec>
class CgNumbersOnDevice {
 public:
  using OnDevice = Kokkos::View<CgStep, typename Exec::memory_space>;
  using ForHost = Kokkos::View<CgStep, Kokkos::SharedHostPinnedSpace>;

  explicit CgNumbersOnDevice(const Exec& exec)
      : exec_(exec),
        on_device_(kolam::detail::allocate_zeros<OnDevice>(exec, "kolam::cg numbers")),
        for_host_("kolam::cg numbers for the host"),
        arrived_(std::make_shared<Event<KokkosInstance<Exec>>>()) {}

  // (Public for nvcc.)
  struct AfterProduct {
    OnDevice numbers;
    KOKKOS_FUNCTION void operator()(const double (&sums)[1]) const {
      CgStep& n = numbers();
      n.pq = sums[0];
      n.alpha = n.pq > 0 ? n.rz / n.pq : 0;
    }
  };
  template <int N>
  struct AfterStep {
    OnDevice numbers;
    ForHost for_host;
    KOKKOS_FUNCTION void operator()(const double (&sums)[N]) const {
      CgStep& n = numbers();
      n.rz = sums[0];
      n.rr = sums[N - 1];
      for_host() = n;
    }
  };

  // Called by a kernel with p A p: computes the length of the step.
  AfterProduct after_product() const { return {on_device_}; }
  // Called by a kernel with r z and r r, or r r alone, after the step.
  template <int N>
  AfterStep<N> after_step() const {
    return {on_device_, for_host_};
  }
  template <class T>
  DeviceNumber<T> alpha() const {
    return {&on_device_.data()->alpha};
  }

  // Records that all kernels of a step have been launched; `wait` returns its numbers.
  void launched() const { arrived_->record(kokkos_instance(exec_)); }
  CgStep wait() const {
    arrived_->wait("kolam::cg: the numbers of a step");
    return for_host_();
  }

 private:
  Exec exec_;
  OnDevice on_device_;
  ForHost for_host_;
  std::shared_ptr<Event<KokkosInstance<Exec>>> arrived_;
};
// On hosts the numbers are on the stack.
struct NoNumbersOnDevice {
  template <class Exec>
  explicit NoNumbersOnDevice(const Exec&) {}
};

struct NoThen {
  KOKKOS_FUNCTION void operator()(const double (&)[1]) const {}
};
// Whether an operator computes p A p without waiting at least as fast as otherwise: it has start_dot,
// or no apply_dot either.
template <class A, class T, class Exec>
inline constexpr bool goes_on_device = requires(const A& a, const Vector<T, Exec>& v) {
  a.start_dot(v, v, NoThen{});
} || !requires(const A& a, const Vector<T, Exec>& v) { a.apply_dot(v, v); };

// Starts p = z + beta before, q = A p and p q, in as few sweeps as the operator can.
template <class A, class T, class Exec, class Then>
void start_direction(const A& a, const RowSums<1, Exec>& sum, const SetDirection<T, Exec>& d,
                     const Vector<T, Exec>& q, const Then& then) {
  if constexpr (requires { a.start_direction(d.z, d.beta, d.before, d.p, q, then); }) {
    if (!d.first) return a.start_direction(d.z, d.beta, d.before, d.p, q, then);
  }
  forall(a.exec(), "kolam::cg: p = z + beta p", a.rows(), d);
  if constexpr (requires { a.start_dot(d.p, q, then); }) {
    a.start_dot(d.p, q, then);
  } else {
    a.apply(d.p, q);
    sum.start("kolam::cg: p A p", AddProduct<T, Exec>{d.p, q}, then);
  }
}

// See `iterate`. r and z are those of x, and all rows are in this process.
template <class T, class Exec, class A, class M, class Workspace, class Progress>
void iterate_on_device(const A& a, const M& m, const Vector<T, Exec>& x, const Workspace& workspace,
                       Progress& progress) {
  using Number = DeviceNumber<T>;
  constexpr bool plain = !Applicable<M, T, Exec>;
  const Exec& exec = a.exec();
  const Vector<T, Exec> r = workspace.r;
  const Vector<T, Exec> q = workspace.q;
  const Vector<T, Exec> z = workspace.z;
  const CgNumbersOnDevice<Exec>& numbers = workspace.numbers;
  const AddResidualProducts<T, Exec> products{r, z};
  auto directions = workspace.directions;  // (the same vectors)

  workspace.sums.start("kolam::cg: r z", products, numbers.template after_step<2>());
  numbers.launched();
  CgStep now = numbers.wait();
  progress.start(std::sqrt(now.rr), now.rz);
  double beta = 0;
  while (!progress.ended()) {
    const SetDirection<T, Exec> direction{z, directions.before(), directions.next(),
                                          static_cast<T>(beta), beta == 0};
    start_direction(a, workspace.one_sum, direction, q, numbers.after_product());
    const TakeStep<T, Exec, Number> step{direction.p, q, x, r, numbers.template alpha<T>()};
    const char* const label = "kolam::cg: r -= alpha q";
    if constexpr (plain) {
      workspace.one_sum.start(label, TakeStepAndAddSquare<T, Exec, Number>{step},
                              numbers.template after_step<1>());
    } else {
      forall(exec, label, a.rows(), step);
      m.apply(r, z);
      workspace.sums.start("kolam::cg: r z", products, numbers.template after_step<2>());
    }
    numbers.launched();
    const double rz = std::exchange(now, numbers.wait()).rz;
    if (!progress.admits(now.pq)) break;
    progress.lanczos(now.alpha, beta);
    directions.defer(static_cast<T>(now.alpha), x);
    progress.step(std::sqrt(now.rr), now.rz);
    beta = now.rz / rz;
  }
  directions.finish(x);
}

}  // namespace kolam::linear::detail
