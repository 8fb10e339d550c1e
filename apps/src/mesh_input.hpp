// SPDX-License-Identifier: Apache-2.0
// Meshes of files, as commands take them: refined, with a geometry of another order, and what lies on
// their attributes.
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

/// What `--refine`, `--partition` and the option for the order of the geometry say; empty: nothing.
/// Throws InvalidArgument that names the option.
MeshInput mesh_input(const std::string& file, const std::string& refine, const char* order_option,
                     const std::string& order, const std::string& partition);

/// The partitioner that `--partition` names; hilbert if it does not. Throws, naming the option.
fem::Partitioner partitioner_of_text(const std::string& text);

/// Reads the mesh, with the order of geometry that was asked for, not refined yet; this process' part of one that is in
/// files of its parts. All processes call it. Throws FileError, and InvalidArgument for --partition of such files.
AnyMesh read(const MeshInput& input, const Communicator& communicator);

/// The mesh, or a part of it, refined as was asked. Throws InvalidArgument for one that would have too many
/// elements.
template <int Dim>
fem::Mesh<Dim> refined(fem::Mesh<Dim> mesh, const MeshInput& input);

/// "4 (hilbert): 18 to 19 elements each, 30 sides between them".
std::string partition_text(int parts, std::string_view how, const fem::PartitionQuality& quality);
/// The same of parts in files. All processes call it.
template <int Dim>
std::string text_of_parts(const fem::Mesh<Dim>& part, const Communicator& communicator);

/// The parts of each process that `--subdomains` asks for; 0 if it does not. Throws InvalidArgument for
/// several of several processes.
int subdomains_of_mesh(const std::string& text, int processes);

/// The attribute that a text names: by its number if it is one, else by its name.
fem::Attribute attribute_of(std::string_view text);

/// The parts of a list that commas separate. Throws InvalidArgument that names the option for a part
/// without a letter.
std::vector<std::string> parts_of(const std::string& option, const std::string& text);

/// "ATTRIBUTE=NUMBER,..." in two: the attribute, and `count` numbers. Throws InvalidArgument that names
/// the option.
std::pair<fem::Attribute, std::vector<double>> numbers_by_attribute(const std::string& option,
                                                                    const std::string& text,
                                                                    std::size_t least,
                                                                    std::size_t most);

/// `least` to `most` finite numbers that commas separate. Throws InvalidArgument that names the option.
std::vector<double> numbers_of_text(const std::string& option, const std::string& text,
                                    std::size_t least, std::size_t most);

}  // namespace kolam::app
