// SPDX-License-Identifier: Apache-2.0
// Conjugate gradients with minimal memory traffic; in one process, devices never wait for hosts.
#pragma once

#include <Kokkos_Core.hpp>
#include <kolam/core/detail/allocate.hpp>
#include <kolam/core/event.hpp>
#include <kolam/linear/preconditioners.hpp>

namespace kolam::linear {
namespace detail {

// The numbers of an iteration, for the next iteration and the host.
struct CgNumbers {
  double alpha;
  double beta;
  double residual;  // |r| and r M r after the step
  double rz;
  double pq;       // p A p
  bool plain;      // beta is large enough to recover the last direction from the next
  double of_last;  // alpha / beta of the step before if it was deferred, else 0
};

// Returns whether x takes step k - 1, whose numbers are `before`, together with step k.
KOKKOS_INLINE_FUNCTION bool defers(const CgNumbers& before, std::int64_t k) {
  return before.plain && k % 2 == 1;
}

// Returns the numbers of step k from its sums: p q, r r, r q, q q, and with a preconditioner r M r,
// r M q, q M q.
KOKKOS_INLINE_FUNCTION CgNumbers next_numbers(const CgNumbers& before, std::int64_t k,
                                              const double (&s)[7], bool scaled) {
  const int m = scaled ? 4 : 1;
  CgNumbers now;
  now.pq = before.plain ? s[m + 1] : s[0];
  now.alpha = now.pq > 0 ? s[m] / now.pq : 0;
  const double rz = s[m] + now.alpha * (now.alpha * s[m + 2] - 2 * s[m + 1]);
  const double rr = s[1] + now.alpha * (now.alpha * s[3] - 2 * s[2]);
  // (Rounding may make a vanishing r M r negative, which does not mean that M is indefinite.)
  const double least = 1e-30 * s[m];
  now.rz = s[m] > 0 && rz < least ? least : rz;
  now.residual = Kokkos::sqrt(rr < 0 ? 0 : rr);
  now.beta = now.rz / s[m];
  now.plain = now.beta > 0.1;
  now.of_last = defers(before, k) ? before.alpha / before.beta : 0;
  return now;
}
// Returns whether no step follows: A is not positive, or the residual is at most `target`.
KOKKOS_INLINE_FUNCTION bool ends(const CgNumbers& now, double target) {
  return !(now.pq > 0) || !(now.residual > target);
}

template <class T, ExecutionSpace Exec>
class MergedCg {
 public:
  using V = Vector<T, Exec>;
  static constexpr int ring = 4;

  // (Public for nvcc.)
  struct Step {
    Kokkos::View<CgNumbers, typename Exec::memory_space> numbers;
    Kokkos::View<CgNumbers*, Kokkos::SharedHostPinnedSpace> slots;
    Kokkos::View<std::int64_t, typename Exec::memory_space> last;
    std::int64_t k;
    double target;
    bool scaled;

    KOKKOS_FUNCTION void operator()(const double (&s)[7]) const {
      if (k >= last()) return;
      const CgNumbers now = next_numbers(numbers(), k, s, scaled);
      if (ends(now, target)) last() = k + 1;
      numbers() = now;
      slots(k % ring) = now;
    }
  };

  // Updates x (every second step, or now), r, and the direction of step k; sets q = 0.
  struct Update {
    V x, r, p, q;
    Kokkos::View<const CgNumbers, typename Exec::memory_space> numbers;
    Kokkos::View<const std::int64_t, typename Exec::memory_space> last;
    const T* scale;
    std::int64_t k;
    bool x_now;

    KOKKOS_FUNCTION void operator()(index_t i) const {
      if (k > last()) return;
      const CgNumbers& now = numbers();
      const T m = scale != nullptr ? scale[i] : T(1);
      const T before = r(i);
      const T residual = before - static_cast<T>(now.alpha) * q(i);
      const T direction = p(i);
      if (x_now || k == last() || !defers(now, k)) {
        // (direction = m before + beta last direction)
        x(i) += static_cast<T>(now.alpha) * direction +
                static_cast<T>(now.of_last) * (direction - m * before);
      }
      r(i) = residual;
      q(i) = 0;
      p(i) = m * residual + static_cast<T>(now.beta) * direction;
    }
  };

