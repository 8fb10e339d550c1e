// SPDX-License-Identifier: Apache-2.0
// Uploads of set-up data.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <kolam/core/detail/allocate.hpp>
#include <vector>

namespace kolam::detail {

// Returns host numbers as values of T in the memory of `exec`.
template <class T, ExecutionSpace Exec, class Number>
Kokkos::View<T*, typename Exec::memory_space> to_space(const Exec& exec, const char* label,
                                                       const std::vector<Number>& numbers) {
  const auto instance = kokkos_instance(exec);
  const auto view =
      allocate_view<Kokkos::View<T*, typename Exec::memory_space>>(exec, label, numbers.size());
  auto there = Kokkos::create_mirror_view(Kokkos::HostSpace(), view);
  std::transform(numbers.begin(), numbers.end(), there.data(),
                 [](Number number) { return static_cast<T>(number); });
  Kokkos::deep_copy(instance, view, there);
  instance.fence("kolam::to_space");  // the mirror is destroyed on return
  return view;
}

}  // namespace kolam::detail
