// SPDX-License-Identifier: Apache-2.0
// Loops over boxes against the same loops with Kokkos' MDRangePolicy and written by hand, in OpenMP
// on the host and CUDA on an NVIDIA GPU: y = the five- or seven-point operator on x, and the sum of
// x times this result.
//
//   box-loops/<plane|solid>[-dot]/double/<points in a direction>/<backend>[/<openmp, cuda or mdrange>]
#include <kolam/core/for_each.hpp>

#include "suite.hpp"

namespace kolam::benchmarks {

template <class Exec, int N>
using Field =
    std::conditional_t<N == 2,
                       Kokkos::View<double**, Kokkos::LayoutLeft, typename Exec::memory_space>,
                       Kokkos::View<double***, Kokkos::LayoutLeft, typename Exec::memory_space>>;

template <class Exec, int N>
struct Fields {
  Field<Exec, N> x, y;
  Box<N> interior;
};

template <class Exec, int N>
struct Neighbours {
  Field<Exec, N> x;
  KOKKOS_FORCEINLINE_FUNCTION double at(index_t i, index_t j) const {
    return 4 * x(i, j) - x(i - 1, j) - x(i + 1, j) - x(i, j - 1) - x(i, j + 1);
  }
  KOKKOS_FORCEINLINE_FUNCTION double at(index_t i, index_t j, index_t k) const {
    return 6 * x(i, j, k) - x(i - 1, j, k) - x(i + 1, j, k) - x(i, j - 1, k) - x(i, j + 1, k) -
           x(i, j, k - 1) - x(i, j, k + 1);
  }
};
template <class Exec, int N>
struct Apply {
  Neighbours<Exec, N> a;
  Field<Exec, N> y;
  KOKKOS_FUNCTION void operator()(index_t i, index_t j) const { y(i, j) = a.at(i, j); }
  KOKKOS_FUNCTION void operator()(index_t i, index_t j, index_t k) const {
    y(i, j, k) = a.at(i, j, k);
  }
};
template <class Exec, int N>
struct Dot {
  Neighbours<Exec, N> a;
  KOKKOS_FUNCTION void operator()(index_t i, index_t j, double& sum) const {
    sum += a.x(i, j) * a.at(i, j);
  }
  KOKKOS_FUNCTION void operator()(index_t i, index_t j, index_t k, double& sum) const {
    sum += a.x(i, j, k) * a.at(i, j, k);
  }
};

template <class Exec, int N>
Fields<Exec, N> filled_box(const Exec& exec, index_t n) {
  const auto make = [n](const std::string& label) {
    const auto m = static_cast<std::size_t>(n);
    if constexpr (N == 2) {
      return Field<Exec, N>(Kokkos::view_alloc(label), m, m);
    } else {
      return Field<Exec, N>(Kokkos::view_alloc(label), m, m, m);
    }
  };
  Fields<Exec, N> f{make("x"), make("y"), {}};
  for (Range& range : f.interior) range = {1, n - 1};
  const auto x = f.x;
  const auto y = f.y;
  forall(
      exec, "fill", static_cast<index_t>(x.size()), KOKKOS_LAMBDA(index_t i) {
        x.data()[i] = 1.0 + 0.001 * static_cast<double>(i % 1013);
        y.data()[i] = 0;
      });
  return f;
}

template <class Exec, int N>
void kolam_box(const Exec& exec, const Fields<Exec, N>& f) {
  for_each(exec, "box", f.interior, Apply<Exec, N>{{f.x}, f.y});
}
template <class Exec, int N>
double kolam_dot(const Exec& exec, const Fields<Exec, N>& f) {
  return sum<double>(exec, "dot", f.interior, Dot<Exec, N>{{f.x}});
}

template <class Exec, int N>
auto range_of(const Exec& exec, const Box<N>& box) {
  if constexpr (N == 2) {
    return Kokkos::MDRangePolicy<Exec, Kokkos::Rank<2>, Kokkos::IndexType<index_t>>(
        exec, {box[0].begin, box[1].begin}, {box[0].end, box[1].end});
  } else {
    return Kokkos::MDRangePolicy<Exec, Kokkos::Rank<3>, Kokkos::IndexType<index_t>>(
        exec, {box[0].begin, box[1].begin, box[2].begin}, {box[0].end, box[1].end, box[2].end});
  }
}
template <class Exec, int N>
void mdrange_box(const Exec& exec, const Fields<Exec, N>& f) {
  Kokkos::parallel_for("box", range_of(exec, f.interior), Apply<Exec, N>{{f.x}, f.y});
}
template <class Exec, int N>
double mdrange_dot(const Exec& exec, const Fields<Exec, N>& f) {
  double result = 0;
  Kokkos::parallel_reduce("dot", range_of(exec, f.interior), Dot<Exec, N>{{f.x}}, result);
  return result;
}

#ifdef KOKKOS_ENABLE_OPENMP
void box_by_hand(const Kokkos::OpenMP&, const Fields<Kokkos::OpenMP, 2>& f) {
  const double* const x = f.x.data();
  double* const y = f.y.data();
  const auto nx = static_cast<index_t>(f.x.extent(0));
#pragma omp parallel for
  for (index_t j = f.interior[1].begin; j < f.interior[1].end; ++j)
#pragma omp simd
    for (index_t i = f.interior[0].begin; i < f.interior[0].end; ++i) {
      const index_t n = i + nx * j;
      y[n] = 4 * x[n] - x[n - 1] - x[n + 1] - x[n - nx] - x[n + nx];
    }
}
void box_by_hand(const Kokkos::OpenMP&, const Fields<Kokkos::OpenMP, 3>& f) {
  const double* const x = f.x.data();
  double* const y = f.y.data();
  const auto nx = static_cast<index_t>(f.x.extent(0));
  const index_t nxy = nx * static_cast<index_t>(f.x.extent(1));
#pragma omp parallel for collapse(2)
  for (index_t k = f.interior[2].begin; k < f.interior[2].end; ++k)
    for (index_t j = f.interior[1].begin; j < f.interior[1].end; ++j)
#pragma omp simd
      for (index_t i = f.interior[0].begin; i < f.interior[0].end; ++i) {
        const index_t n = i + nx * j + nxy * k;
        y[n] = 6 * x[n] - x[n - 1] - x[n + 1] - x[n - nx] - x[n + nx] - x[n - nxy] - x[n + nxy];
      }
}
double dot_by_hand(const Kokkos::OpenMP&, const Fields<Kokkos::OpenMP, 2>& f) {
  const double* const x = f.x.data();
  const auto nx = static_cast<index_t>(f.x.extent(0));
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (index_t j = f.interior[1].begin; j < f.interior[1].end; ++j)
#pragma omp simd reduction(+ : sum)
    for (index_t i = f.interior[0].begin; i < f.interior[0].end; ++i) {
      const index_t n = i + nx * j;
      sum += x[n] * (4 * x[n] - x[n - 1] - x[n + 1] - x[n - nx] - x[n + nx]);
    }
  return sum;
}
double dot_by_hand(const Kokkos::OpenMP&, const Fields<Kokkos::OpenMP, 3>& f) {
  const double* const x = f.x.data();
  const auto nx = static_cast<index_t>(f.x.extent(0));
  const index_t nxy = nx * static_cast<index_t>(f.x.extent(1));
  double sum = 0;
#pragma omp parallel for collapse(2) reduction(+ : sum)
  for (index_t k = f.interior[2].begin; k < f.interior[2].end; ++k)
    for (index_t j = f.interior[1].begin; j < f.interior[1].end; ++j)
#pragma omp simd reduction(+ : sum)
      for (index_t i = f.interior[0].begin; i < f.interior[0].end; ++i) {
        const index_t n = i + nx * j + nxy * k;
        sum += x[n] *
               (6 * x[n] - x[n - 1] - x[n + 1] - x[n - nx] - x[n + nx] - x[n - nxy] - x[n + nxy]);
      }
  return sum;
}
#endif

#ifdef KOKKOS_ENABLE_CUDA
__global__ void cuda_plane(const double* x, double* y, index_t nx, index_t ny) {
  const index_t i = index_t{blockIdx.x} * blockDim.x + threadIdx.x + 1;
  const index_t j = index_t{blockIdx.y} * blockDim.y + threadIdx.y + 1;
  if (i >= nx - 1 || j >= ny - 1) return;
  const index_t n = i + nx * j;
  y[n] = 4 * x[n] - x[n - 1] - x[n + 1] - x[n - nx] - x[n + nx];
}
__global__ void cuda_solid(const double* x, double* y, index_t nx, index_t ny, index_t nz) {
  const index_t i = index_t{blockIdx.x} * blockDim.x + threadIdx.x + 1;
  const index_t j = index_t{blockIdx.y} * blockDim.y + threadIdx.y + 1;
  const index_t k = index_t{blockIdx.z} * blockDim.z + threadIdx.z + 1;
  if (i >= nx - 1 || j >= ny - 1 || k >= nz - 1) return;
  const index_t nxy = nx * ny;
  const index_t n = i + nx * j + nxy * k;
  y[n] = 6 * x[n] - x[n - 1] - x[n + 1] - x[n - nx] - x[n + nx] - x[n - nxy] - x[n + nxy];
}
void box_by_hand(const Kokkos::Cuda& exec, const Fields<Kokkos::Cuda, 2>& f) {
  const auto n = static_cast<unsigned>(f.x.extent(0));
  cuda_plane<<<dim3((n + 61) / 64, (n + 1) / 4), dim3(64, 4), 0, exec.cuda_stream()>>>(
      f.x.data(), f.y.data(), n, n);
}
void box_by_hand(const Kokkos::Cuda& exec, const Fields<Kokkos::Cuda, 3>& f) {
  const auto n = static_cast<unsigned>(f.x.extent(0));
  cuda_solid<<<dim3((n + 61) / 64, (n + 1) / 4, n - 2), dim3(64, 4), 0, exec.cuda_stream()>>>(
      f.x.data(), f.y.data(), n, n, n);
}
#endif

// launch(exec, fields) returns a sum, or nothing and changes y.
template <class Exec, int N, class Launch>
void add_box_loop(const std::string& what, const std::string& baseline, Launch launch) {
  constexpr bool returns = !std::is_void_v<decltype(launch(Exec{}, Fields<Exec, N>{}))>;
  const index_t n = N == 2
                        ? options().by_scale<index_t>(66, 2050, 4098)
                        : options().by_scale<index_t>(18, 130, has_block_threads<Exec> ? 514 : 258);
  const Name name{"box-loops", what, "double", n, backend_of<Exec>, baseline};
  add(name, [=] {
    const Exec exec{};
    const Fields<Exec, N> f = filled_box<Exec, N>(exec, n);
    const std::string same = text({name.subject, what, "double", n, name.backend});
    if constexpr (returns) {
      check(same, launch(exec, f));
    } else {
      launch(exec, f);
      const Kokkos::View<double*, typename Exec::memory_space> all(f.y.data(), f.y.size());
      check(same, checksum(exec, all));
    }
    const auto points = static_cast<double>(size(f.interior));
    return [=](benchmark::State& state) {
      measure(state, exec, {(returns ? 8 : 16) * points, (2 * N + 2) * points}, [&] {
        if constexpr (returns) {
          benchmark::DoNotOptimize(launch(exec, f));
        } else {
          launch(exec, f);
        }
      });
    };
  });
}

template <class Exec, int N>
void add_box_loops() {
  const std::string what = N == 2 ? "plane" : "solid";
  using F = Fields<Exec, N>;
  const std::string by_hand(kolam::name(backend_of<Exec>));
  if constexpr (requires(Exec exec, F f) { box_by_hand(exec, f); })
    add_box_loop<Exec, N>(what, by_hand, [](const Exec& e, const F& f) { box_by_hand(e, f); });
  add_box_loop<Exec, N>(what, "mdrange", [](const Exec& e, const F& f) { mdrange_box(e, f); });
  add_box_loop<Exec, N>(what, "", [](const Exec& e, const F& f) { kolam_box(e, f); });
  if constexpr (requires(Exec exec, F f) { dot_by_hand(exec, f); })
    add_box_loop<Exec, N>(what + "-dot", by_hand,
                          [](const Exec& e, const F& f) { return dot_by_hand(e, f); });
  add_box_loop<Exec, N>(what + "-dot", "mdrange",
                        [](const Exec& e, const F& f) { return mdrange_dot(e, f); });
  add_box_loop<Exec, N>(what + "-dot", "",
                        [](const Exec& e, const F& f) { return kolam_dot(e, f); });
}

void add_all() {
  for_each_backend([]<class Exec>(const Exec&) {
    add_box_loops<Exec, 2>();
    add_box_loops<Exec, 3>();
  });
}

}  // namespace kolam::benchmarks

int main(int argc, char** argv) {
  return kolam::benchmarks::run_suite(argc, argv, kolam::benchmarks::add_all);
}
