// SPDX-License-Identifier: Apache-2.0
// Limits of the machine: memory bandwidth from the first cache outwards, and arithmetic.
//
//   bandwidth/<copy|triad|dot>/<precision>/<values of an array>/<backend>[/<kokkos or by hand>]
//   bandwidth/fma/<precision>/<multiply-adds of a thread>/<backend>
//       peak arithmetic: the flat roof
#include <kolam/core/device.hpp>
#include <kolam/core/execution.hpp>
#include <kolam/core/simd.hpp>
#include <set>

#include "suite.hpp"

namespace kolam::benchmarks {

template <class T, class Exec>
using Values = Kokkos::View<T*, typename Exec::memory_space>;

// Frees the arrays kept from one benchmark to the next.
std::function<void()>& release_kept() {
  static std::function<void()> release = [] {};
  return release;
}

// Three arrays, first touched by the threads that use them, and kept while they are long enough.
template <class T, class Exec>
struct Arrays {
  Values<T, Exec> a, b, c;

  static const Arrays& of(const Exec& exec, index_t n) {
    static Arrays kept;
    const auto size = static_cast<std::size_t>(n);
    if (kept.a.extent(0) < size) {
      release_kept()();
      kept = {Values<T, Exec>("a", size), Values<T, Exec>("b", size), Values<T, Exec>("c", size)};
      release_kept() = [] { kept = {}; };
    }
    fill(exec, n, kept.a, kept.b, kept.c);
    return kept;
  }
  static void fill(const Exec& exec, index_t n, const Values<T, Exec>& a, const Values<T, Exec>& b,
                   const Values<T, Exec>& c) {
    forall(
        exec, "fill", n, KOKKOS_LAMBDA(index_t i) {
          a(i) = static_cast<T>(1 + i % 5);
          b(i) = static_cast<T>(i % 97 == 0 ? 1 : 0);  // few, so that sums of floats are exact
          c(i) = 0;
        });
  }
};

// Each loop in kolam, in plain Kokkos and by hand. Returns the dot product, else 0.
template <class T, class Exec>
double kolam_loop(const Exec& exec, const std::string& what, const Arrays<T, Exec>& arrays,
                  index_t n) {
  const auto a = arrays.a;
  const auto b = arrays.b;
  const auto c = arrays.c;
  if (what == "copy") {
    forall(exec, "copy", n, KOKKOS_LAMBDA(index_t i) { c(i) = a(i); });
  } else if (what == "triad") {
    forall(exec, "triad", n, KOKKOS_LAMBDA(index_t i) { c(i) = a(i) + T(3) * b(i); });
  } else {
    return sum<T>(exec, "dot", n, KOKKOS_LAMBDA(index_t i, T & sum) { sum += a(i) * b(i); });
  }
  return 0;
}

template <class T, class Exec>
double kokkos_loop(const Exec& exec, const std::string& what, const Arrays<T, Exec>& arrays,
                   index_t n) {
  const Kokkos::RangePolicy<Exec> range(exec, 0, n);
  const auto a = arrays.a;
  const auto b = arrays.b;
  const auto c = arrays.c;
  if (what == "copy") {
    Kokkos::parallel_for("copy", range, KOKKOS_LAMBDA(index_t i) { c(i) = a(i); });
  } else if (what == "triad") {
    Kokkos::parallel_for("triad", range, KOKKOS_LAMBDA(index_t i) { c(i) = a(i) + T(3) * b(i); });
  } else {
    T sum = 0;
    Kokkos::parallel_reduce(
        "dot", range, KOKKOS_LAMBDA(index_t i, T & mine) { mine += a(i) * b(i); }, sum);
    return sum;
  }
  return 0;
}

#ifdef KOKKOS_ENABLE_OPENMP
template <class T>
double by_hand(const Kokkos::OpenMP&, const std::string& what,
               const Arrays<T, Kokkos::OpenMP>& arrays, index_t n) {
  const T* const a = arrays.a.data();
  const T* const b = arrays.b.data();
  T* const c = arrays.c.data();
  T sum = 0;
  if (what == "copy") {
#pragma omp parallel for
    for (index_t i = 0; i < n; ++i) c[i] = a[i];
  } else if (what == "triad") {
#pragma omp parallel for
    for (index_t i = 0; i < n; ++i) c[i] = a[i] + T(3) * b[i];
  } else {
#pragma omp parallel for simd reduction(+ : sum)
    for (index_t i = 0; i < n; ++i) sum += a[i] * b[i];
  }
  return sum;
}
#endif
#ifdef KOKKOS_ENABLE_SERIAL
template <class T>
double by_hand(const Kokkos::Serial&, const std::string& what,
               const Arrays<T, Kokkos::Serial>& arrays, index_t n) {
  const T* const a = arrays.a.data();
  const T* const b = arrays.b.data();
  T* const c = arrays.c.data();
  T sum = 0;
  if (what == "copy") {
    for (index_t i = 0; i < n; ++i) c[i] = a[i];
  } else if (what == "triad") {
    for (index_t i = 0; i < n; ++i) c[i] = a[i] + T(3) * b[i];
  } else {
    for (index_t i = 0; i < n; ++i) sum += a[i] * b[i];
  }
  return sum;
}
#endif
#ifdef KOKKOS_ENABLE_CUDA
template <class T>
__global__ void cuda_copy(const T* a, T* c, index_t n) {
  const index_t i = index_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i];
}
template <class T>
__global__ void cuda_triad(const T* a, const T* b, T* c, index_t n) {
  const index_t i = index_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + T(3) * b[i];
}
template <class T>
double by_hand(const Kokkos::Cuda& exec, const std::string& what,
               const Arrays<T, Kokkos::Cuda>& arrays, index_t n) {
  const auto blocks = static_cast<unsigned>((n + 255) / 256);
  const T* const a = arrays.a.data();
  if (what == "copy") {
    cuda_copy<<<blocks, 256, 0, exec.cuda_stream()>>>(a, arrays.c.data(), n);
  } else {
    cuda_triad<<<blocks, 256, 0, exec.cuda_stream()>>>(a, arrays.b.data(), arrays.c.data(), n);
  }
  return 0;
}
#endif

