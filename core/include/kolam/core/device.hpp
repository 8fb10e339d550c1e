// SPDX-License-Identifier: Apache-2.0
// The device of a backend: name, memory, cache.
#pragma once

#include <cstdint>
#include <kolam/core/backend.hpp>
#include <string>

namespace kolam {

/// The device of a backend's default instance; the host's processor for host backends.
struct Device {
  Backend backend;                 ///< backend of the device
  std::string name;                ///< "NVIDIA H200", "Intel(R) Xeon(R) ..."
  int concurrency;                 ///< hardware threads that the backend uses
  std::uint64_t memory_total;      ///< bytes
  std::uint64_t memory_available;  ///< free bytes; on a host, within the control group's limit
  /// Bytes; on a host the total for the processors of this process; 0 if the system does not say.
  std::uint64_t last_level_cache;
};

/// Describes the device of `backend`, which must be in this build. Needs a running Runtime.
Device device_of(Backend backend);

/// Throws OutOfMemory, naming `label`, unless `bytes` are available on the device of `backend`.
/// Call this before large allocations, because hosts overcommit memory.
void require_memory(Backend backend, const std::string& label, std::uint64_t bytes);

namespace detail {

/// Throws DeviceUnavailable if a device backend is compiled in but no device of its kind is usable;
/// Kokkos itself would abort. Works before Kokkos is initialised.
void require_usable_devices();

}  // namespace detail
}  // namespace kolam
