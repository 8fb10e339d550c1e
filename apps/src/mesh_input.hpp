// SPDX-License-Identifier: Apache-2.0
// Meshes from files for commands: refinement, order of the geometry, partition, and values by
// attribute.
#pragma once

#include <kolam/fem/mesh.hpp>
#include <kolam/fem/mesh_attributes.hpp>
#include <kolam/fem/mesh_partition.hpp>
#include <kolam/io/mesh_file.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "options.hpp"

namespace kolam::app {

/// Returns the input from `--refine`, `--partition` and the option for the order of the geometry;
/// empty texts keep the defaults. Throws InvalidArgument, naming the option.
MeshInput mesh_input(const std::string& file, const std::string& refine, const char* order_option,
                     const std::string& order, const std::string& partition);

/// Returns the partitioner that `--partition` names; hilbert by default. Throws, naming the option.
fem::Partitioner partitioner_of_text(const std::string& text);

/// Reads the mesh with the requested order of geometry, not refined yet; if its files are parts,
/// this process' part. All processes call it. Throws FileError, and InvalidArgument for --partition
/// with files of parts.
AnyMesh read(const MeshInput& input, const Communicator& communicator);

/// Returns the mesh, or a part of it, refined as requested. Throws InvalidArgument if it would have
/// too many elements.
template <int Dim>
fem::Mesh<Dim> refined(fem::Mesh<Dim> mesh, const MeshInput& input);

/// Returns "4 (hilbert): 18 to 19 elements each, 30 sides between them".
std::string partition_text(int parts, std::string_view how, const fem::PartitionQuality& quality);
/// Returns the same text for parts that were read from files. All processes call it.
template <int Dim>
std::string text_of_parts(const fem::Mesh<Dim>& part, const Communicator& communicator);

/// Notes on stderr of the first process, unless KOLAM_NOTES=off, that a mesh lists only some of its
/// outer sides. `mesh`: the whole mesh, or this process' part. All processes call it.
template <int Dim>
void note_unlisted_sides(const fem::Mesh<Dim>& mesh, const std::string& file,
                         const Communicator& communicator);

/// Returns the parts per process from `--subdomains`; 0 without that option. Throws InvalidArgument
/// for several parts with several processes.
int subdomains_of_mesh(const std::string& text, int processes);

/// Returns the attribute of a text: by number if it is one, else by name.
fem::Attribute attribute_of(std::string_view text);

/// Returns the items of a comma-separated list. Throws InvalidArgument, naming the option, if an
/// item is empty.
std::vector<std::string> parts_of(const std::string& option, const std::string& text);

/// Splits "ATTRIBUTE=NUMBER,..." into the attribute and `least` to `most` finite numbers. Throws
/// InvalidArgument, naming the option and the `form` that its value has in the help.
std::pair<fem::Attribute, std::vector<double>> numbers_by_attribute(const std::string& option,
                                                                    const std::string& text,
                                                                    std::size_t least,
                                                                    std::size_t most,
                                                                    const char* form);

/// Returns `least` to `most` finite comma-separated numbers. Throws InvalidArgument, naming the
/// option.
std::vector<double> numbers_of_text(const std::string& option, const std::string& text,
                                    std::size_t least, std::size_t most, const char* form);

}  // namespace kolam::app
