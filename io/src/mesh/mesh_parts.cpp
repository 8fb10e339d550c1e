// SPDX-License-Identifier: Apache-2.0
#include "mesh_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <kolam/core/error.hpp>
#include <kolam/io/mesh_file.hpp>
#include <set>
#include <span>

#include "input.hpp"
#include "raw_mesh.hpp"

namespace kolam {
namespace meshes {

std::filesystem::path path_of_part(const std::filesystem::path& path, int part) {
  return path.string() + fmt::format(".{:06}", part);
}

namespace {

// Returns the union of the numbers of all processes.
std::set<int> united(const std::set<int>& own, const Communicator& communicator) {
  const std::vector<int> numbers(own.begin(), own.end());
  const auto all = communicator.gather(std::as_bytes(std::span(numbers)));
  std::set<int> result;
  std::vector<int> some;
  for (const auto& bytes : all) {
    some.resize(bytes.size() / sizeof(int));
    if (!some.empty()) std::memcpy(some.data(), bytes.data(), bytes.size());
    result.insert(some.begin(), some.end());
  }
  some.assign(result.begin(), result.end());
  some.resize(static_cast<std::size_t>(communicator.broadcast(static_cast<index_t>(some.size()))));
  communicator.broadcast(std::span(some));
  return {some.begin(), some.end()};
}

// Reads the part of this process from its file.
AnyMesh part_in_file(const std::filesystem::path& name, const Communicator& communicator) {
  const std::filesystem::path path = path_of_part(name, communicator.rank());
  if (const auto beyond = path_of_part(name, communicator.size());
      std::filesystem::exists(beyond)) {
    throw FileError(fmt::format(
        "'{}' has more parts than there are processes ({}): there is '{}' as well; start a process "
        "for each part",
        name.string(), communicator.size(), beyond.string()));
  }
  Input input(path);
  const std::string_view first = input.next_line();
  if (!first.starts_with("MFEM")) input.refuse("it is no part of a mesh in MFEM's format");
  RawMesh raw = read_mfem_part(input, first);
  int last = raw.cut->part;
  for (const RawCut::Group& group : raw.cut->groups) last = std::max(last, group.parts.back());
  if (raw.cut->part != communicator.rank() || last >= communicator.size()) {
    refuse_to_read(
        path, fmt::format("it is part {} and meets part {}, and this is process {} of {}; the name "
                          "ends with the number of the part, and each has a process",
                          raw.cut->part, last, communicator.rank(), communicator.size()));
  }
  return mesh_of(std::move(raw), path, nullptr);
}

// Adds to the part the numbering and the attributes of the whole mesh.
template <int Dim>
fem::Mesh<Dim> completed(fem::Mesh<Dim> part, const Communicator& communicator) {
  auto cut = std::make_shared<fem::MeshCut>(*part.cut);
  cut->parts = communicator.size();
  const auto counts = communicator.all_gather(part.element_count());
  index_t number = 0;
  for (int rank = 0; rank < communicator.rank(); ++rank)
    number += counts[static_cast<std::size_t>(rank)];
  for (index_t e = 0; e < part.element_count(); ++e) cut->elements.push_back(number + e);
  cut->attributes = united({part.attributes.begin(), part.attributes.end()}, communicator);
  std::set<int> boundaries;
  for (const fem::BoundarySide& side : part.sides) boundaries.insert(side.attribute);
  cut->boundaries = united(boundaries, communicator);
  part.cut = communicator.size() > 1 ? cut : nullptr;
  return part;
}

}  // namespace
}  // namespace meshes

AnyMesh read_mesh_part(const std::filesystem::path& path, const Communicator& communicator) {
  AnyMesh mesh;
  comm::throw_together(communicator, [&] { mesh = meshes::part_in_file(path, communicator); });
  const int dimensions = mesh.index() == 0 ? 2 : 3;
  const int most = communicator.max(dimensions);
  comm::throw_together(communicator, [&] {
    if (dimensions == most) return;
    meshes::refuse_to_read(
        meshes::path_of_part(path, communicator.rank()),
        fmt::format("its mesh has {} dimensions, and that of another part {}", dimensions, most));
  });
  return std::visit(
      [&](auto&& part) -> AnyMesh { return meshes::completed(std::move(part), communicator); },
      std::move(mesh));
}

bool is_in_parts(const std::filesystem::path& path) {
  return !std::filesystem::exists(path) && std::filesystem::exists(meshes::path_of_part(path, 0));
}

}  // namespace kolam
