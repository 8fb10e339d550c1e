// SPDX-License-Identifier: Apache-2.0
// Stencils as operators against the same products and conjugate gradients written by hand, in
// OpenMP on the host and CUDA on an NVIDIA GPU: implicit heat conduction, coefficients at faces, no
// flux through the sides.
//
//   stencil-operators/<plane|solid>-<apply|cg>/double/<points in a direction>/<backend>[/<openmp or cuda>]
//
// cg times `iterations` iterations.
#include <array>
#include <kolam/grid/stencil_operator.hpp>
#include <kolam/linear/conjugate_gradient.hpp>
#include <memory>

#include "suite.hpp"

namespace kolam::benchmarks {

constexpr int iterations = 20;

template <int N>
struct Conduction {
  static constexpr int dimensions = N;
  static constexpr int coefficients = N;
  static constexpr bool coefficient_neighbours = true;
  template <class U, class K>
  KOKKOS_FUNCTION auto operator()(const U& u, const K& kx, const K& ky) const {
    const auto c = u.center();
    return c + kx.center() * (c - u.left()) + kx.right() * (c - u.right()) +
           ky.center() * (c - u.below()) + ky.above() * (c - u.above());
  }
  template <class U, class K>
  KOKKOS_FUNCTION auto operator()(const U& u, const K& kx, const K& ky, const K& kz) const {
    const auto c = u.center();
    return (*this)(u, kx, ky) + kz.center() * (c - u.back()) + kz.front() * (c - u.front());
  }
};

// The coefficient at the face below a point in a dimension; 0 at sides.
struct AtFaces {
  index_t extent;
  int dimension;
  KOKKOS_FUNCTION double operator()(index_t i, index_t j, index_t k = 0) const {
    const index_t at = dimension == 0 ? i : dimension == 1 ? j : k;
    return at <= 0 || at >= extent ? 0 : 1 + 0.1 * static_cast<double>((i + 3 * j + 5 * k) % 7);
  }
};
KOKKOS_INLINE_FUNCTION double right_side(index_t i, index_t j, index_t k) {
  return 1 + 0.01 * static_cast<double>((7 * i + 3 * j + k) % 11);
}

template <class Exec, int N>
struct FillRight {
  Kokkos::View<double*, typename Exec::memory_space> b;
  index_t n;
  KOKKOS_FUNCTION void operator()(index_t row) const {
    b(row) = right_side(row % n, row / n % n, row / (n * n));
  }
};

// With kolam.
template <class Exec, int N>
class Ours {
 public:
  Ours(const Exec& exec, index_t n) : exec_(exec), a_(operator_of(exec, n)) {
    for (int d = 0; d < N; ++d) a_.set_coefficient(d, AtFaces{n, d});
    const auto b = b_.write(exec);
    forall(exec, "b", a_.rows(), FillRight<Exec, N>{b, n});
  }
  void apply() { a_.apply(b_.read(exec_), y_.write(exec_)); }
  void solve() {
    linear::detail::set_zero<double>(exec_, y_.write(exec_));
    static_cast<void>(conjugate_gradient(a_, linear::Identity{}, b_, y_,
                                         {.rtol = 1e-300, .max_iterations = iterations}));
  }
  double sum() const {
    const auto y = y_.read(exec_);
    return checksum(exec_, y);
  }

