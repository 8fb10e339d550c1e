// SPDX-License-Identifier: Apache-2.0
// The ways that points take from one subdomain to another's ghosts.
#pragma once

#include <string_view>

namespace kolam::comm {

/// What the user asks for.
enum class Transport {
  automatic,  ///< the fastest that works for each pair
  peer,       ///< devices of one process copy from each other; DeviceUnavailable where they cannot
  staged,     ///< everything through pinned memory of the host
  mpi         ///< messages of MPI also between the subdomains of one process
};

///@{
/// `auto`, `peer`, `staged` or `mpi`. Throws InvalidArgument for other texts.
Transport parse_transport(std::string_view text);
std::string_view name(Transport transport);
///@}

/// Whether messages of MPI begin and end in the memory of a device.
enum class GpuAwareMpi {
  automatic,  ///< if MPI says so and a message of a process to itself arrives
  on,         ///< if a message of a process to itself arrives, else CommunicationError
  off         ///< never: they go through pinned memory
};

/// `auto`, `on` or `off`. Throws InvalidArgument for other texts.
GpuAwareMpi parse_gpu_aware_mpi(std::string_view text);

/// What one pair of subdomains gets.
enum class Path {
  direct,     ///< one device, or the host: copied once, by the receiver
  peer,       ///< packed by the sender, copied by the receiver's device
  staged,     ///< the same through pinned memory
  mpi,        ///< a message from and to the subdomains' memory
  mpi_staged  ///< a message from and to pinned memory
};

/// What decides about a pair.
struct Pair {
  bool one_process = true;  ///< both subdomains are in one process
  bool one_device = true;   ///< and on one device, or on a host
  bool connected = true;    ///< the receiver's device may copy from the sender's
  bool gpu_aware = true;    ///< of MPI; true for a host, whose memory it is
  /// Whether all of it is the same.
  friend bool operator==(const Pair&, const Pair&) = default;
};

/// Throws DeviceUnavailable if `peer` is asked for and the devices are not connected.
Path path_of(Transport transport, const Pair& pair);

}  // namespace kolam::comm