template <class T, class Exec, class Loop>
void add_loop(const std::string& what, index_t n, const std::string& baseline, Loop loop) {
  const Name name{"bandwidth", what, precision<T>, n, backend_of<Exec>, baseline};
  add(name, [=] {
    const Exec exec{};
    const Arrays<T, Exec> arrays = Arrays<T, Exec>::of(exec, n);
    const double dot = loop(exec, what, arrays, n);
    exec.fence("benchmark");
    const auto part = Kokkos::subview(arrays.c, Kokkos::pair<index_t, index_t>(0, n));
    check(what + precision<T> + std::to_string(n), what == "dot" ? dot : checksum(exec, part),
          std::is_same_v<T, float> ? 1e-3 : 1e-10);
    const double values = static_cast<double>(n);
    const Work work{sizeof(T) * values * (what == "triad" ? 3 : 2),
                    what == "copy" ? 0 : 2 * values};
    return [=](benchmark::State& state) {
      measure(state, exec, work, [&] { loop(exec, what, arrays, n); });
    };
  });
}

// Adds each loop with its baselines; there is no dot product by hand in CUDA.
template <class T, class Exec>
void add_loops(index_t n) {
  for (const char* what : {"copy", "triad", "dot"}) {
    const std::string text = what;
    add_loop<T, Exec>(what, n, "kokkos", kokkos_loop<T, Exec>);
    constexpr bool is_cuda = backend_of<Exec> == Backend::cuda;
    if constexpr (requires(Exec exec, Arrays<T, Exec> a) { by_hand<T>(exec, what, a, n); }) {
      if (!is_cuda || text != "dot") {
        add_loop<T, Exec>(
            what, n, std::string(name(backend_of<Exec>)),
            [](const Exec& exec, const std::string& loop, const Arrays<T, Exec>& arrays,
               index_t count) { return by_hand<T>(exec, loop, arrays, count); });
      }
    }
    add_loop<T, Exec>(what, n, "", kolam_loop<T, Exec>);
  }
}

