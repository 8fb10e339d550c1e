// SPDX-License-Identifier: Apache-2.0
// Views of kolam's own: where memory is short, the error says what for and how much.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <exception>
#include <kolam/core/device.hpp>
#include <kolam/core/execution.hpp>
#include <string>

namespace kolam::detail {

// Throws OutOfMemory: `label` asked for `bytes` on `device`.
[[noreturn]] void throw_out_of_memory(const Device& device, const std::string& label,
                                      std::uint64_t bytes);

template <class View, ExecutionSpace Exec, class... Sizes>
View allocate_by(const auto& how, const std::string& label, Sizes... sizes) {
  try {
    return View(how, static_cast<std::size_t>(sizes)...);
  } catch (const std::exception&) {  // Kokkos 4 and 5 throw different types
    throw_out_of_memory(device_of(backend_of<Exec>), label,
                        View::required_allocation_size(static_cast<std::size_t>(sizes)...));
  }
}

// A View in the memory of `exec`, of these sizes; its values are not set.
template <class View, ExecutionSpace Exec, class... Sizes>
View allocate_view(const Exec& exec, const std::string& label, Sizes... sizes) {
  return allocate_by<View, Exec>(
      Kokkos::view_alloc(kokkos_instance(exec), Kokkos::WithoutInitializing, label), label,
      sizes...);
}

// The same with zeros, which are written asynchronously.
template <class View, ExecutionSpace Exec, class... Sizes>
View allocate_zeros(const Exec& exec, const std::string& label, Sizes... sizes) {
  return allocate_by<View, Exec>(Kokkos::view_alloc(kokkos_instance(exec), label), label, sizes...);
}

}  // namespace kolam::detail
