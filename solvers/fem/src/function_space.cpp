// SPDX-License-Identifier: Apache-2.0
#include <Kokkos_StdAlgorithms.hpp>
#include <kolam/core/detail/instantiate.hpp>
#include <kolam/core/forall.hpp>
#include <kolam/fem/function_space.hpp>

namespace kolam::fem::detail {

// dof(node) = first + before(node) for marked nodes, where before(node) counts marked nodes.
template <class Exec>
struct NumberUnknowns {
  Kokkos::View<const int*, typename Exec::memory_space> before;
  int first;
  Kokkos::View<int*, typename Exec::memory_space> dof;
  KOKKOS_FUNCTION void operator()(index_t node) const {
    if (before(node + 1) > before(node)) dof(node) = first + before(node);
  }
};

template <ExecutionSpace Exec>
int number_marked(const Exec& exec, const Kokkos::View<int*, typename Exec::memory_space>& marked,
                  int first, const Kokkos::View<int*, typename Exec::memory_space>& dof) {
  const auto instance = kokkos_instance(exec);
  Kokkos::Experimental::inclusive_scan("kolam::function_space", instance, marked, marked);
  forall(exec, "kolam::function_space", static_cast<index_t>(dof.extent(0)),
         NumberUnknowns<Exec>{marked, first, dof});
  int count = 0;
  Kokkos::deep_copy(instance, count, Kokkos::subview(marked, marked.extent(0) - 1));
  exec.fence("kolam::function_space");
  return count;
}

#define KOLAM_INSTANTIATE(EXEC)                                                                \
  template int number_marked<EXEC>(const EXEC&, const Kokkos::View<int*, EXEC::memory_space>&, \
                                   int, const Kokkos::View<int*, EXEC::memory_space>&);
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_INSTANTIATE)

}  // namespace kolam::fem::detail
