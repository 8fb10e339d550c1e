// SPDX-License-Identifier: Apache-2.0
// Instances of an execution space on the devices that the process sees.
#pragma once

#include <kolam/core/execution.hpp>
#include <vector>

namespace kolam {

/// The number of the device that an instance works on; 0 on a host.
template <ExecutionSpace Exec>
[[nodiscard]] int device_number([[maybe_unused]] const Exec& exec) {
  if constexpr (requires { exec.cuda_device(); }) {
    return exec.cuda_device();
  } else if constexpr (requires { exec.hip_device(); }) {
    return exec.hip_device();
  } else {
    return 0;
  }
}

/// Devices that instances of Exec can be on: 1 for a host backend.
template <ExecutionSpace Exec>
[[nodiscard]] int devices();

/// `count` instances of Exec, each with a stream of its own, on the devices in turn; the first is
/// on the device of Kokkos' default instance. Where the driver allows it, these devices may copy
/// from each other without the host from then on. On a host backend all are the default instance:
/// its threads work on one subdomain after the other. Throws InvalidArgument if count is negative.
template <ExecutionSpace Exec>
[[nodiscard]] std::vector<Exec> make_instances(int count);

}  // namespace kolam
