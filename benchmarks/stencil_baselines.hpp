// SPDX-License-Identifier: Apache-2.0
// Baselines of kolam's stencil problems: a loop over points with the norm, in plain Kokkos and, by
// hand, in OpenMP, C++ and CUDA.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <kolam/core/execution.hpp>
#include <kolam/core/index.hpp>
#include <numbers>
#include <utility>
#include <vector>

namespace kolam::benchmarks {

/// Points of a grid, x fastest; nz is 1 in two dimensions.
struct Grid {
  index_t nx, ny, nz;
  KOKKOS_FUNCTION index_t points() const { return nx * ny * nz; }
  KOKKOS_FUNCTION index_t first_z() const { return nz == 1 ? 0 : 1; }
  KOKKOS_FUNCTION index_t end_z() const { return nz == 1 ? 1 : nz - 1; }
};

/// The average of four neighbours.
template <class T>
struct JacobiPoint {
  static constexpr bool periodic = true;  // along y
  Grid grid;
  KOKKOS_FORCEINLINE_FUNCTION T operator()(const T* u, const T*, index_t at) const {
    return T(0.25) * ((u[at - 1] + u[at - grid.nx]) + (u[at + 1] + u[at + grid.nx]));
  }
};

/// u + (1 / Cp) sum of rate (differences to both neighbours), in N dimensions. (N is a template
/// parameter because, with a test of nz, compilers use masked loads from neighbouring planes. For a
/// 2D grid that memory does not exist, and a masked load from it may take 12 times as long.)
template <class T, int N>
struct DiffusionPoint {
  static constexpr bool periodic = false;
  Grid grid;
  T rates[N];
  KOKKOS_FORCEINLINE_FUNCTION T operator()(const T* u, const T* inverse_cp, index_t at) const {
    const T center = u[at];
    T sum = rates[0] * ((u[at - 1] - center) + (u[at + 1] - center));
    sum += rates[1] * ((u[at - grid.nx] - center) + (u[at + grid.nx] - center));
    if constexpr (N == 3) {
      const index_t plane = grid.nx * grid.ny;
      sum += rates[2] * ((u[at - plane] - center) + (u[at + plane] - center));
    }
    return center + inverse_cp[at] * sum;
  }
};

/// A field in the memory of Exec.
template <class T, class Exec>
using Field = Kokkos::View<T*, typename Exec::memory_space>;
/// The sum of squares of the changes in a step.
template <class Exec>
using Norm = Kokkos::View<double, typename Exec::memory_space>;

template <class T, class Exec, class Point>
struct SweepBody {
  Point point;
  Field<T, Exec> u, c, v;

