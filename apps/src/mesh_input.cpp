// SPDX-License-Identifier: Apache-2.0
#include "mesh_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <kolam/core/detail/note.hpp>
#include <kolam/fem/mesh_quality.hpp>
#include <limits>
#include <variant>

#include "values.hpp"

namespace kolam::app {
namespace {

// Returns the items of a list in the value `typed` of an option.
std::vector<std::string> parts(const std::string& option, const std::string& typed,
                               const std::string& list) {
  std::vector<std::string> result;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    result.push_back(list.substr(begin, end - begin));
    if (result.back().empty()) {
      throw InvalidArgument(
          fmt::format("{} {}: nothing stands before or after a comma", option, typed));
    }
    begin = end + 1;
  }
  return result;
}

std::vector<double> numbers(const std::string& option, const std::string& typed,
                            const std::string& list, std::size_t least, std::size_t most,
                            const char* form) {
  std::vector<double> result;
  for (const std::string& part : parts(option, typed, list)) {
    result.push_back(naming(option, typed, [&] { return parse_real("a number", part); }));
    if (!std::isfinite(result.back()))
      throw InvalidArgument(fmt::format("{} {}: it must be finite numbers", option, typed));
  }
  if (result.size() < least || result.size() > most) {
    throw InvalidArgument(fmt::format("{} {}: {} number{}; give {} {}", option, typed,
                                      result.size(), result.size() == 1 ? "" : "s", option, form));
  }
  return result;
}

}  // namespace

MeshInput mesh_input(const std::string& file, const std::string& refine, const char* order_option,
                     const std::string& order, const std::string& partition) {
  MeshInput input;
  input.file = file;
  const auto number = [](const char* option, const std::string& text, int least, int most) {
    const std::int64_t value = parse_integer(option, text);
    if (value < least || value > most)
      throw InvalidArgument(fmt::format("{} {}: it must be {} to {}", option, text, least, most));
    return static_cast<int>(value);
  };
  if (!refine.empty()) input.refine = number("--refine", refine, 0, 15);
  if (!order.empty()) input.order = number(order_option, order, 1, 10);
  input.partitioner = partitioner_of_text(partition);
  input.cut_here = !partition.empty();
  return input;
}

fem::Partitioner partitioner_of_text(const std::string& text) {
  return text.empty() ? fem::Partitioner::hilbert
                      : naming("--partition", text, [&] { return fem::parse_partitioner(text); });
}

AnyMesh read(const MeshInput& input, const Communicator& communicator) {
  const bool in_parts = is_in_parts(input.file);
  if (in_parts && input.cut_here) {
    throw InvalidArgument(fmt::format(
        "--partition: '{}' is cut already, into files of its parts; leave the option out",
        input.file));
  }
  return std::visit(
      [&](auto&& mesh) -> AnyMesh {
        return input.order == 0 ? std::move(mesh) : fem::with_order(mesh, input.order);
      },
      in_parts ? read_mesh_part(input.file, communicator) : read_mesh(input.file));
}

template <int Dim>
fem::Mesh<Dim> refined(fem::Mesh<Dim> mesh, const MeshInput& input) {
  const double elements =
      static_cast<double>(mesh.element_count()) * std::pow(2.0, Dim * input.refine);
  if (elements * mesh.nodes_of_element() > std::numeric_limits<int>::max()) {
    throw InvalidArgument(
        fmt::format("--refine {}: {:.3g} elements of {} nodes; there can be 2^31 - 1 nodes",
                    input.refine, elements, mesh.nodes_of_element()));
  }
  for (int i = 0; i < input.refine; ++i) mesh = fem::refined(mesh);
  return mesh;
}
template fem::Mesh<2> refined(fem::Mesh<2>, const MeshInput&);
template fem::Mesh<3> refined(fem::Mesh<3>, const MeshInput&);

std::string partition_text(int parts, std::string_view how, const fem::PartitionQuality& quality) {
  return fmt::format("{} ({}): {} to {} elements each, {} sides between them", parts, how,
                     quality.smallest, quality.largest, quality.cut);
}

template <int Dim>
std::string text_of_parts(const fem::Mesh<Dim>& part, const Communicator& communicator) {
  const index_t elements = part.element_count();
  index_t sides = 0;
  for (const auto& [other, entities] : part.cut->shared)
    for (const fem::MeshEntity& entity : entities) sides += entity.dimensions == Dim - 1 ? 1 : 0;
  return partition_text(
      communicator.size(), "files",
      {communicator.min(elements), communicator.max(elements), communicator.sum(sides) / 2});
}
template std::string text_of_parts(const fem::Mesh<2>&, const Communicator&);
template std::string text_of_parts(const fem::Mesh<3>&, const Communicator&);

template <int Dim>
void note_unlisted_sides(const fem::Mesh<Dim>& mesh, const std::string& file,
                         const Communicator& communicator) {
  if (!mesh.cut && (communicator.rank() != 0 || !kolam::detail::notes_wanted())) return;
  fem::BoundaryCounts sides = fem::boundary_counts(mesh);
  if (mesh.cut) {
    sides.outer = communicator.sum(sides.outer);
    sides.unlisted = communicator.sum(sides.unlisted);
  }
  if (communicator.rank() != 0 || sides.unlisted == 0 || sides.unlisted == sides.outer) return;
  kolam::detail::note(fmt::format(
      "'{}' lists {} of its {} outer sides in no boundary, so conditions there are natural (no "
      "flux, no traction); if that is not meant, give these sides a boundary attribute (in Gmsh, a "
      "physical group)",
      file, sides.unlisted, sides.outer));
}
template void note_unlisted_sides(const fem::Mesh<2>&, const std::string&, const Communicator&);
template void note_unlisted_sides(const fem::Mesh<3>&, const std::string&, const Communicator&);

int subdomains_of_mesh(const std::string& text, int processes) {
  if (text.empty()) return 0;
  const int count = parse_count("--subdomains", text);
  if (processes > 1 && count > 1) {
    throw InvalidArgument(fmt::format(
        "--subdomains {}: each of {} processes has one part of the mesh", text, processes));
  }
  return count;
}

fem::Attribute attribute_of(std::string_view text) {
  const bool is_number =
      !text.empty() && text.size() < 10 &&
      std::all_of(
          text.begin(), text.end(),
          [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; });
  if (is_number) return std::stoi(std::string(text));
  return std::string(text);
}

std::vector<std::string> parts_of(const std::string& option, const std::string& text) {
  return parts(option, text, text);
}

std::vector<double> numbers_of_text(const std::string& option, const std::string& text,
                                    std::size_t least, std::size_t most, const char* form) {
  return numbers(option, text, text, least, most, form);
}

std::pair<fem::Attribute, std::vector<double>> numbers_by_attribute(const std::string& option,
                                                                    const std::string& text,
                                                                    std::size_t least,
                                                                    std::size_t most,
                                                                    const char* form) {
  const std::size_t equals = text.rfind('=');
  if (equals == std::string::npos || equals == 0) {
    throw InvalidArgument(
        fmt::format("{} {}: give an attribute, '=' and its values: {}", option, text, form));
  }
  return {attribute_of(text.substr(0, equals)),
          numbers(option, text, text.substr(equals + 1), least, most, form)};
}

}  // namespace kolam::app
