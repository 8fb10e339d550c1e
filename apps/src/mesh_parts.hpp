// SPDX-License-Identifier: Apache-2.0
// Commands on the parts of a mesh: of processes, and of the devices of one.
#pragma once

#include <algorithm>
#include <kolam/comm/device_threads.hpp>
#include <kolam/fem/mesh_partition.hpp>
#include <kolam/io/vtkhdf_mesh.hpp>
#include <string>
#include <vector>

#include "first_error.hpp"
#include "mesh_input.hpp"
#include "options.hpp"
#include "values.hpp"

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

/// The mesh of a command and this process' part of it, refined.
template <int Dim>
class PartOfMesh {
 public:
  /// Cuts it. All processes call it, and throw together, naming --mesh.
  PartOfMesh(const fem::Mesh<Dim>& whole, const MeshInput& input, const Communicator& communicator)
      : whole_(whole), input_(input), communicator_(communicator) {
    comm::throw_together(communicator_, [&] {
      naming("--mesh", input_.file, [&] {
        own_ = refined(communicator_.size() == 1
                           ? whole_
                           : fem::part_of(whole_, communicator_, input_.partitioner),
                       input_);
      });
    });
  }

  /// The part.
  const fem::Mesh<Dim>& own() const { return own_; }
  /// How it is cut, for people; empty for one part.
  std::string partition() const {
    return communicator_.size() == 1
               ? std::string()
               : partition_text(whole_, communicator_.size(), input_.partitioner);
  }
  /// A field of `components` for ParaView, given at the nodes of each part's space; nothing without a
  /// file. All processes call it, the first one writes what it returns.
  template <class Values>
  auto writer(const std::string& file, int order, const char* name, const Values& values,
              int components) const {
    std::vector<double> all;
    fem::Mesh<Dim> finest;  // the whole mesh
    if (!file.empty()) {
      if (communicator_.rank() == 0) finest = refined(whole_, input_);
      all = fem::gathered(own_, finest, order, values(), components, communicator_);
    }
    return [=, all = std::move(all), finest = std::move(finest)](FirstError& attempt) {
      if (file.empty()) return;
      attempt([&] { write_vtkhdf_mesh(file, finest, order, {{name, all, components}}); });
    };
  }

 private:
  const fem::Mesh<Dim>& whole_;
  MeshInput input_;
  Communicator communicator_;
  fem::Mesh<Dim> own_;
};

/// Calls run(instance, whole, request of a part) for the parts of a mesh that this process has.
template <class Exec, int Dim, class Request, class Run>
int on_parts_of_mesh(const Exec& exec, const fem::Mesh<Dim>& whole, const Request& request,
                     const Run& run) {
  const Communicator& processes = request.options.communicator;
  return on_parts(exec, processes, parts_of_mesh<Exec>(processes, request.subdomains, whole),
                  [&](const Exec& instance, const Communicator& all) {
                    Request part = request;
                    part.options.communicator = all;
                    return run(instance, whole, part);
                  });
}

}  // namespace kolam::app
