// SPDX-License-Identifier: Apache-2.0
// Instances of an execution space on the devices that the process sees.
#pragma once

#include <kolam/core/execution.hpp>
#include <vector>

namespace kolam {

/// The number of the device that an instance works on; 0 on a host.
template <ExecutionSpace Exec>
int device_number([[maybe_unused]] const Exec& exec) {
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
int devices();

/// Lets the device of `here` copy from that of `there` without the host from now on. Returns
/// whether it can: the driver may not allow it; on one device, or on a host, it always can.
template <ExecutionSpace Exec>
bool connect(const Exec& here, const Exec& there);

/// `count` instances of Exec, each with a stream of its own, on the devices in turn; the first is
/// on the device of Kokkos' default instance. Several processes of one host share its devices with
/// `every` set to the number of these processes: Kokkos gives each of them another default device,
/// from which it takes every `every`-th device. Where the driver allows it, the devices may copy
/// from each other without the host from then on (`connect`). On a host backend all are the default instance:
/// its threads work on one subdomain after the other. The streams live as long as the process, and
/// each device has 32 of them, more if one call asks for more: what is made later shares streams
/// with what was made long before, and then waits for its work. Throws InvalidArgument if count is
/// negative or every less than 1.
template <ExecutionSpace Exec>
std::vector<Exec> make_instances(int count, int every = 1);

/// An instance on the device of `exec` with a stream of its own; on a host `exec` itself. Its
/// blocks wait for those of make_instances' instances: what is long and not urgent belongs here,
/// such as an interior that is swept while halos fly. (Without that a small kernel on another
/// stream begins when the last block of the long one has begun.)
template <ExecutionSpace Exec>
Exec instance_beside(const Exec& exec);

}  // namespace kolam
