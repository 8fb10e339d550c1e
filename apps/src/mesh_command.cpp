// SPDX-License-Identifier: Apache-2.0
#include "mesh_command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <kolam/core/version.hpp>
#include <kolam/fem/mesh_partition.hpp>
#include <kolam/fem/mesh_quality.hpp>
#include <kolam/fem/periodic_mesh.hpp>
#include <kolam/io/file.hpp>
#include <kolam/io/mesh_file.hpp>
#include <kolam/io/mesh_image.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>
#include <variant>

#include "failure.hpp"
#include "mesh_input.hpp"
#include "standard_streams.hpp"
#include "values.hpp"

namespace kolam::app {
namespace {

using Json = nlohmann::ordered_json;

// The number of elements or sides with an attribute, and its names.
struct AttributeUse {
  index_t count = 0;
  std::vector<std::string> names;
};
using AttributeUses = std::map<int, AttributeUse>;

AttributeUses uses(const std::vector<int>& attributes, const fem::AttributeNames& names) {
  AttributeUses result;
  for (const int attribute : attributes) ++result[attribute].count;
  for (const auto& [name, of] : names)
    for (const int attribute : of) result[attribute].names.push_back(name);
  return result;
}

// Cuts the mesh as it was read, as the other commands do; returns the part of each element.
template <int Dim>
std::vector<int> partition(const fem::Mesh<Dim>& as_read, const MeshRequest& request) {
  return naming("--parts", std::to_string(request.parts),
                [&] { return fem::partition(as_read, request.parts, request.input.partitioner); });
}

// Refines each part on its own, as MFEM expects.
template <int Dim>
void write_parts(const fem::Mesh<Dim>& as_read, const std::vector<int>& part,
                 const MeshRequest& request) {
  for (int p = 0; p < request.parts; ++p)
    write_mfem_part(request.output_parts, refined(part_of(as_read, part, p), request.input));
}

// Returns the part of each element of the refined mesh.
template <int Dim>
std::vector<int> refined(const std::vector<int>& part, const fem::Mesh<Dim>& mesh) {
  const auto children = static_cast<std::size_t>(mesh.element_count()) / part.size();
  std::vector<int> result;
  for (const int p : part) result.insert(result.end(), children, p);
  return result;
}

template <int Dim>
struct MeshReport {
  const MeshRequest& request;
  const fem::Mesh<Dim>& mesh;
  std::vector<int> part;  // of each element
  fem::MeshQuality<Dim> quality;
  AttributeUses elements;
  AttributeUses boundaries;
  fem::BoundaryCounts sides;

  MeshReport(const MeshRequest& of, const fem::Mesh<Dim>& what, std::vector<int> parts)
      : request(of),
        mesh(what),
        part(std::move(parts)),
        quality(fem::quality_of(mesh)),
        elements(uses(mesh.attributes, mesh.element_names)),
        sides(fem::boundary_counts(mesh)) {
    std::vector<int> of_sides;
    for (const fem::BoundarySide& side : mesh.sides) of_sides.push_back(side.attribute);
    boundaries = uses(of_sides, mesh.boundary_names);
  }

  // (Sorts all sides, and so is called only for what is printed.)
  fem::PartitionQuality cut() const { return fem::quality_of(mesh, part); }

