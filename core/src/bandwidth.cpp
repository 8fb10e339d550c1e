// SPDX-License-Identifier: Apache-2.0
#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>
#include <Kokkos_Timer.hpp>
#include <algorithm>
#include <kolam/core/bandwidth.hpp>
#include <kolam/core/detail/allocate.hpp>
#include <kolam/core/detail/instantiate.hpp>
#include <kolam/core/device.hpp>
#include <kolam/core/error.hpp>
#include <kolam/core/forall.hpp>
#include <kolam/core/non_temporal.hpp>
#include <kolam/core/short_vector.hpp>
#include <limits>
#include <string>

namespace kolam {
namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;
constexpr double scalar = 3;
constexpr index_t chunk = 512;         // doubles in a host thread's buffer: 4 KiB
constexpr index_t block = 64 * chunk;  // doubles per call on the host
// Prefetch distances; 0 leaves prefetching to the processor. Which is faster depends on it.
constexpr index_t distances[] = {0, 4 * chunk};

template <class Exec>
using Field = Kokkos::View<double*, typename Exec::memory_space>;

// c = a + s b on a device, one short vector per index: enough are in flight to saturate the memory.
template <class Exec>
struct DeviceTriad {
  Field<Exec> a, b, c;
  KOKKOS_FUNCTION void operator()(index_t i) const {
    const auto x = load_short_vector(&a(2 * i));
    const auto y = load_short_vector(&b(2 * i));
    store_short_vector(&c(2 * i), ShortVector<double>{x[0] + scalar * y[0], x[1] + scalar * y[1]});
  }
};
template <class Exec>
struct DeviceCopy {
  Field<Exec> a, c;
  KOKKOS_FUNCTION void operator()(index_t i) const {
    store_short_vector(&c(2 * i), load_short_vector(&a(2 * i)));
  }
};

// The same kernels on a host, one block per call, with non-temporal stores. (The last prefetches of
// an array request lines past its end, which is not an access.)
void host_copy(const double* a, double* c, index_t first, index_t ahead) {
  for (index_t i = first; i < first + block; i += chunk) {
    if (ahead > 0) prefetch_to_cache(a + i + ahead, chunk);
    store_non_temporal(c + i, a + i, chunk);
  }
  non_temporal_fence();
}
void host_triad(const double* a, const double* b, double* c, index_t first, index_t ahead) {
  alignas(64) double buffer[chunk];
  for (index_t i = first; i < first + block; i += chunk) {
    if (ahead > 0) prefetch_to_cache(a + i + ahead, chunk);
    if (ahead > 0) prefetch_to_cache(b + i + ahead, chunk);
    for (index_t j = 0; j < chunk; ++j) buffer[j] = a[i + j] + scalar * b[i + j];
    store_non_temporal(c + i, buffer, chunk);
  }
  non_temporal_fence();
}

template <class Exec, class Pass>
double best_gbs(const Exec& exec, int repeats, double bytes, const Pass& pass) {
  double best = 0;
  for (int r = 0; r <= repeats; ++r) {
    Kokkos::Timer timer;
    pass();
    exec.fence("bandwidth");
    if (r > 0) best = std::max(best, bytes / timer.seconds() * 1e-9);
  }
  return best;
}

}  // namespace

template <class Exec>
Bandwidth measure_bandwidth(const Exec& exec, std::uint64_t array_bytes, int repeats) {
  const Kokkos::Profiling::ScopedRegion region("kolam::measure_bandwidth");
  if (repeats < 1) {
    throw InvalidArgument("measure_bandwidth: repeats is " + std::to_string(repeats) +
                          "; it must be at least 1");
  }
  const Device here = device_of(backend_of<Exec>);
  if (array_bytes == 0) {
    // A device reaches its peak only with much data in flight.
    const std::uint64_t least = (has_block_threads<Exec> ? 1024 : 64) * mebibyte;
    array_bytes = std::min(std::max(4 * here.last_level_cache, least), here.memory_available / 8);
  }
  const auto blocks =
      std::max<index_t>(1, static_cast<index_t>(array_bytes / sizeof(double)) / block);
  const index_t n = blocks * block;
  Bandwidth result;
  result.array_bytes = static_cast<std::uint64_t>(n) * sizeof(double);
  constexpr auto most = std::numeric_limits<std::uint64_t>::max();
  require_memory(backend_of<Exec>, "measure_bandwidth",
                 result.array_bytes > most / 3 ? most : 3 * result.array_bytes);

  const auto field = [&](const std::string& label) {
    return detail::allocate_view<Field<Exec>>(exec, label, n);
  };
  const Field<Exec> a = field("kolam::bandwidth a");
  const Field<Exec> b = field("kolam::bandwidth b");
  const Field<Exec> c = field("kolam::bandwidth c");
  forall(
      exec, "kolam::bandwidth fill", n, KOKKOS_LAMBDA(index_t i) {
        a(i) = 1;
        b(i) = 2;
        c(i) = 0;
      });

  const auto bytes = static_cast<double>(result.array_bytes);
  if constexpr (has_block_threads<Exec>) {
    result.copy_gbs = best_gbs(exec, repeats, 2 * bytes, [&] {
      forall(exec, "kolam::bandwidth copy", n / 2, DeviceCopy<Exec>{a, c});
    });
    result.triad_gbs = best_gbs(exec, repeats, 3 * bytes, [&] {
      forall(exec, "kolam::bandwidth triad", n / 2, DeviceTriad<Exec>{a, b, c});
    });
  } else {
    for (const index_t ahead : distances) {
      const double copy_gbs = best_gbs(exec, repeats, 2 * bytes, [&] {
        forall(exec, "kolam::bandwidth copy", blocks,
               [=](index_t i) { host_copy(a.data(), c.data(), i * block, ahead); });
      });
      const double triad_gbs = best_gbs(exec, repeats, 3 * bytes, [&] {
        forall(exec, "kolam::bandwidth triad", blocks,
               [=](index_t i) { host_triad(a.data(), b.data(), c.data(), i * block, ahead); });
      });
      result.copy_gbs = std::max(result.copy_gbs, copy_gbs);
      result.triad_gbs = std::max(result.triad_gbs, triad_gbs);
    }
  }
  double errors = sum<double>(
      exec, "kolam::bandwidth check", n,
      KOKKOS_LAMBDA(index_t i, double& sum) { sum += c(i) == a(i) + scalar * b(i) ? 0 : 1; });
  if (errors > 0)
    throw Error("measure_bandwidth: the triad gave wrong values; the memory is not sound");
  return result;
}

#define KOLAM_INSTANTIATE(EXEC) \
  template Bandwidth measure_bandwidth(const EXEC&, std::uint64_t, int);
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_INSTANTIATE)

}  // namespace kolam
