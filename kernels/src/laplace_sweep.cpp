// SPDX-License-Identifier: Apache-2.0
#include <kolam/core/detail/instantiate.hpp>
#include <kolam/kernels/detail/laplace_device.hpp>
#include <kolam/kernels/detail/laplace_host.hpp>
#include <kolam/kernels/laplace_sweep.hpp>

namespace kolam {

template <class T, ExecutionSpace Exec>
index_t laplace_partial_sums(const Grid2d& grid) {
  if constexpr (has_block_threads<Exec>) {
    return detail::LaplaceTile<T, Exec>(grid).blocks();
  } else {
    return (grid.ny - 2 + detail::laplace_host_rows - 1) / detail::laplace_host_rows;
  }
}

template <class T, ExecutionSpace Exec>
void laplace_sweep(const Exec& exec, const Grid2d& grid,
                   Kokkos::View<const T*, typename Exec::memory_space> u,
                   Kokkos::View<T*, typename Exec::memory_space> new_u,
                   const SweepControl<Exec>& control) {
  if constexpr (has_block_threads<Exec>) {
    detail::laplace_sweep_on_device<T>(exec, grid, u.data(), new_u.data(), control);
  } else {
    const auto bytes = 2 * static_cast<std::uint64_t>(grid.size()) * sizeof(T);
    detail::laplace_sweep_on_host<T>(exec, grid, u.data(), new_u.data(), control,
                                     exceeds_cache(bytes));
  }
}

#define KOLAM_INSTANTIATE_FOR(T, EXEC)                                        \
  template index_t laplace_partial_sums<T, EXEC>(const Grid2d&);              \
  template void laplace_sweep<T, EXEC>(                                       \
      const EXEC&, const Grid2d&, Kokkos::View<const T*, EXEC::memory_space>, \
      Kokkos::View<T*, EXEC::memory_space>, const SweepControl<EXEC>&);
#define KOLAM_INSTANTIATE(EXEC)      \
  KOLAM_INSTANTIATE_FOR(float, EXEC) \
  KOLAM_INSTANTIATE_FOR(double, EXEC)
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_INSTANTIATE)
KOLAM_INSTANTIATE(HostTeams)

}  // namespace kolam