  KOKKOS_FUNCTION void operator()(index_t x, index_t y, index_t z, double& sum) const {
    const index_t at = x + point.grid.nx * (y + point.grid.ny * z);
    const T value = point(u.data(), c.data(), at);
    const auto change = static_cast<double>(value - u(at));
    sum += change * change;
    v(at) = value;
  }
};

/// Computes v = point(u) inside and norm = sum of (v - u)^2. Asynchronous.
template <class T, class Exec, class Point>
void kokkos_sweep(const Exec& exec, const Point& point, const Field<T, Exec>& u,
                  const Field<T, Exec>& c, const Field<T, Exec>& v, const Norm<Exec>& norm) {
  const Grid g = point.grid;
  using Policy =
      Kokkos::MDRangePolicy<Exec, Kokkos::Rank<3, Kokkos::Iterate::Left, Kokkos::Iterate::Left>,
                            Kokkos::IndexType<index_t>>;
  // (Kokkos' default tiles on a GPU would have two layers along z, also in 2D.)
  typename Policy::tile_type tile{};
  if (has_block_threads<Exec>) tile = {32, 8, 1};
  Kokkos::parallel_reduce("sweep",
                          Policy(exec, {1, 1, g.first_z()}, {g.nx - 1, g.ny - 1, g.end_z()}, tile),
                          SweepBody<T, Exec, Point>{point, u, c, v}, norm);
}

/// Computes row (y, z) of a step on a host; in periodic problems also the opposite row, its copy.
template <class T, class Point>
double row_by_hand(const Point point, const T* u, const T* c, T* v, index_t y, index_t z) {
  const Grid g = point.grid;
  const index_t row = g.nx * (y + g.ny * z);
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (index_t x = 1; x < g.nx - 1; ++x) {
    const index_t at = x + row;
    const T value = point(u, c, at);
    const auto change = static_cast<double>(value - u[at]);
    sum += change * change;
    v[at] = value;
  }
  if constexpr (Point::periodic) {
    if (y == 1) std::copy_n(v + row + 1, g.nx - 2, v + g.nx * (g.ny - 1) + 1);
    if (y == g.ny - 2) std::copy_n(v + row + 1, g.nx - 2, v + 1);
  }
  return sum;
}

#ifdef KOKKOS_ENABLE_OPENMP
template <class T, class Point>
void sweep_by_hand(const Kokkos::OpenMP&, const Point point, const Field<T, Kokkos::OpenMP>& u,
                   const Field<T, Kokkos::OpenMP>& c, const Field<T, Kokkos::OpenMP>& v,
                   const Norm<Kokkos::OpenMP>& norm) {
  const Grid g = point.grid;
  const T* const old_values = u.data();
  const T* const known = c.data();
  T* const new_values = v.data();
  double sum = 0;
#pragma omp parallel for collapse(2) reduction(+ : sum) firstprivate(point)
  for (index_t z = g.first_z(); z < g.end_z(); ++z)
    for (index_t y = 1; y < g.ny - 1; ++y)
      sum += row_by_hand(point, old_values, known, new_values, y, z);
  norm() = sum;
}
#endif

#ifdef KOKKOS_ENABLE_SERIAL
template <class T, class Point>
void sweep_by_hand(const Kokkos::Serial&, const Point point, const Field<T, Kokkos::Serial>& u,
                   const Field<T, Kokkos::Serial>& c, const Field<T, Kokkos::Serial>& v,
                   const Norm<Kokkos::Serial>& norm) {
  const Grid g = point.grid;
  double sum = 0;
  for (index_t z = g.first_z(); z < g.end_z(); ++z)
    for (index_t y = 1; y < g.ny - 1; ++y)
      sum += row_by_hand(point, u.data(), c.data(), v.data(), y, z);
  norm() = sum;
}
#endif

#ifdef KOKKOS_ENABLE_CUDA
// One thread per point, in blocks of 32 x 32; sums by shuffles and one atomic addition per block.
template <class T, class Point>
__global__ void cuda_sweep(Point point, const T* u, const T* c, T* v, double* norm) {
  const Grid& g = point.grid;
  const index_t x = 1 + index_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const index_t y = 1 + index_t{blockIdx.y} * blockDim.y + threadIdx.y;
  const index_t z = g.first_z() + blockIdx.z;
  double square = 0;
  if (x < g.nx - 1 && y < g.ny - 1) {
    const index_t at = x + g.nx * (y + g.ny * z);
    const T value = point(u, c, at);
    const auto change = static_cast<double>(value - u[at]);
    square = change * change;
    v[at] = value;
  }
  __shared__ double of_warps[32];
  const auto of_warp = [](double sum) {
    for (int offset = 16; offset > 0; offset /= 2)
      sum += __shfl_down_sync(0xffffffffU, sum, offset);
    return sum;
  };
  square = of_warp(square);
  if (threadIdx.x == 0) of_warps[threadIdx.y] = square;
  __syncthreads();
  if (threadIdx.y > 0) return;
  square = of_warp(of_warps[threadIdx.x]);
  if (threadIdx.x == 0) atomicAdd(norm, square);
}

template <class T, class Point>
void sweep_by_hand(const Kokkos::Cuda& exec, const Point& point, const Field<T, Kokkos::Cuda>& u,
                   const Field<T, Kokkos::Cuda>& c, const Field<T, Kokkos::Cuda>& v,
                   const Norm<Kokkos::Cuda>& norm) {
  const Grid g = point.grid;
  const dim3 block(32, 32);
  const dim3 blocks(static_cast<unsigned>((g.nx - 2 + 31) / 32),
                    static_cast<unsigned>((g.ny - 2 + 31) / 32),
                    static_cast<unsigned>(g.end_z() - g.first_z()));
  cudaMemsetAsync(norm.data(), 0, sizeof(double), exec.cuda_stream());
  cuda_sweep<<<blocks, block, 0, exec.cuda_stream()>>>(point, u.data(), c.data(), v.data(),
                                                       norm.data());
}
#endif

/// Two Gaussians with given heights above `base`, as in kolam's diffusion problem.
class TwoHills {
 public:
  TwoHills(const Grid& g, const std::array<double, 2>& heights,
           const std::array<std::array<double, 3>, 2>& centers, double width, double base)
      : heights_(heights), base_(base) {
    const index_t extents[3] = {g.nx, g.ny, g.nz};
    for (std::size_t h = 0; h < 2; ++h) {
      for (std::size_t d = 0; d < 3; ++d) {
        for (index_t i = 0; i < extents[d]; ++i) {
          const double x = 10.0 * static_cast<double>(i) / static_cast<double>(extents[d] - 1);
          const double y = (x - centers[h][d]) / width;
          factors_[h][d].push_back(extents[d] == 1 ? 1 : std::exp(-y * y));
        }
      }
    }
  }
  double operator()(index_t x, index_t y, index_t z) const {
    double sum = base_;
    for (std::size_t h = 0; h < 2; ++h) {
      const auto& f = factors_[h];
      sum += heights_[h] * f[0][static_cast<std::size_t>(x)] * f[1][static_cast<std::size_t>(y)] *
             f[2][static_cast<std::size_t>(z)];
    }
    return sum;
  }

 private:
  std::array<double, 2> heights_;
  double base_;
  std::array<std::array<std::vector<double>, 3>, 2> factors_;
};

/// Copies the opposite rows of a periodic field to rows 0 and ny - 1.
template <class T, class Exec>
struct ClosePeriod {
  Grid g;
  Field<T, Exec> v;