  // Adds the sums that determine the numbers of a step.
  struct AddSums {
    V r, p, q;
    Kokkos::View<const CgNumbers, typename Exec::memory_space> numbers;
    const T* scale;

    KOKKOS_FUNCTION void operator()(index_t i, double (&s)[7]) const {
      const double ri = r(i);
      const double qi = q(i);
      // p = z + beta (last direction), and q is orthogonal to the last direction: p q is z q.
      // (Hosts always add p q: SIMD lanes do it at no cost, but cannot branch.)
      if (!has_block_threads<Exec> || !numbers().plain) s[0] += p(i) * qi;
      s[1] += ri * ri;
      s[2] += ri * qi;
      s[3] += qi * qi;
      if (scale != nullptr) {
        const double mi = scale[i];
        s[4] += ri * mi * ri;
        s[5] += ri * mi * qi;
        s[6] += qi * mi * qi;
      }
    }
  };

  // `scale`: the diagonal of M, or empty.
  MergedCg(const Exec& exec, const comm::RowDistribution& rows, const ConstVector<T, Exec>& scale,
           const V& x)
      : exec_(exec),
        n_(rows.here * rows.components),
        scale_(scale),
        x_(x),
        r_(exec, "cg r", n_),
        p_(exec, "cg p", n_),
        q_(exec, "cg q", n_),
        sums_(exec, rows),
        numbers_(kolam::detail::allocate_zeros<decltype(numbers_)>(exec, "kolam::cg numbers")),
        last_(kolam::detail::allocate_zeros<decltype(last_)>(exec, "kolam::cg last")),
        slots_("kolam::cg history", ring),
        events_(ring) {
    Kokkos::deep_copy(kokkos_instance(exec), last_, std::numeric_limits<std::int64_t>::max());
  }

  const V& r() const { return r_; }
  const V& p() const { return p_; }
  const V& q() const { return q_; }

  void update(std::int64_t k, bool x_now = false) const {
    forall(exec_, "kolam::cg: x, r, p", n_,
           Update{x_, r_, p_, q_, numbers_, last_, scale_.data(), k, x_now});
  }

  // Called after q = A p: computes the numbers of step k. A residual of at most `target` makes it
  // the last step.
  void reduce(std::int64_t k, double target) {
    const AddSums body{r_, p_, q_, numbers_, scale_.data()};
    const bool scaled = body.scale != nullptr;
    if (sums_.of_one_process()) {
      sums_.start("kolam::cg: sums", body, Step{numbers_, slots_, last_, k, target, scaled});
    } else {
      double s[7];
      std::ranges::copy(sums_.of("kolam::cg: sums", body), s);
      here_ = next_numbers(here_, k, s, scaled);
      if (ends(here_, target)) Kokkos::deep_copy(kokkos_instance(exec_), last_, k + 1);
      Kokkos::deep_copy(kokkos_instance(exec_), numbers_, here_);
      slots_(static_cast<std::size_t>(k % ring)) = here_;
    }
    events_[static_cast<std::size_t>(k % ring)].record(exec_);
  }

  // Waits for step k, and returns its numbers.
  CgNumbers numbers_of(std::int64_t k) const {
    events_[static_cast<std::size_t>(k % ring)].wait("kolam::cg: a step's numbers");
    return slots_(static_cast<std::size_t>(k % ring));
  }