 private:
  static auto operator_of(const Exec& exec, index_t n) {
    grid::Grid<N> grid{{}, grid::all_sides<N>(Boundary::no_flux)};
    grid.extents.fill(n);
    return grid::stencil_operator<double>(exec, Conduction<N>{}, grid);
  }
  Exec exec_;
  decltype(operator_of(Exec{}, 1)) a_;
  Array<double> b_ = a_.vector("b"), y_ = a_.vector("y");
};

#ifdef KOKKOS_ENABLE_OPENMP
// Written by hand: fields with a ghost layer, loops over rows, sums fused into these loops.
template <int N>
class OpenMpByHand {
 public:
  OpenMpByHand(const Kokkos::OpenMP&, index_t n)
      : n_(n), row_(n + 2), plane_(N == 3 ? row_ * row_ : 0), rows_(N == 3 ? n * n : n) {
    const auto size = static_cast<std::size_t>(row_ * row_ * (N == 3 ? row_ : 1));
    for (auto* field : {&b_, &y_, &p_, &q_, &r_, &k_[0], &k_[1], &k_[2]}) {
      field->reset(new double[size]);
      double* const values = field->get();
#pragma omp parallel for
      for (std::size_t i = 0; i < size; ++i) values[i] = 0;
    }
    for (index_t line = 0; line < rows_; ++line)
      for (index_t i = 0; i < n_; ++i) {
        const index_t j = line % n_, k = line / n_;
        b_[start(line) + i] = right_side(i, j, k);
        for (int d = 0; d < N; ++d)
          k_[static_cast<std::size_t>(d)][start(line) + i] = AtFaces{n_, d}(i, j, k);
      }
  }
  void apply() { product<false>(b_.get(), y_.get()); }
  void solve() {
    double* const x = y_.get();
    double* const r = r_.get();
    double* const p = p_.get();
    double* const q = q_.get();
    const double* const b = b_.get();
    double rr = 0;
#pragma omp parallel for reduction(+ : rr)
    for (index_t line = 0; line < rows_; ++line)
#pragma omp simd reduction(+ : rr)
      for (index_t i = start(line); i < start(line) + n_; ++i) {
        x[i] = 0;
        p[i] = r[i] = b[i];
        rr += r[i] * r[i];
      }
    for (int iteration = 0; iteration < iterations; ++iteration) {
      const double alpha = rr / product<true>(p, q);
      double next = 0;
#pragma omp parallel for reduction(+ : next)
      for (index_t line = 0; line < rows_; ++line)
#pragma omp simd reduction(+ : next)
        for (index_t i = start(line); i < start(line) + n_; ++i) {
          x[i] += alpha * p[i];
          r[i] -= alpha * q[i];
          next += r[i] * r[i];
        }
      const double beta = next / rr;
      rr = next;
#pragma omp parallel for
      for (index_t line = 0; line < rows_; ++line)
#pragma omp simd
        for (index_t i = start(line); i < start(line) + n_; ++i) p[i] = r[i] + beta * p[i];
    }
  }
  double sum() const {
    std::vector<double> y;
    for (index_t line = 0; line < rows_; ++line)
      y.insert(y.end(), y_.get() + start(line), y_.get() + start(line) + n_);
    return checksum(Kokkos::Serial{},
                    Kokkos::View<const double*, Kokkos::HostSpace>(y.data(), y.size()));
  }

 private:
  index_t start(index_t line) const {
    return (line / n_ + (N == 3 ? 1 : 0)) * plane_ + (line % n_ + 1) * row_ + 1;
  }
  template <bool Dot>
  double product(const double* u, double* y) const {
    const double* const kx = k_[0].get();
    const double* const ky = k_[1].get();
    const double* const kz = k_[2].get();
    double dot = 0;
#pragma omp parallel for reduction(+ : dot)
    for (index_t line = 0; line < rows_; ++line)
#pragma omp simd reduction(+ : dot)
      for (index_t i = start(line); i < start(line) + n_; ++i) {
        double v = u[i] + kx[i] * (u[i] - u[i - 1]) + kx[i + 1] * (u[i] - u[i + 1]) +
                   ky[i] * (u[i] - u[i - row_]) + ky[i + row_] * (u[i] - u[i + row_]);
        if constexpr (N == 3)
          v += kz[i] * (u[i] - u[i - plane_]) + kz[i + plane_] * (u[i] - u[i + plane_]);
        y[i] = v;
        if constexpr (Dot) dot += u[i] * v;
      }
    return dot;
  }

