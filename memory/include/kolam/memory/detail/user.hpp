// SPDX-License-Identifier: Apache-2.0
// The user of an intent, as the bookkeeping identifies it.
#pragma once

#include <atomic>
#include <kolam/core/any_instance.hpp>
#include <kolam/memory/emulation.hpp>
#include <kolam/memory/side.hpp>
#include <optional>
#include <type_traits>

namespace kolam::detail {

// The key of the default instance; a key of no instance until it is known.
inline constexpr char unknown_instance = 0;
inline std::atomic<const void*> default_instance{&unknown_instance};

/// Returns the key of the instance that `where` names; null if its work is done when the call
/// returns: on the host, and on host backends unless one of them stands for a device.
template <NamesSide Where>
const void* user_key([[maybe_unused]] const Where& where) {
  if constexpr (side_of<Where> == Side::host) {
    return nullptr;
  } else {
    if (one_memory && !emulating()) return nullptr;
    if constexpr (std::is_same_v<Where, DeviceSide>) {
      return default_instance.load(std::memory_order_relaxed);
    } else {
      return instance_key(where);
    }
  }
}

/// Returns the instance itself, or none likewise. Kokkos must be running.
template <NamesSide Where>
std::optional<AnyInstance> user_of([[maybe_unused]] const Where& where) {
  if constexpr (side_of<Where> == Side::host) {
    return std::nullopt;
  } else {
    if (one_memory && !emulating()) return std::nullopt;
    if constexpr (std::is_same_v<Where, DeviceSide>) {
      const AnyInstance instance(Kokkos::DefaultExecutionSpace{});
      default_instance.store(instance.key(), std::memory_order_relaxed);
      return instance;
    } else {
      return AnyInstance(where);
    }
  }
}

}  // namespace kolam::detail
