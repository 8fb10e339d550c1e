// SPDX-License-Identifier: Apache-2.0
// Several devices of one process, each with a part of a problem, as if they were processes.
#pragma once

#include <functional>
#include <kolam/core/instances.hpp>
#include <kolam/solvers/communicator.hpp>

namespace kolam {
namespace detail {

/// Calls body(communicator) in `count` threads, of which each is a rank; the first is this one.
void run_threads(int count, const std::function<void(const Communicator&)>& body);

}  // namespace detail

/// Calls body(exec, communicator) at once in `count` threads, each with an instance on the next of
/// the devices of Exec (make_instances); on a host all share its threads. What is written for
/// processes runs in them as it is:
/// \code
///   kolam::on_devices<Exec>(kolam::devices<Exec>(), [&](const Exec& exec, const auto& all) {
///     options.communicator = all;  // (options: a copy for each)
///     const auto solution = kolam::solve_poisson<double>(exec, options);
///   });
/// \endcode
///
/// Messages go through the host's memory. Returns when all are done. Throws what the first of them
/// threw; the others then get a CommunicationError where they wait for it. Throws InvalidArgument
/// for less than one. Not within one another, and not in a program of several processes.
template <ExecutionSpace Exec, class Body>
void on_devices(int count, const Body& body) {
  const std::vector<Exec> instances = make_instances<Exec>(count);
  detail::run_threads(count, [&](const Communicator& communicator) {
    body(instances[static_cast<std::size_t>(communicator.rank())], communicator);
  });
}

}  // namespace kolam
