// SPDX-License-Identifier: Apache-2.0
// What a backend runs on: name, memory, cache.
#pragma once

#include <cstdint>
#include <kolam/core/backend.hpp>
#include <string>

namespace kolam {

/// The device of a backend's default instance; the host's processor for host backends.
struct Device {
  Backend backend;                 ///< whose device it is
  std::string name;                ///< "NVIDIA H200", "Intel(R) Xeon(R) ..."
  int concurrency;                 ///< hardware threads that the backend uses
  std::uint64_t memory_total;      ///< bytes
  std::uint64_t memory_available;  ///< bytes now; on the host within the process's control group
  /// Bytes; of a host those that this process's processors share; 0 where the system does not say.
  std::uint64_t last_level_cache;
};

/// Describes the device of `backend`, which must be in this build. Needs a running Runtime.
Device device_of(Backend backend);

/// Throws OutOfMemory, naming `label`, unless `bytes` are available on the device of `backend`.
/// Hosts promise more memory than they have, so this is asked before large allocations.
void require_memory(Backend backend, const std::string& label, std::uint64_t bytes);

namespace detail {

/// Throws DeviceUnavailable if a device backend is compiled in and no device of its kind answers;
/// Kokkos itself would abort. Works before Kokkos is initialised.
void require_usable_devices();

}  // namespace detail
}  // namespace kolam
