// SPDX-License-Identifier: Apache-2.0
// Commands on the parts of a mesh: of processes, and of the devices of one.
#pragma once

#include <algorithm>
#include <kolam/comm/device_threads.hpp>
#include <kolam/fem/mesh_partition.hpp>

#include "mesh_input.hpp"
#include "options.hpp"

namespace kolam::app {

/// Calls body(instance, communicator) for each of `parts` parts of this process, and returns the first
/// one's result.
template <class Exec, class Body>
int on_parts(const Exec& exec, const Communicator& communicator, int parts, const Body& body) {
  if (parts == 1) return body(exec, communicator);
  int code = 0;
  comm::on_devices<Exec>(parts, [&](const Exec& instance, const Communicator& all) {
    const int of_part = body(instance, all);
    if (all.rank() == 0) code = of_part;
  });
  return code;
}

/// The parts that a process has of a mesh: as many as were asked for (0: one for each device), but no more
/// than there are elements.
template <class Exec, int Dim>
int parts_of_mesh(const Communicator& communicator, int asked, const fem::Mesh<Dim>& mesh) {
  if (asked > 0) return asked;
  if (communicator.size() > 1) return 1;
  return static_cast<int>(
      std::min<index_t>(comm::devices_here<Exec>(communicator), mesh.element_count()));
}

/// The part of this process, refined; of one process all.
template <int Dim>
fem::Mesh<Dim> own_part(const fem::Mesh<Dim>& whole, const MeshInput& input,
                        const Communicator& communicator) {
  return refined(
      communicator.size() == 1 ? whole : fem::part_of(whole, communicator, input.partitioner),
      input);
}

}  // namespace kolam::app
