// SPDX-License-Identifier: Apache-2.0
// Instances of an execution space on the devices that the process sees.
#pragma once

#include <kolam/core/execution.hpp>
#include <vector>

namespace kolam {

/// Returns the number of the device of an instance; 0 on a host.
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

/// Returns the number of devices that instances of Exec can use: 1 for a host backend.
template <ExecutionSpace Exec>
int devices();

/// Enables copies from the device of `there` to that of `here` without the host. Returns whether
/// they are possible: always within one device or on a host, else if the driver allows them.
template <ExecutionSpace Exec>
bool connect(const Exec& here, const Exec& there);

/// Returns `count` instances of Exec, each with its own stream, distributed over the devices in
/// turn; the first is on the device of Kokkos' default instance. If several processes share the
/// devices of a host, set `every` to their number: Kokkos gives each process a different default
/// device, and this takes every `every`-th device from there. If the driver allows it, the devices
/// can from then on copy from each other without the host (`connect`). On a backend other than
/// CUDA, all are the default instance, so subdomains are processed one after the other.
///
/// Streams live as long as the process. Each device has 32 of them, or more if one call asks for
/// more: later instances share the streams of much earlier ones, and then wait for their work.
/// Throws InvalidArgument if `count` is negative or `every` is less than 1.
template <ExecutionSpace Exec>
std::vector<Exec> make_instances(int count, int every = 1);

/// Returns an instance on the device of `exec` with its own stream of lowest priority (with HIP or
/// SYCL the default instance, on a host `exec` itself), for long work that is not urgent, such as
/// the sweep of an interior during a halo exchange. Blocks of instances from make_instances go
/// first. (Otherwise a small kernel on another stream would begin only after the last block of the
/// long kernel has begun.)
template <ExecutionSpace Exec>
Exec instance_beside(const Exec& exec);

}  // namespace kolam