  KOKKOS_FUNCTION void operator()(index_t x) const {
    v(x) = v(x + g.nx * (g.ny - 2));
    v(x + g.nx * (g.ny - 1)) = v(x + g.nx);
  }
};

/// The Laplace problem of kolam::grid::solve_jacobi (the start on the host), or the diffusion
/// problem of kolam::grid::solve_diffusion.
template <class T, class Exec>
class PlainProblem {
 public:
  PlainProblem(const Exec& exec, bool diffusion, const Grid& grid)
      : exec_(exec), diffusion_(diffusion), grid_(grid) {
    const auto size = static_cast<std::size_t>(grid.points());
    u_ = Field<T, Exec>("u", size);
    v_ = Field<T, Exec>("v", size);
    c_ = Field<T, Exec>("1 / Cp", diffusion ? size : 0);
    start_ = Field<T, Exec>("start", size);
    const auto start = Kokkos::create_mirror_view(start_);
    const auto inverse_cp = Kokkos::create_mirror_view(c_);
    constexpr double third = 10.0 / 3;
    const TwoHills heat(grid, {100, 50}, {{{5, 5, third}, {5, 5, 2 * third}}}, 2, 0);
    const TwoHills capacity(grid, {5, 5}, {{{2 * third, 5, 2 * third}, {third, 5, 2 * third}}}, 1,
                            1);
    for (index_t z = 0; z < grid.nz; ++z) {
      for (index_t y = 0; y < grid.ny; ++y) {
        const double edge = std::sin(2 * std::numbers::pi * static_cast<double>(y) /
                                     static_cast<double>(grid.ny - 1));
        for (index_t x = 0; x < grid.nx; ++x) {
          const index_t at = x + grid.nx * (y + grid.ny * z);
          if (diffusion) {
            start(at) = static_cast<T>(heat(x, y, z));
            inverse_cp(at) = static_cast<T>(1 / capacity(x, y, z));
          } else {
            start(at) = x == 0 || x == grid.nx - 1 ? static_cast<T>(edge) : T(0);
          }
        }
      }
    }
    Kokkos::deep_copy(start_, start);
    Kokkos::deep_copy(c_, inverse_cp);
  }

  void restart() const {
    Kokkos::deep_copy(u_, start_);
    Kokkos::deep_copy(v_, start_);
  }

  /// Advances u by `steps` steps. Asynchronous.
  void run(int steps, bool by_hand) {
    for (int s = 0; s < steps; ++s) {
      if (diffusion_ && grid_.nz > 1) {
        sweep(diffusion_point<3>(), by_hand);
      } else if (diffusion_) {
        sweep(diffusion_point<2>(), by_hand);
      } else {
        sweep(JacobiPoint<T>{grid_}, by_hand);
        // (On hosts the loop by hand copies these rows itself, without another parallel region.)
        if (!by_hand || !has_by_hand || has_block_threads<Exec>) close_period();
      }
      std::swap(u_, v_);
    }
  }

  /// Returns the stencil with the longest stable time step.
  template <int N>
  DiffusionPoint<T, N> diffusion_point() const {
    const index_t extents[3] = {grid_.nx, grid_.ny, grid_.nz};
    double sizes[N];
    for (int d = 0; d < N; ++d) sizes[d] = 10.0 / static_cast<double>(extents[d] - 1);
    const double least = *std::min_element(sizes, sizes + N);
    const double dt = least * least / (2 * N + 0.1);
    DiffusionPoint<T, N> point{grid_, {}};
    for (int d = 0; d < N; ++d) point.rates[d] = static_cast<T>(dt / (sizes[d] * sizes[d]));
    return point;
  }

  /// Returns the norm of the last step; waits for it.
  double norm() const {
    double squares = 0;
    Kokkos::deep_copy(squares, norm_);
    return std::sqrt(squares);
  }

  // (Public for nvcc.)
  template <class Point>
  void sweep(const Point& point, bool by_hand) const {
    if constexpr (has_by_hand) {
      if (by_hand) return sweep_by_hand<T>(exec_, point, u_, c_, v_, norm_);
    }
    kokkos_sweep<T>(exec_, point, u_, c_, v_, norm_);
  }
  void close_period() const {
    Kokkos::parallel_for("period", Kokkos::RangePolicy<Exec>(exec_, 1, grid_.nx - 1),
                         ClosePeriod<T, Exec>{grid_, v_});
  }
  static constexpr bool has_by_hand =
      requires(const Exec& exec, const JacobiPoint<T>& point, const Field<T, Exec>& f,
               const Norm<Exec>& n) { sweep_by_hand<T>(exec, point, f, f, f, n); };

 private:
  Exec exec_;
  bool diffusion_;
  Grid grid_;
  Field<T, Exec> start_, u_, v_, c_;
  Norm<Exec> norm_{"norm"};
};

}  // namespace kolam::benchmarks