  std::string text() const {
    std::string result;
    const auto row = [&](std::string_view label, const std::string& value) {
      fmt::format_to(std::back_inserter(result), "{:<12}{}\n", label, value);
    };
    const auto attributes = [&](std::string_view label, const AttributeUses& all,
                                const char* what) {
      std::string first(label);
      for (const auto& [attribute, use] : all) {
        const std::string names =
            use.names.empty() ? "" : fmt::format(" '{}'", fmt::join(use.names, "', '"));
        row(std::exchange(first, ""), fmt::format("{}{}: {} {}{}", attribute, names, use.count,
                                                  what, use.count == 1 ? "" : "s"));
      }
    };
    row("mesh", fmt::format("{} {}, {} vertices, geometry of order {}{}", mesh.element_count(),
                            Dim == 2 ? "quadrilaterals" : "hexahedra", mesh.vertex_count(),
                            mesh.order, fem::is_periodic(mesh) ? ", periodic" : ""));
    std::vector<std::string> ranges;
    for (std::size_t k = 0; k < Dim; ++k)
      ranges.push_back(
          fmt::format("{} {:.4g} to {:.4g}", "xyz"[k], quality.lower[k], quality.upper[k]));
    row("box", fmt::format("{}", fmt::join(ranges, ", ")));
    row(Dim == 2 ? "area" : "volume", fmt::format("{:.10g}", quality.volume));
    row("edges", fmt::format("{:.4g} to {:.4g} long", quality.shortest_edge, quality.longest_edge));
    row("quality",
        fmt::format("scaled Jacobian {:.3f} (around ({:.4g})) to {:.3f}", quality.worst_jacobian,
                    fmt::join(quality.worst_at, ", "), quality.best_jacobian));
    attributes("attributes", elements, "element");
    attributes("boundaries", boundaries, "side");
    if (sides.unlisted > 0)
      row("unlisted", fmt::format("{} of {} outer sides, in no boundary: natural (no flux) in a "
                                  "solve",
                                  sides.unlisted, sides.outer));
    if (sides.listed_between > 0)
      row("inside", fmt::format("{} of {} sides in boundaries are between two elements",
                                sides.listed_between, mesh.sides.size()));
    if (request.parts > 1)
      row("parts", partition_text(request.parts, name(request.input.partitioner), cut()));
    if (!request.output.empty()) row("written", request.output);
    if (!request.output_parts.empty())
      row("parts in",
          fmt::format("{0}.{1:06} to {0}.{2:06}", request.output_parts, 0, request.parts - 1));
    if (!request.image.empty()) row("picture", request.image);
    return result;
  }

  std::string json() const {
    const auto attributes = [](const AttributeUses& all, const char* what) {
      Json list = Json::array();
      for (const auto& [attribute, use] : all)
        list.push_back({{"attribute", attribute}, {"names", use.names}, {what, use.count}});
      return list;
    };
    const fem::PartitionQuality cut = this->cut();
    const Json result{
        {"program", "kolam mesh"},
        {"version", build_info().version},
        {"mesh", request.input.file},
        {"dim", Dim},
        {"elements", mesh.element_count()},
        {"vertices", mesh.vertex_count()},
        {"order", mesh.order},
        {"periodic", fem::is_periodic(mesh)},
        {"lower", quality.lower},
        {"upper", quality.upper},
        {"volume", quality.volume},
        {"shortest_edge", quality.shortest_edge},
        {"longest_edge", quality.longest_edge},
        {"worst_jacobian", quality.worst_jacobian},
        {"worst_at", quality.worst_at},
        {"best_jacobian", quality.best_jacobian},
        {"attributes", attributes(elements, "elements")},
        {"boundaries", attributes(boundaries, "sides")},
        {"outer_sides", sides.outer},
        {"unlisted_sides", sides.unlisted},
        {"listed_sides_between_elements", sides.listed_between},
        {"parts", request.parts},
        {"partition", name(request.input.partitioner)},
        {"smallest_part", cut.smallest},
        {"largest_part", cut.largest},
        {"cut_sides", cut.cut},
        {"output", request.output.empty() ? Json(nullptr) : Json(request.output)},
        {"output_parts", request.output_parts.empty() ? Json(nullptr) : Json(request.output_parts)},
        {"image", request.image.empty() ? Json(nullptr) : Json(request.image)}};
    return result.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  }
};

template <int Dim>
void run(fem::Mesh<Dim> as_read, const MeshRequest& request) {
  const std::vector<int> part = partition(as_read, request);
  if (!request.output_parts.empty())
    naming("--output-parts", request.output_parts, [&] { write_parts(as_read, part, request); });
  const fem::Mesh<Dim> mesh = refined(std::move(as_read), request.input);
  const MeshReport<Dim> report(request, mesh, refined(part, mesh));
  if (request.output.ends_with(".msh")) {
    naming("--output", request.output, [&] { write_gmsh(request.output, mesh); });
  } else if (!request.output.empty()) {
    naming("--output", request.output, [&] { write_mfem(request.output, mesh); });
  }
  if (!request.image.empty())
    naming("--image", request.image, [&] { write_mesh_image(request.image, mesh); });
  if (!request.json.empty() && request.json != "-") write_file(request.json, report.json());
  print(request.json == "-" ? report.json() : report.text());
}

}  // namespace

int execute(const MeshRequest& request, const Communicator& communicator) {
  if (communicator.rank() != 0) return done;
  if (is_in_parts(request.input.file)) {
    throw InvalidArgument(fmt::format(
        "'{}' is in files of its parts, which kolam poisson and kolam elasticity read; give this "
        "command a whole mesh",
        request.input.file));
  }
  std::visit([&](auto&& mesh) { run(std::move(mesh), request); }, read(request.input, {}));
  return done;
}

}  // namespace kolam::app
