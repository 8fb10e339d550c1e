// SPDX-License-Identifier: Apache-2.0
// The paths that values take from one subdomain to the ghosts of another.
#pragma once

#include <string_view>

namespace kolam::comm {

/// The transport that the user requests.
enum class Transport {
  automatic,  ///< the fastest that works for each pair
  peer,       ///< devices of one process copy from each other; DeviceUnavailable if they cannot
  staged,     ///< everything through pinned host memory
  mpi         ///< MPI messages also between the subdomains of one process
};

///@{
/// Converts from and to `auto`, `peer`, `staged` or `mpi`. Throws InvalidArgument for other texts.
Transport parse_transport(std::string_view text);
std::string_view name(Transport transport);
///@}

/// Whether MPI messages begin and end in device memory.
enum class GpuAwareMpi {
  automatic,  ///< if MPI claims support and a message of a process to itself arrives
  on,         ///< if a message of a process to itself arrives, else CommunicationError
  off         ///< never: messages go through pinned memory
};

/// Parses `auto`, `on` or `off`. Throws InvalidArgument for other texts.
GpuAwareMpi parse_gpu_aware_mpi(std::string_view text);

/// The path of values between one pair of subdomains.
enum class Path {
  direct,     ///< on one device or the host: copied once, by the receiver
  peer,       ///< packed by the sender, copied by the receiver's device
  staged,     ///< as peer, through pinned memory
  mpi,        ///< an MPI message from and to the subdomains' memory
  mpi_staged  ///< an MPI message from and to pinned memory
};

/// The properties of a pair of subdomains that decide its path.
struct Pair {
  bool one_process = true;  ///< both subdomains are in one process
  bool one_device = true;   ///< and on one device, or on a host
  bool connected = true;    ///< the receiver's device may copy from the sender's
  bool gpu_aware = true;    ///< MPI takes the subdomains' memory; always true on a host
  /// Returns whether all properties are equal.
  friend bool operator==(const Pair&, const Pair&) = default;
};

/// Returns the path of a pair. Throws DeviceUnavailable if `peer` is requested and the devices are
/// not connected.
Path path_of(Transport transport, const Pair& pair);

}  // namespace kolam::comm