// Returns the sizes to measure, in bytes of one array.
template <class Exec>
std::set<index_t> sizes() {
  const Device device = device_of(backend_of<Exec>);
  index_t largest = index_t{1} << (has_block_threads<Exec> ? 30 : 26);
  while (largest < 4 * static_cast<index_t>(device.last_level_cache)) largest *= 2;
  while (largest > static_cast<index_t>(device.memory_available / 16)) largest /= 2;
  if (options().scale == Scale::smoke) return {1 << 16};
  if (options().scale == Scale::quick) return {1 << 17, 1 << 23, largest};
  std::set<index_t> all{largest, largest / 2 + 8 * 12'345};  // (also one that is no power of two)
  for (index_t bytes = 1 << 14; bytes < largest; bytes *= 4) all.insert(bytes);
  return all;
}

constexpr int chains = 12;  // independent chains of multiply-adds

template <class T>
KOKKOS_FORCEINLINE_FUNCTION T first_of(T value) {
  return value;
}
template <class T, int N>
KOKKOS_FORCEINLINE_FUNCTION T first_of(const Simd<T, N>& value) {
  return value[0];
}

template <class T, class V, class Exec>
struct MultiplyAdds {
  Values<T, Exec> out;
  int steps;
  KOKKOS_FUNCTION void operator()(index_t i) const {
    V x[chains];
    KOLAM_UNROLL
    for (int k = 0; k < chains; ++k) x[k] = V(static_cast<T>(k + i % 3));
    const V a(static_cast<T>(0.999));
    const V b(static_cast<T>(0.001));
    for (int s = 0; s < steps; ++s) {
      KOLAM_UNROLL
      for (int k = 0; k < chains; ++k) x[k] = multiply_add(x[k], a, b);
    }
    T sum = 0;
    KOLAM_UNROLL
    for (int k = 0; k < chains; ++k) sum += first_of(x[k]);
    out(i) = sum;
  }
};

template <class T, class Exec>
void add_arithmetic() {
  constexpr int lanes = has_block_threads<Exec> ? 1 : detail::register_bytes / int{sizeof(T)};
  using V = std::conditional_t<has_block_threads<Exec>, T, Simd<T, lanes>>;
  const int steps = options().by_scale(16, 4096, 4096);
  const Name name{"bandwidth", "fma", precision<T>, index_t{steps} * chains, backend_of<Exec>};
  add(name, [=] {
    const Exec exec{};
    const index_t threads = has_block_threads<Exec> ? 1 << 20 : 64 * exec.concurrency();
    const Values<T, Exec> out("out", static_cast<std::size_t>(threads));
    const MultiplyAdds<T, V, Exec> body{out, steps};
    const double flop = 2.0 * chains * lanes * steps * static_cast<double>(threads);
    return [=](benchmark::State& state) {
      measure(state, exec, {0, flop}, [&] { forall(exec, "fma", threads, body); });
    };
  });
}

void add_all() {
  for_each_backend([]<class Exec>(const Exec&) {
    for (const index_t bytes : sizes<Exec>()) {
      add_loops<double, Exec>(bytes / 8);
      // (Quick runs have no time for both precisions at all sizes.)
      if (options().scale != Scale::quick || bytes == 1 << 23) add_loops<float, Exec>(bytes / 4);
    }
    add_arithmetic<double, Exec>();
    add_arithmetic<float, Exec>();
  });
}

}  // namespace kolam::benchmarks

int main(int argc, char** argv) {
  Kokkos::push_finalize_hook([] { kolam::benchmarks::release_kept()(); });
  return kolam::benchmarks::run_suite(argc, argv, kolam::benchmarks::add_all);
}
