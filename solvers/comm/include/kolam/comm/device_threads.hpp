// SPDX-License-Identifier: Apache-2.0
// Several devices of one process, each with a part of a problem, used like processes.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <functional>
#include <kolam/comm/communicator.hpp>
#include <kolam/core/backend.hpp>
#include <kolam/core/error.hpp>
#include <kolam/core/instances.hpp>
#include <string>
#include <vector>

namespace kolam::comm {
namespace detail {

/// Copies bytes for `rank`, in the thread of that rank, and waits for the copy.
using CopyBytes = std::function<void(int rank, void* to, const void* from, std::size_t bytes)>;

/// Calls body(communicator) in `count` threads, one per rank; rank 0 is the calling thread. `copy`
/// copies the messages between them.
void run_threads(int count, const CopyBytes& copy,
                 const std::function<void(const Communicator&)>& body);

}  // namespace detail

/// Calls body(exec, communicator) concurrently in `count` threads, each with an instance on the
/// next device of Exec (make_instances); on a host all share its threads. Code written for
/// processes runs in the threads unchanged:
/// \code
///   kolam::comm::on_devices<Exec>(kolam::devices<Exec>(), [&](const Exec& exec, const auto& all) {
///     kolam::fem::PoissonOptions mine = options;
///     mine.communicator = all;
///     const auto solution = kolam::fem::solve_poisson<double>(exec, mine);
///   });
/// \endcode
///
/// Messages begin and end in device memory; the receiving device copies them. Returns when all
/// threads are done. Rethrows the first exception of a body; the other threads get a
/// CommunicationError when they wait. Throws InvalidArgument for a count below 1, and
/// for several threads on Kokkos::Threads, which starts work from the program's first thread only.
/// Calls must not be nested, nor made in a program of several processes.
template <ExecutionSpace Exec, class Body>
void on_devices(int count, const Body& body) {
  if (backend_of<Exec> == Backend::threads && count > 1) {
    throw InvalidArgument(
        "on_devices: " + std::to_string(count) +
        " parts on the backend threads, which starts work from the program's first "
        "thread only; take the backend openmp, or a process for each part");
  }
  const std::vector<Exec> instances = make_instances<Exec>(count);
  const auto of_rank = [&](int rank) { return instances[static_cast<std::size_t>(rank)]; };
  // (Copies between any two of host and devices; their addresses tell which.)
  const auto copy = [&](int rank, void* to, const void* from, std::size_t bytes) {
    using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
    using Memory = typename Exec::memory_space;
    const Exec exec = of_rank(rank);
    Kokkos::deep_copy(
        exec, Kokkos::View<char*, Memory, Unmanaged>(static_cast<char*>(to), bytes),
        Kokkos::View<const char*, Memory, Unmanaged>(static_cast<const char*>(from), bytes));
    exec.fence("kolam::on_devices: a message");
  };
  detail::run_threads(count, copy, [&](const Communicator& communicator) {
    body(of_rank(communicator.rank()), communicator);
  });
}

}  // namespace kolam::comm
