// SPDX-License-Identifier: Apache-2.0
// Loops that get their Views by intents each time, against the same loops on existing Views.
//
//   intent_loops/<axpy|jacobi>/double/<values>/<backend>[/views]
#include <kolam/memory/array.hpp>
#include <memory>
#include <utility>

#include "suite.hpp"

namespace kolam::benchmarks {

using Exec = Kokkos::DefaultExecutionSpace;
using In = Kokkos::View<const double*, Exec::memory_space>;
using Out = Kokkos::View<double*, Exec::memory_space>;

void axpy(const Exec& exec, const In& x, const Out& y) {
  forall(
      exec, "axpy", static_cast<index_t>(x.extent(0)),
      KOKKOS_LAMBDA(index_t i) { y(i) = 0.9 * y(i) + 0.1 * x(i); });
}

// One Jacobi step on a line with fixed ends.
void jacobi(const Exec& exec, const In& u, const Out& v) {
  const auto last = static_cast<index_t>(u.extent(0)) - 1;
  forall(
      exec, "jacobi", last + 1, KOKKOS_LAMBDA(index_t i) {
        v(i) = i == 0 || i == last ? u(i) : 0.5 * (u(i - 1) + u(i + 1));
      });
}

struct Subject {
  Array<double> x;
  Array<double> y;

  explicit Subject(index_t n) : x("x", n), y("y", n) { reset(); }
  void reset() {
    const auto values = x.write(host);
    for (std::size_t i = 0; i < values.extent(0); ++i) values(i) = static_cast<double>(i % 97);
    Kokkos::deep_copy(y.write(host), 1.0);
    static_cast<void>(x.read(device));
    static_cast<void>(y.read(device));
  }
};

struct Axpy {
  static constexpr const char* name = "axpy";
  static constexpr double bytes = 24;  // per value
  static constexpr double flop = 3;
  static void intents(const Exec& exec, Subject& s) {
    axpy(exec, s.x.read(exec), s.y.read_write(exec));
  }
  static void views(const Exec& exec, Out& x, Out& y) { axpy(exec, x, y); }
};

struct Jacobi {
  static constexpr const char* name = "jacobi";
  static constexpr double bytes = 16;
  static constexpr double flop = 2;
  static void intents(const Exec& exec, Subject& s) {
    jacobi(exec, s.x.read(exec), s.y.write(exec));
    std::swap(s.x, s.y);
  }
  static void views(const Exec& exec, Out& x, Out& y) {
    jacobi(exec, x, y);
    std::swap(x, y);
  }
};

// Both variants use the memory of a Subject; the checksum is taken after four launches.
template <class Loop>
void add_loop(index_t n, bool by_intents) {
  const Name name{"intent_loops",           Loop::name, "double", n, default_backend(),
                  by_intents ? "" : "views"};
  add(name, [=] {
    const Exec exec;
    const auto s = std::make_shared<Subject>(n);
    const auto launch = [=, x = s->x.read_write(exec), y = s->y.read_write(exec)]() mutable {
      if (by_intents) {
        Loop::intents(exec, *s);
      } else {
        Loop::views(exec, x, y);
      }
    };
    auto four = launch;
    for (int i = 0; i < 4; ++i) four();
    check(Loop::name + std::to_string(n), checksum(exec, s->y.read(exec)));
    const auto values = static_cast<double>(n);
    return [=](benchmark::State& state) {
      auto timed = launch;
      measure(state, exec, {Loop::bytes * values, Loop::flop * values}, [&] { timed(); });
    };
  });
}

void add_all() {
  for (const index_t n : options().by_scale<std::vector<index_t>>({1000}, {1000, 1000000},
                                                                  {1000, 100000, 10000000})) {
    for (const bool by_intents : {false, true}) {
      add_loop<Axpy>(n, by_intents);
      add_loop<Jacobi>(n, by_intents);
    }
  }
}

}  // namespace kolam::benchmarks

int main(int argc, char** argv) {
  return kolam::benchmarks::run_suite(argc, argv, kolam::benchmarks::add_all);
}
