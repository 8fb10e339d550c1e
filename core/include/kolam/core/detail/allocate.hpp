// SPDX-License-Identifier: Apache-2.0
// Allocation of kolam's own Views; if memory is short, the error names the View and its size.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <exception>
#include <kolam/core/device.hpp>
#include <kolam/core/execution.hpp>
#include <string>
#include <type_traits>

namespace kolam::detail {

// Throws OutOfMemory: `label` requested `bytes` on `device`.
[[noreturn]] void throw_out_of_memory(const Device& device, const std::string& label,
                                      std::uint64_t bytes);

template <class View, ExecutionSpace Exec, class... Sizes>
View allocate_by(const auto& how, const std::string& label, Sizes... sizes) {
  try {
    return View(how, static_cast<std::size_t>(sizes)...);
  } catch (const std::exception&) {  // Kokkos 4.7-5.1: std::runtime_error; 5.2: its own BadAlloc
    throw_out_of_memory(device_of(backend_of<Exec>), label,
                        View::required_allocation_size(static_cast<std::size_t>(sizes)...));
  }
}

// Returns an uninitialised View of these sizes in the memory of `exec`.
template <class View, ExecutionSpace Exec, class... Sizes>
View allocate_view(const Exec& exec, const std::string& label, Sizes... sizes) {
  return allocate_by<View, Exec>(
      Kokkos::view_alloc(kokkos_instance(exec), Kokkos::WithoutInitializing, label), label,
      sizes...);
}

// Returns a View of zeros, which are written asynchronously.
template <class View, ExecutionSpace Exec, class... Sizes>
View allocate_zeros(const Exec& exec, const std::string& label, Sizes... sizes) {
  return allocate_by<View, Exec>(Kokkos::view_alloc(kokkos_instance(exec), label), label, sizes...);
}

// Returns `count` zeros in host memory that devices can read too.
template <class T>
Kokkos::View<T*, Kokkos::SharedHostPinnedSpace> allocate_pinned(const std::string& label,
                                                                index_t count) {
  return allocate_by<Kokkos::View<T*, Kokkos::SharedHostPinnedSpace>,
                     Kokkos::DefaultHostExecutionSpace>(Kokkos::view_alloc(label), label, count);
}

// Waits for all work, and returns `view` readable on the host: the View itself, or a host copy.
template <class View>
auto readable_on_host(const View& view) {
  if constexpr (std::is_same_v<typename View::memory_space, Kokkos::HostSpace>) {
    Kokkos::fence("kolam::readable_on_host");
    return view;
  } else {
    using HostCopy = decltype(Kokkos::create_mirror_view(Kokkos::HostSpace(), view));
    const auto copy = [&] {
      try {
        return HostCopy(Kokkos::create_mirror_view(
            Kokkos::view_alloc(Kokkos::HostSpace(), Kokkos::WithoutInitializing), view));
      } catch (const std::exception&) {
        throw_out_of_memory(device_of(backend_of<Kokkos::DefaultHostExecutionSpace>), view.label(),
                            view.span() * sizeof(typename View::value_type));
      }
    }();
    Kokkos::deep_copy(copy, view);
    return copy;
  }
}

}  // namespace kolam::detail
