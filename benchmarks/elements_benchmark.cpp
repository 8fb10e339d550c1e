// SPDX-License-Identifier: Apache-2.0
// Operators of finite elements in three dimensions, CEED's bake-off problems BP1 (mass), BP3
// (diffusion, order + 2 Gauss points) and BP5 (diffusion, collocated) with stored quadrature data,
// BP3 and BP5 also with the geometry of affine and trilinear elements computed at the points, in
// double precision, on a box of hexahedra without boundary conditions. For each size that kernels
// are compiled for:
//
//   elements/<problem>/p<order>/<backend>/apply   y = A x: y is set to zero, then added to
//   elements/<problem>/p<order>/<backend>/kernel  values of elements to values of elements
//   (<problem>: BP1, BP3, BP5, or BP3-affine, BP5-trilinear, ...)
//
// --dofs=N (or N,M,... ) unknowns, by default 14 million on devices, 390,000 on hosts. Counters:
// gdofs (1e9 unknowns/s), bytes (that must move, by formula), t_eff (GB/s), of_peak (t_eff over the
// bandwidth measured in the same run), gflops (by formula, of contractions without even and odd
// parts). y must be the one of the kernel for any size, and of all backends that are run together.
#include <benchmark/benchmark.h>

#include <Kokkos_Core.hpp>
#include <cmath>
#include <kolam/core/backend.hpp>
#include <kolam/core/bandwidth.hpp>
#include <kolam/core/runtime.hpp>
#include <kolam/kernels/element_geometry.hpp>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

#include "arguments.hpp"
#include "checksum.hpp"