 private:
  Exec exec_;
  index_t n_;
  ConstVector<T, Exec> scale_;
  V x_;
  WorkVector<T, Exec> r_, p_, q_;
  RowSums<7, Exec> sums_;
  CgNumbers here_{};  // of the last step, if several processes add their sums
  Kokkos::View<CgNumbers, typename Exec::memory_space> numbers_;
  Kokkos::View<std::int64_t, typename Exec::memory_space> last_;
  Kokkos::View<CgNumbers*, Kokkos::SharedHostPinnedSpace> slots_;
  std::vector<Event<Exec>> events_;
};

// r = b - q, q = 0.
template <class T, class Exec>
struct StartResidual {
  ConstVector<T, Exec> b;
  Vector<T, Exec> q, r;
  KOKKOS_FUNCTION void operator()(index_t i) const {
    r(i) = b(i) - q(i);
    q(i) = 0;
  }
};

// sums += (r r, r M r).
template <class T, class Exec>
struct AddFirstSums {
  Vector<T, Exec> r;
  const T* scale;
  KOKKOS_FUNCTION void operator()(index_t i, double (&s)[2]) const {
    const double value = r(i);
    s[0] += value * value;
    s[1] += value * value * (scale != nullptr ? static_cast<double>(scale[i]) : 1.0);
  }
};

}  // namespace detail

/// Solves A x = b as conjugate_gradient does, for operators whose apply_add is as fast as apply
/// (fem::Operator). `scale`: the diagonal of the preconditioner (Jacobi: 1 over that of A),
/// [A.rows()], or empty for none. Throws as conjugate_gradient does.
///
/// One loop does all vector updates and another all sums; the device computes the step's length and
/// the next direction from these sums. The host checks residuals two steps late, and the device
/// does not wait for it. x is updated every second step. Besides A, a step moves 9 values per
/// unknown (11 with `scale`, one more on hosts); keeps three vectors. The residual of a step is
/// predicted from the sums before it. Several processes add their sums on the host, and wait for
/// each other once a step. (Chronopoulos and Gear 1989; Kronbichler, Sashko and Munch 2022.)
template <LinearOperator A>
SolveResult merged_conjugate_gradient(const A& a, const ConstVectorOf<A>& scale,
                                      const ReadVectorOf<A>& b, const WriteVectorOf<A>& x,
                                      const SolveOptions& options = {}) {
  using T = typename A::value_type;
  using Exec = typename A::execution_space;
  validate(options);
  const Exec& exec = a.exec();
  const index_t n = a.rows();
  const comm::RowDistribution rows = row_distribution(a);
  const ConstVector<T, Exec> right = b.read(exec);
  const Vector<T, Exec> solution = x.read_write(exec);
  detail::MergedCg<T, Exec> cg(exec, rows, scale, solution);
  const auto r = cg.r();
  const auto q = cg.q();
  a.apply_add(solution, q);
  forall(exec, "kolam::cg: r = b - A x", n, detail::StartResidual<T, Exec>{right, q, r});
  const auto [rr, rz] = RowSums<2, Exec>(exec, rows)
                            .of("kolam::cg: r z", detail::AddFirstSums<T, Exec>{r, scale.data()});
  detail::SolveProgress progress(options);
  progress.start(std::sqrt(rr), rz);
  const double target = std::max(options.atol, options.rtol * std::sqrt(rr));
  const std::int64_t ahead = rows.communicator.size() > 1 ? 0 : 2;
  std::int64_t launched = 0;
  std::int64_t seen = 0;
  double beta = 0;
  while (!progress.ended()) {
    for (; launched < options.max_iterations && launched <= seen + ahead; ++launched) {
      cg.update(launched);
      a.apply_add(cg.p(), q);
      cg.reduce(launched, target);
    }
    const detail::CgNumbers now = cg.numbers_of(seen);
    if (!progress.admits(now.pq)) break;
    progress.lanczos(now.alpha, beta);
    progress.step(now.residual, now.rz);
    beta = now.beta;
    ++seen;
  }
  if (launched > 0) cg.update(launched, true);  // (does nothing after the last step)
  return progress.finish(detail::true_residual<A, T, Exec>(a, right, solution, q));
}

}  // namespace kolam::linear

namespace kolam {
using linear::merged_conjugate_gradient;
}  // namespace kolam
