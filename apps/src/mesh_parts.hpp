// SPDX-License-Identifier: Apache-2.0
// Commands on the parts of a mesh, one per process or one per device of a single process.
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

/// Calls body(instance, communicator) for each of `parts` parts of this process, and returns the
/// result of the first part.
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

/// Returns the number of parts in this process: `asked`, or if that is 0 one per device, at most
/// one per element; with several processes 1.
template <class Exec, int Dim>
int parts_of_mesh(const Communicator& communicator, int asked, const fem::Mesh<Dim>& mesh) {
  if (asked > 0) return asked;
  if (communicator.size() > 1) return 1;
  return static_cast<int>(
      std::min<index_t>(comm::devices_here<Exec>(communicator), mesh.element_count()));
}

/// This process' refined part of a command's mesh.
template <int Dim>
class PartOfMesh {
 public:
  /// Cuts the mesh unless it was read in parts. All processes call it and throw together, naming
  /// --mesh.
  PartOfMesh(const fem::Mesh<Dim>& read, const MeshInput& input, const Communicator& communicator)
      : communicator_(communicator) {
    note_unlisted_sides(read, input.file, communicator_);
    comm::throw_together(communicator_, [&] {
      naming("--mesh", input.file, [&] {
        const int parts = communicator_.size();
        if (parts == 1 || read.cut) {
          own_ = refined(read, input);
        } else {
          const std::vector<int> part = fem::partition(read, parts, input.partitioner);
          if (communicator_.rank() == 0)  // rank 0 prints it
            partition_ =
                partition_text(parts, name(input.partitioner), fem::quality_of(read, part));
          own_ = refined(fem::part_of(read, part, communicator_.rank()), input);
        }
      });
    });
    if (read.cut) partition_ = text_of_parts(read, communicator_);
  }

  /// Returns the part.
  const fem::Mesh<Dim>& own() const { return own_; }
  /// Returns a description of the partition in the first process; empty for one part.
  const std::string& partition() const { return partition_; }
  /// Writes a field of `components` at the nodes of each part's space for ParaView, if `file` is
  /// not empty. All processes call it. Returns a function that reports the error, if any, to a
  /// FirstError.
  template <class Values>
  auto writer(const std::string& file, int order, const char* name, const Values& values,
              int components) const {
    FirstError result;
    if (!file.empty())
      result([&] {
        write_vtkhdf_mesh(file, own_, order, {{name, values(), components}}, communicator_);
      });
    return [=](FirstError& attempt) { attempt([&] { result.rethrow(); }); };
  }

 private:
  Communicator communicator_;
  std::string partition_;
  fem::Mesh<Dim> own_;
};

/// Calls run(instance, whole, request of a part) for each part of a mesh in this process.
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