namespace kolam::benchmarks {

// Nodes of a box of n^3 elements, x fastest.
struct BoxEntry {
  index_t n;
  int d1d;
  KOKKOS_FUNCTION index_t operator()(index_t e, int i) const {
    const index_t across = n * (d1d - 1) + 1;
    const index_t x = e % n * (d1d - 1) + i % d1d;
    const index_t y = e / n % n * (d1d - 1) + i / d1d % d1d;
    const index_t z = e / (n * n) * (d1d - 1) + i / (d1d * d1d);
    return x + across * (y + across * z);
  }
};

struct SomeData {
  KOKKOS_FUNCTION double operator()(index_t e, int point, int k) const {
    const double value = 0.1 * Kokkos::sin(0.1 * static_cast<double>(e % 1013) + point + 3 * k);
    return k == 0 || k == 3 || k == 5 ? 1 + value : value;
  }
};

// Of squares: what diffusion makes of a smooth field cancels.
template <class Exec>
double checksum_of_squares(const Exec& exec,
                           const Kokkos::View<double*, typename Exec::memory_space>& y) {
  return reduce<Kokkos::Sum<double>>(
      exec, "checksum", static_cast<index_t>(y.extent(0)), 0.0,
      KOKKOS_LAMBDA(index_t i, double& sum) {
        sum += y(i) * y(i) * static_cast<double>(1 + i % 7);
      });
}

enum class Problem { bp1, bp3, bp5 };
const std::map<Problem, std::string> names{
    {Problem::bp1, "BP1"}, {Problem::bp3, "BP3"}, {Problem::bp5, "BP5"}};

// Where the geometry comes from.
struct Stored {
  static constexpr const char* suffix = "";
};
struct Affine {
  static constexpr const char* suffix = "-affine";
  static constexpr auto elements = [](const auto&... arguments) {
    return affine_elements<3>(arguments...);
  };
};
struct Trilinear {
  static constexpr const char* suffix = "-trilinear";
  static constexpr auto elements = [](const auto&... arguments) {
    return trilinear_elements<3>(arguments...);
  };
};

template <class Exec>
using Map = ElementRestriction<double, Exec>;

// Unit cubes. (A function of its own: nvcc takes no lambda in one whose result is `auto`.)
template <class Exec>
void fill_coordinates(const Exec& exec,
                      const Kokkos::View<const double*, typename Exec::memory_space>& nodes,
                      int order, index_t n,
                      const Kokkos::View<double*, typename Exec::memory_space>& x) {
  const index_t across = n * order + 1;
  const auto entries = static_cast<index_t>(x.extent(0)) / 3;
  forall(
      exec, "coordinates", entries, KOKKOS_LAMBDA(index_t node) {
        index_t rest = node;
        for (int k = 0; k < 3; ++k, rest /= across) {
          const index_t at = rest % across;
          x(node + k * entries) = static_cast<double>(at / order) + nodes(at % order);
        }
      });
}

// The integrand, and the bytes of its data.
template <Problem P, class Geometry, class Exec>
auto integrand(const Exec& exec, const ElementBasis& basis, const Map<Exec>& map, index_t n) {
  const index_t points = detail::power(basis.q1d(), 3) * map.elements;
  if constexpr (!std::is_same_v<Geometry, Stored>) {
    const Kokkos::View<double*, typename Exec::memory_space> x(
        "x", static_cast<std::size_t>(3 * map.entries));
    fill_coordinates<Exec>(exec, detail::to_space<double>(exec, "nodes", basis.nodes), map.d1d - 1,
                           n, x);
    const Constant<double> one{1};
    const auto elements = Geometry::elements(exec, basis, map, x, one, one);
    return std::pair(DiffusionOn<1, std::remove_const_t<decltype(elements)>>{elements},
                     static_cast<double>(8 * elements.count * map.elements));
  } else {
    using F =
        std::conditional_t<P == Problem::bp1, Mass<double, 1, Exec>, Diffusion<double, 3, 1, Exec>>;
    constexpr int count = decltype(F::data)::count;
    return std::pair(F{quadrature_data<count>(exec, basis, map, SomeData{})},
                     static_cast<double>(8 * count * points));
  }
}

struct Case {
  int order;
  index_t dofs;
  bool whole;  // apply, not the kernel alone
};

template <class Exec>
double peak_gbs() {
  static const double peak = measure_bandwidth(Exec{}).peak_gbs();
  return peak;
}

template <class Exec, Problem P, class Geometry>
void run(benchmark::State& state, const Case& c) {
  using View = Kokkos::View<double*, typename Exec::memory_space>;
  const Exec exec{};
  const int p = c.order;
  const ElementBasis basis = P == Problem::bp5 ? lobatto_element(p) : gauss_element(p, p + 2);
  const auto n = std::max<index_t>(1, std::llround((std::cbrt(double(c.dofs)) - 1) / p));
  const index_t across = n * p + 1;
  const index_t dofs = across * across * across;
  const auto map = element_restriction<double>(exec, 3, p + 1, n * n * n, dofs, BoxEntry{n, p + 1});
  const auto alone = element_values<double, Exec>(3, p + 1, n * n * n);
  const auto& used = c.whole ? map : alone;
  const auto made = integrand<P, Geometry>(exec, basis, map, n);
  const auto& f = made.first;
  const View x("x", static_cast<std::size_t>(used.entries));
  const View y("y", static_cast<std::size_t>(used.entries));
  forall(
      exec, "fill", used.entries,
      KOKKOS_LAMBDA(index_t i) { x(i) = 1 + 0.001 * static_cast<double>(i % 1013); });
  const auto apply = [&] {
    if (c.whole) Kokkos::deep_copy(exec, y, 0.0);
    apply_elements<3, double, Exec>(exec, basis, f, used, x, used, y);
  };
  if (c.whole) {
    const std::string subject =
        names.at(P) + Geometry::suffix + " " + std::to_string(p) + " " + std::to_string(dofs);
    detail::RunTimeMatrices<double, Exec> matrices(exec, basis);
    const int* const entries = used.map.data();
    const detail::ApplyElements<3, double, Exec, std::remove_cvref_t<decltype(f)>> any{
        exec, basis, f, used, x, used, y};
    any.run_any({entries, x.data(), entries, y.data(), used.entries, used.entries}, false,
                matrices);
    checksums().check(state, subject, checksum_of_squares(exec, y));
    apply();
    checksums().check(state, subject, checksum_of_squares(exec, y));
  } else {
    apply();
  }
  exec.fence("warm-up");
  // As many as take some milliseconds, so that the wait at the end does not count.
  constexpr int together = 10;
  for ([[maybe_unused]] auto _ : state) {
    const Kokkos::Timer timer;
    for (int i = 0; i < together; ++i) apply();
    exec.fence("applied");
    state.SetIterationTime(timer.seconds() / together);
  }
  const double d = p + 1;
  const double q = basis.q1d();
  const double elements = static_cast<double>(n * n * n);
  const double nodes = d * d * d * elements;
  const double unknowns = static_cast<double>(dofs);
  // x, y zeroed, read and written; or both written and read once for every node.
  const double vectors = c.whole ? 32 * unknowns + 4 * nodes : 16 * nodes;
  const double bytes = vectors + made.second;
  double flops = 0;
  if (P != Problem::bp5) flops += 4 * (d * d * d * q + d * d * q * q + d * q * q * q);
  if (P != Problem::bp1) flops += 12 * q * q * q * q + 15 * q * q * q;
  if (P == Problem::bp1) flops += q * q * q;
  using benchmark::Counter;
  const auto rate = [&](double per_pass) {
    return Counter(per_pass * 1e-9, Counter::kIsIterationInvariantRate);
  };
  state.counters["dofs"] = unknowns;
  state.counters["bytes"] = bytes;
  state.counters["gdofs"] = rate(unknowns);
  state.counters["t_eff"] = rate(bytes);
  state.counters["of_peak"] =
      Counter(bytes * 1e-9 / peak_gbs<Exec>(), Counter::kIsIterationInvariantRate);
  state.counters["gflops"] = rate(flops * elements);
}

template <class Exec, Problem P, class Geometry = Stored>
void add(int order, const std::vector<index_t>& sizes) {
  for (const index_t dofs : sizes) {
    for (const bool whole : {true, false}) {
      const std::string label = "elements/" + names.at(P) + Geometry::suffix + "/p" +
                                std::to_string(order) + "/" + std::string(name(backend_of<Exec>)) +
                                (whole ? "/apply" : "/kernel") +
                                (sizes.size() > 1 ? "/" + std::to_string(dofs) : "");
      benchmark::RegisterBenchmark(label.c_str(), [=](benchmark::State& state) {
        run<Exec, P, Geometry>(state, {order, dofs, whole});
      })->UseManualTime();
    }
  }
}

template <class... Execs>
void add_all(const std::vector<index_t>& sizes, detail::ExecutionSpaceList<Execs...>) {
  const auto of = [&]<class Exec>(const Exec&) {
    const std::vector<index_t> chosen =
        !sizes.empty() ? sizes
                       : std::vector<index_t>{has_block_threads<Exec> ? 14'000'000 : 390'000};
    for (const std::string& size : element_sizes()) {
      const int d1d = std::stoi(size);
      const int q1d = std::stoi(size.substr(size.find('x') + 1));
      if (size.back() == 'c') {
        add<Exec, Problem::bp5>(d1d - 1, chosen);
        add<Exec, Problem::bp5, Affine>(d1d - 1, chosen);
        add<Exec, Problem::bp5, Trilinear>(d1d - 1, chosen);
      } else if (q1d == d1d + 1) {
        add<Exec, Problem::bp1>(d1d - 1, chosen);
        add<Exec, Problem::bp3>(d1d - 1, chosen);
        add<Exec, Problem::bp3, Affine>(d1d - 1, chosen);
        add<Exec, Problem::bp3, Trilinear>(d1d - 1, chosen);
      }
    }
  };
  (of(Execs{}), ...);
}

}  // namespace kolam::benchmarks

int main(int argc, char** argv) {
  using namespace kolam::benchmarks;
  const kolam::Runtime runtime(argc, argv);
  const std::vector<double> dofs = numbers_of("--dofs=", 2e9, argc, argv);
  const std::vector<kolam::index_t> sizes(dofs.begin(), dofs.end());
  add_context();
  add_all(sizes, kolam::detail::ExecutionSpaces{});
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return checksums().failed() ? 1 : 0;
}
