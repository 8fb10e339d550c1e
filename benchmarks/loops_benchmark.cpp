// SPDX-License-Identifier: Apache-2.0
// kolam's loops against the same loops written by hand: OpenMP on the host, CUDA on an NVIDIA GPU.
//
//   loops/<flat|block|transpose>/double/<elements of 8^3 points>/<backend>[/<openmp or cuda>]
#include <kolam/core/forall_blocks.hpp>
#include <kolam/core/reshape.hpp>

#include "suite.hpp"

namespace kolam::benchmarks {

constexpr int p = 8;  // points of an element in each direction

template <class Exec>
using Values = Kokkos::View<double*, typename Exec::memory_space>;

template <class Exec>
struct Data {
  index_t elements;
  Values<Exec> x;
  Values<Exec> y;

  explicit Data(index_t count)
      : elements(count), x("x", count * p * p * p), y("y", count * p * p * p) {}
};

template <class Exec>
Data<Exec> filled(const Exec& exec, index_t elements) {
  const Data<Exec> data(elements);
  const auto x = data.x;
  const auto y = data.y;
  forall(
      exec, "fill", elements * p * p * p, KOKKOS_LAMBDA(index_t i) {
        x(i) = 1.0 + 0.001 * static_cast<double>(i % 1013);
        y(i) = 0.5 + 0.001 * static_cast<double>(i % 17);
      });
  return data;
}

// y = 2 x + 0.5 y, flat.
template <class Exec>
void kolam_flat(const Exec& exec, const Data<Exec>& d) {
  const auto x = d.x;
  const auto y = d.y;
  forall(
      exec, "flat", d.elements * p * p * p,
      KOKKOS_LAMBDA(index_t i) { y(i) = 2 * x(i) + 0.5 * y(i); });
}

// The same with blocks of p x p x p threads.
template <class Exec>
void kolam_block(const Exec& exec, const Data<Exec>& d) {
  const auto x = reshape(d.x, fixed<p>, fixed<p>, fixed<p>, d.elements);
  const auto y = reshape(d.y, fixed<p>, fixed<p>, fixed<p>, d.elements);
  forall_3d(
      exec, "block", d.elements, {p, p, p}, KOKKOS_LAMBDA(const Block<Exec>& block, index_t e) {
        block.foreach_z(p, [&](int k) {
          block.foreach_y(p, [&](int j) {
            block.foreach_x(
                p, [&](int i) { y(i, j, k, e) = 2 * x(i, j, k, e) + 0.5 * y(i, j, k, e); });
          });
        });
      });
}

// y(k, j, i) = x(i, j, k) through block scratch.
struct Shared {
  double values[p][p][p + 1];
};
template <class Exec>
void kolam_transpose(const Exec& exec, const Data<Exec>& d) {
  using Shape = StaticShape<p, p, p>;
  const auto x = reshape(d.x, fixed<p>, fixed<p>, fixed<p>, d.elements);
  const auto y = reshape(d.y, fixed<p>, fixed<p>, fixed<p>, d.elements);
  forall_3d(
      exec, "transpose", d.elements, Shape{}, Scratch<Shared>{},
      KOKKOS_LAMBDA(const Block<Exec, Shape>& block, Shared& s, index_t e) {
        block.foreach_z(p, [&](int k) {
          block.foreach_y(p, [&](int j) {
            block.foreach_x(p, [&](int i) { s.values[k][j][i] = x(i, j, k, e); });
          });
        });
        block.sync();
        block.foreach_z(p, [&](int k) {
          block.foreach_y(p, [&](int j) {
            block.foreach_x(p, [&](int i) { y(i, j, k, e) = s.values[i][j][k]; });
          });
        });
      });
}

// The baselines.
#ifdef KOKKOS_ENABLE_OPENMP
void by_hand_flat(const Kokkos::OpenMP&, const Data<Kokkos::OpenMP>& d) {
  const double* const x = d.x.data();
  double* const y = d.y.data();
#pragma omp parallel for
  for (index_t i = 0; i < d.elements * p * p * p; ++i) y[i] = 2 * x[i] + 0.5 * y[i];
}
void by_hand_block(const Kokkos::OpenMP&, const Data<Kokkos::OpenMP>& d) {
#pragma omp parallel for
  for (index_t e = 0; e < d.elements; ++e) {
    const double* const x = d.x.data() + e * p * p * p;
    double* const y = d.y.data() + e * p * p * p;
    for (int k = 0; k < p; ++k)
      for (int j = 0; j < p; ++j)
        for (int i = 0; i < p; ++i) {
          const int n = i + p * (j + p * k);
          y[n] = 2 * x[n] + 0.5 * y[n];
        }
  }
}
void by_hand_transpose(const Kokkos::OpenMP&, const Data<Kokkos::OpenMP>& d) {
#pragma omp parallel for
  for (index_t e = 0; e < d.elements; ++e) {
    const double* const x = d.x.data() + e * p * p * p;
    double* const y = d.y.data() + e * p * p * p;
    double s[p][p][p + 1];
    for (int k = 0; k < p; ++k)
      for (int j = 0; j < p; ++j)
        for (int i = 0; i < p; ++i) s[k][j][i] = x[i + p * (j + p * k)];
    for (int k = 0; k < p; ++k)
      for (int j = 0; j < p; ++j)
        for (int i = 0; i < p; ++i) y[i + p * (j + p * k)] = s[i][j][k];
  }
}
#endif

#ifdef KOKKOS_ENABLE_CUDA
__global__ void cuda_flat(const double* x, double* y, index_t n) {
  const index_t i = index_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2 * x[i] + 0.5 * y[i];
}
__global__ void cuda_block(const double* x, double* y) {
  const index_t n = threadIdx.x + p * (threadIdx.y + p * (threadIdx.z + p * index_t{blockIdx.x}));
  y[n] = 2 * x[n] + 0.5 * y[n];
}
__global__ void cuda_transpose(const double* x, double* y) {
  __shared__ double s[p][p][p + 1];
  const unsigned i = threadIdx.x;
  const unsigned j = threadIdx.y;
  const unsigned k = threadIdx.z;
  const index_t n = i + p * (j + p * (k + p * index_t{blockIdx.x}));
  s[k][j][i] = x[n];
  __syncthreads();
  y[n] = s[i][j][k];
}
void by_hand_flat(const Kokkos::Cuda& exec, const Data<Kokkos::Cuda>& d) {
  const index_t n = d.elements * p * p * p;
  cuda_flat<<<static_cast<unsigned>((n + 255) / 256), 256, 0, exec.cuda_stream()>>>(d.x.data(),
                                                                                    d.y.data(), n);
}
void by_hand_block(const Kokkos::Cuda& exec, const Data<Kokkos::Cuda>& d) {
  cuda_block<<<static_cast<unsigned>(d.elements), dim3(p, p, p), 0, exec.cuda_stream()>>>(
      d.x.data(), d.y.data());
}
void by_hand_transpose(const Kokkos::Cuda& exec, const Data<Kokkos::Cuda>& d) {
  cuda_transpose<<<static_cast<unsigned>(d.elements), dim3(p, p, p), 0, exec.cuda_stream()>>>(
      d.x.data(), d.y.data());
}
#endif

// The checksum is taken after the first launch, on fresh data. `bytes`, `flop`: per value.
template <class Exec, class Launch>
void add_loop(const std::string& what, bool by_hand, double bytes, double flop, Launch launch) {
  const index_t elements =
      options().by_scale<index_t>(64, 1 << 13, 1 << 16) * (has_block_threads<Exec> ? 4 : 1);
  const Name name{"loops",          what,
                  "double",         elements,
                  backend_of<Exec>, by_hand ? std::string(kolam::name(backend_of<Exec>)) : ""};
  add(name, [=] {
    const Exec exec{};
    const Data<Exec> fresh = filled(exec, elements);
    launch(exec, fresh);
    check(text({name.subject, what, "double", elements, name.backend}), checksum(exec, fresh.y));
    const double values = static_cast<double>(elements * p * p * p);
    return [=](benchmark::State& state) {
      measure(state, exec, {bytes * values, flop * values}, [&] { launch(exec, fresh); });
    };
  });
}

template <class Exec>
void add_loops() {
  using D = Data<Exec>;
  if constexpr (requires(Exec exec, D d) { by_hand_flat(exec, d); }) {
    add_loop<Exec>("flat", true, 24, 3, [](const Exec& e, const D& d) { by_hand_flat(e, d); });
    add_loop<Exec>("block", true, 24, 3, [](const Exec& e, const D& d) { by_hand_block(e, d); });
    add_loop<Exec>("transpose", true, 16, 0,
                   [](const Exec& e, const D& d) { by_hand_transpose(e, d); });
  }
  add_loop<Exec>("flat", false, 24, 3, [](const Exec& e, const D& d) { kolam_flat(e, d); });
  add_loop<Exec>("block", false, 24, 3, [](const Exec& e, const D& d) { kolam_block(e, d); });
  add_loop<Exec>("transpose", false, 16, 0,
                 [](const Exec& e, const D& d) { kolam_transpose(e, d); });
}

void add_all() {
  for_each_backend([]<class Exec>(const Exec&) { add_loops<Exec>(); });
}

}  // namespace kolam::benchmarks

int main(int argc, char** argv) {
  return kolam::benchmarks::run_suite(argc, argv, kolam::benchmarks::add_all);
}
