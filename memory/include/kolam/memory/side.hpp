// SPDX-License-Identifier: Apache-2.0
// The two sides of an array, and the tags by which an intent names them.
#pragma once

#include <Kokkos_Core.hpp>
#include <kolam/core/execution.hpp>
#include <type_traits>

namespace kolam {

/// The tag of the host side of an array: `a.read(kolam::host)`.
struct HostSide {
  using memory_space = Kokkos::HostSpace;  ///< memory space of the Views
};
/// The tag of the device side, used by the default instance of the default execution space; host
/// memory in host-only builds.
struct DeviceSide {
  using memory_space = Kokkos::DefaultExecutionSpace::memory_space;  ///< memory space of the Views
};
inline constexpr HostSide host{};      ///< the host side, for intents
inline constexpr DeviceSide device{};  ///< the device side, for intents

/// Whether host and device are one memory in this build. If so, arrays have only one side, unless a
/// device is emulated.
inline constexpr bool one_memory = std::is_same_v<DeviceSide::memory_space, Kokkos::HostSpace>;

namespace detail {

enum class Side { host, device };

// The side of `Where`, a side tag or an execution space. If there is one memory, the default
// execution space counts as the device, so that an emulated device is used.
template <class Where>
inline constexpr Side side_of =
    std::is_same_v<Where, DeviceSide> || std::is_same_v<Where, Kokkos::DefaultExecutionSpace> ||
            (!one_memory && std::is_same_v<typename Where::memory_space, DeviceSide::memory_space>)
        ? Side::device
        : Side::host;

template <class Where>
concept NamesSide =
    std::is_same_v<Where, HostSide> || std::is_same_v<Where, DeviceSide> || ExecutionSpace<Where>;

}  // namespace detail
}  // namespace kolam
