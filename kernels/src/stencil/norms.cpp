// SPDX-License-Identifier: Apache-2.0
#include <Kokkos_Core.hpp>
#include <kolam/core/detail/allocate.hpp>
#include <kolam/core/detail/instantiate.hpp>
#include <kolam/core/forall_blocks.hpp>
#include <kolam/kernels/stencil/norms.hpp>
#include <string>

namespace kolam {
namespace {

template <class Exec>
using FinishShape = StaticShape<block_threads<Exec, 1024>>;
template <class Exec>
using RowShape = StaticShape<block_threads<Exec, 256>>;

template <class Exec>
struct FinishNorms {
  Kokkos::View<const double**, Kokkos::LayoutLeft, typename Exec::memory_space> partial_sums;
  Kokkos::View<double*, Kokkos::SharedHostPinnedSpace> norms;
  index_t first;
  Kokkos::View<int, typename Exec::memory_space> stop;
  double tol;

  KOKKOS_FUNCTION void operator()(const Block<Exec, FinishShape<Exec>>& block, index_t step) const {
    if (stop.data() != nullptr && stop() != 0) {
      block.once([&] { norms(first + step) = norm_skipped; });
      return;
    }
    double sum = 0;
    block.foreach_x(static_cast<index_t>(partial_sums.extent(0)),
                    [&](index_t i) { sum += partial_sums(i, step); });
    const double norm = Kokkos::sqrt(block.sum(sum));
    block.once([&] {
      norms(first + step) = norm;
      if (stop.data() != nullptr && (norm <= tol || !Kokkos::isfinite(norm))) stop() = 1;
    });
  }
};

template <class T, int N, class Exec>
struct RowNorms {
  FieldLayout<N> layout;
  const T* u;  // points at the first own point
  Kokkos::View<double**, Kokkos::LayoutLeft, typename Exec::memory_space> squares;
  Kokkos::View<double*, typename Exec::memory_space> largest;

  KOKKOS_FUNCTION void operator()(const Block<Exec, RowShape<Exec>>& block, index_t row) const {
    const index_t y = N == 2 ? row : row % layout.own[1];
    const index_t z = N == 2 ? 0 : row / layout.own[1];
    const T* const values = u + y * layout.stride[1] + z * layout.stride[N - 1];
    double sum = 0;
    double most = 0;
    block.foreach_x(layout.own[0], [&](index_t i) {
      const double value = values[i];
      sum += value * value;
      most = Kokkos::max(most, Kokkos::abs(value));
    });
    const double row_sum = block.sum(sum);
    const double row_most = block.max(most);
    block.once([&] {
      squares(row, 0) = row_sum;
      largest(row) = row_most;
    });
  }
};

}  // namespace

template <ExecutionSpace Exec>
void finish_norms(const Exec& exec,
                  const Kokkos::View<const double**, Kokkos::LayoutLeft,
                                     typename Exec::memory_space>& partial_sums,
                  int steps, const Kokkos::View<double*, Kokkos::SharedHostPinnedSpace>& norms,
                  index_t first, const Kokkos::View<int, typename Exec::memory_space>& stop,
                  double tol) {
  forall(exec, "kolam::finish_norms", steps, FinishShape<Exec>{},
         FinishNorms<Exec>{partial_sums, norms, first, stop, tol});
}

template <class T, int N, ExecutionSpace Exec>
FieldNorms field_norms(const Exec& exec, const FieldLayout<N>& layout,
                       Kokkos::View<const T*, typename Exec::memory_space> u) {
  using Space = typename Exec::memory_space;
  const index_t rows = N == 2 ? layout.own[1] : layout.own[1] * layout.own[N - 1];
  const auto squares = detail::allocate_zeros<Kokkos::View<double**, Kokkos::LayoutLeft, Space>>(
      exec, "kolam::row squares", rows, 1);
  const auto largest =
      detail::allocate_zeros<Kokkos::View<double*, Space>>(exec, "kolam::row maxima", rows);
  const auto l2 = detail::allocate_pinned<double>("kolam::l2", 1);
  forall(exec, "kolam::field_norms", rows, RowShape<Exec>{},
         RowNorms<T, N, Exec>{layout, u.data() + layout.origin, squares, largest});
  finish_norms<Exec>(exec, squares, 1, l2, 0);
  const double most = max<double>(
      exec, "kolam::field_max", rows,
      KOKKOS_LAMBDA(index_t row, double& value) { value = Kokkos::max(value, largest(row)); });
  exec.fence("kolam::field_norms");
  // A maximum ignores NaN, a sum does not.
  const double norm = l2(0);
  return {norm * norm, Kokkos::isnan(norm) ? norm : most};
}

#define KOLAM_INSTANTIATE_FOR(T, EXEC)                                                     \
  template FieldNorms field_norms<T, 2, EXEC>(const EXEC&, const FieldLayout<2>&,          \
                                              Kokkos::View<const T*, EXEC::memory_space>); \
  template FieldNorms field_norms<T, 3, EXEC>(const EXEC&, const FieldLayout<3>&,          \
                                              Kokkos::View<const T*, EXEC::memory_space>);
#define KOLAM_INSTANTIATE(EXEC)                                                                 \
  template void finish_norms<EXEC>(                                                             \
      const EXEC&, const Kokkos::View<const double**, Kokkos::LayoutLeft, EXEC::memory_space>&, \
      int, const Kokkos::View<double*, Kokkos::SharedHostPinnedSpace>&, index_t,                \
      const Kokkos::View<int, EXEC::memory_space>&, double);                                    \
  KOLAM_INSTANTIATE_FOR(float, EXEC)                                                            \
  KOLAM_INSTANTIATE_FOR(double, EXEC)
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_INSTANTIATE)
KOLAM_INSTANTIATE(HostTeams)

}  // namespace kolam