  index_t n_, row_, plane_, rows_;
  std::unique_ptr<double[]> b_, y_, p_, q_, r_;
  std::array<std::unique_ptr<double[]>, 3> k_;
};
#endif

#ifdef KOKKOS_ENABLE_CUDA
template <int N>
__global__ void cuda_product(const double* u, double* y, const double* kx, const double* ky,
                             const double* kz, index_t n) {
  const index_t row = n + 2, plane = row * row;
  const index_t x = index_t{blockIdx.x} * blockDim.x + threadIdx.x + 1;
  const index_t j = index_t{blockIdx.y} * blockDim.y + threadIdx.y + 1;
  if (x > n || j > n) return;
  const index_t i = x + row * j + (N == 3 ? plane * (index_t{blockIdx.z} + 1) : 0);
  double v = u[i] + kx[i] * (u[i] - u[i - 1]) + kx[i + 1] * (u[i] - u[i + 1]) +
             ky[i] * (u[i] - u[i - row]) + ky[i + row] * (u[i] - u[i + row]);
  if (N == 3) v += kz[i] * (u[i] - u[i - plane]) + kz[i + plane] * (u[i] - u[i + plane]);
  y[i] = v;
}
template <int N>
struct FillGhosted {
  Kokkos::View<double*, Kokkos::CudaSpace> field;
  index_t n;
  int what;  // number of a coefficient, or N: the right-hand side
  KOKKOS_FUNCTION void operator()(index_t at) const {
    const index_t row = n + 2;
    const index_t i = at % row - 1, j = at / row % row - 1, k = N == 3 ? at / row / row - 1 : 0;
    const bool own = i >= 0 && j >= 0 && k >= 0 && i < n && j < n && k < n;
    field(at) = !own ? 0 : what == N ? right_side(i, j, k) : AtFaces{n, what}(i, j, k);
  }
};
template <int N>
struct AddOwnByPlace {
  Kokkos::View<const double*, Kokkos::CudaSpace> field;
  index_t n;
  KOKKOS_FUNCTION void operator()(index_t at, double& sum) const {
    const index_t row = n + 2;
    const index_t z = N == 3 ? at / (n * n) + 1 : 0;
    sum += field(at % n + 1 + row * (at / n % n + 1) + row * row * z) *
           static_cast<double>(1 + at % 7);
  }
};
template <int N>
class CudaByHand {
 public:
  CudaByHand(const Kokkos::Cuda& exec, index_t n) : exec_(exec), n_(n) {
    const index_t size = (n + 2) * (n + 2) * (N == 3 ? n + 2 : 1);
    for (auto* field : {&b_, &y_, &k_[0], &k_[1], &k_[2]}) {
      *field = Field("field", static_cast<std::size_t>(size));
    }
    for (int d = 0; d < N; ++d) forall(exec, "k", size, FillGhosted<N>{k_[d], n, d});
    forall(exec, "b", size, FillGhosted<N>{b_, n, N});
  }
  void apply() {
    const auto n = static_cast<unsigned>(n_);
    cuda_product<N>
        <<<dim3((n + 63) / 64, (n + 3) / 4, N == 3 ? n : 1), dim3(64, 4), 0, exec_.cuda_stream()>>>(
            b_.data(), y_.data(), k_[0].data(), k_[1].data(), k_[2].data(), n_);
  }
  double sum() const {
    return kolam::sum<double>(exec_, "checksum", n_ * n_ * (N == 3 ? n_ : 1),
                              AddOwnByPlace<N>{y_, n_});
  }

 private:
  using Field = Kokkos::View<double*, Kokkos::CudaSpace>;
  Kokkos::Cuda exec_;
  index_t n_;
  Field b_, y_, k_[3];
};
#endif

// Adds the product or the solve, with its name and its work by formula.
template <class Problem, class Exec, int N>
void add_problem(bool solve, const std::string& baseline) {
  const index_t n =
      N == 2 ? options().by_scale<index_t>(64, 512, has_block_threads<Exec> ? 4000 : 2000)
             : options().by_scale<index_t>(16, 64, has_block_threads<Exec> ? 400 : 200);
  const std::string what = std::string(N == 2 ? "plane" : "solid") + (solve ? "-cg" : "-apply");
  const Name name{"stencil-operators", what, "double", n, backend_of<Exec>, baseline};
  add(name, [=] {
    const Exec exec{};
    const auto problem = std::make_shared<Problem>(exec, n);
    const auto run = [=] {
      if constexpr (requires { problem->solve(); }) {
        if (solve) return problem->solve();
      }
      problem->apply();
    };
    run();
    exec.fence("benchmark");
    check(text({name.subject, what, "double", n, name.backend}), problem->sum(), 1e-9);
    const auto points = static_cast<double>(N == 2 ? n * n : n * n * n);
    const double values = solve ? iterations * (11.0 + N) : 2.0 + N;
    return
        [=](benchmark::State& state) { measure(state, exec, {.bytes = 8 * values * points}, run); };
  });
}

template <class Exec, int N>
void add_dimension() {
  const std::string by_hand(kolam::name(backend_of<Exec>));
#ifdef KOKKOS_ENABLE_OPENMP
  if constexpr (std::is_same_v<Exec, Kokkos::OpenMP>)
    for (const bool solve : {false, true}) add_problem<OpenMpByHand<N>, Exec, N>(solve, by_hand);
#endif
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (std::is_same_v<Exec, Kokkos::Cuda>)
    add_problem<CudaByHand<N>, Exec, N>(false, by_hand);
#endif
  for (const bool solve : {false, true}) add_problem<Ours<Exec, N>, Exec, N>(solve, "");
}

void add_all() {
  for_each_backend([]<class Exec>(const Exec&) {
    add_dimension<Exec, 2>();
    add_dimension<Exec, 3>();
  });
}

}  // namespace kolam::benchmarks

int main(int argc, char** argv) {
  return kolam::benchmarks::run_suite(argc, argv, kolam::benchmarks::add_all);
}
