// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <kolam/core/error.hpp>
#include <kolam/fem/detail/element_nodes.hpp>
#include <kolam/fem/detail/mesh_entities.hpp>
#include <kolam/fem/periodic_mesh.hpp>
#include <kolam/io/file.hpp>
#include <kolam/kernels/element/detail/layout.hpp>
#include <map>
#include <set>

#include "gmsh_elements.hpp"
#include "mesh_parts.hpp"
#include "raw_mesh.hpp"

namespace kolam {
namespace {

using Out = std::back_insert_iterator<std::string>;

// Returns a name in quotes. Throws InvalidArgument if it has a quote or a line break.
std::string in_quotes(const std::string& name) {
  if (name.find_first_of("\"\n\r") != std::string::npos)
    throw InvalidArgument("a name in a mesh with a quote or an end of line cannot be written");
  return '"' + name + '"';
}

// Returns the corners of a side by their numbers in the element, going around.
template <int Dim>
std::vector<std::size_t> around_side(int side) {
  static const auto sides = fem::detail::sub_cubes(Dim, Dim - 1);
  const auto& cube = sides[static_cast<std::size_t>(side)];
  std::vector<std::size_t> corners;
  for (int c = 0; c < 1 << (Dim - 1); ++c)
    corners.push_back(static_cast<std::size_t>(cube.corner(Dim - 1, c ^ (c >> 1 & 1))));
  return corners;
}

template <int Dim>
std::string gmsh_text(const fem::Mesh<Dim>& mesh) {
  using namespace meshes;
  const auto of_element = static_cast<std::size_t>(mesh.nodes_of_element());
  const GmshType* const type =
      gmsh_type(Dim == 2 ? Shape::quadrilateral : Shape::hexahedron, mesh.order);
  const GmshType* const side_type = gmsh_type(Dim == 2 ? Shape::line : Shape::quadrilateral, 1);
  if (type == nullptr) {
    throw InvalidArgument(fmt::format("write_gmsh: a mesh of order {}; Gmsh has orders 1 to {}",
                                      mesh.order, Dim == 2 ? 10 : 9));
  }
  if (is_periodic(mesh)) {
    throw InvalidArgument(
        "write_gmsh: a periodic mesh, and in this format a vertex is in one place; write_mfem "
        "writes it");
  }
  const fem::detail::MeshNodes numbers = fem::detail::mesh_nodes(mesh, mesh.order);
  const std::vector<double> uniform =
      from_gauss_lobatto(mesh.nodes, Dim, Dim, uniform_points(mesh.order));
  std::vector<double> x(static_cast<std::size_t>(numbers.count) * Dim);
  for (std::size_t i = 0; i < numbers.of_element.size(); ++i)
    std::copy_n(uniform.data() + i * Dim, Dim,
                x.data() + static_cast<std::size_t>(numbers.of_element[i]) * Dim);

  std::string text = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n";
  const Out out(text);
  std::vector<std::string> names;
  const auto name_all = [&](int dimension, const fem::AttributeNames& of) {
    for (const auto& [name, numbers_of_name] : of)
      for (const int number : numbers_of_name)
        names.push_back(fmt::format("{} {} {}\n", dimension, number, in_quotes(name)));
  };
  name_all(Dim - 1, mesh.boundary_names);
  name_all(Dim, mesh.element_names);
  if (!names.empty()) {
    fmt::format_to(out, "$PhysicalNames\n{}\n{}$EndPhysicalNames\n", names.size(),
                   fmt::join(names, ""));
  }

  // One entity for each attribute, with the same number.
  const std::set<int> attributes(mesh.attributes.begin(), mesh.attributes.end());
  std::set<int> boundaries;
  for (const fem::BoundarySide& side : mesh.sides) boundaries.insert(side.attribute);
  std::array<double, 3> low{};
  std::array<double, 3> high{};
  for (std::size_t k = 0; k < Dim; ++k) {
    low[k] = high[k] = x[k];
    for (std::size_t i = k; i < x.size(); i += Dim) {
      low[k] = std::min(low[k], x[i]);
      high[k] = std::max(high[k], x[i]);
    }
  }
  fmt::format_to(out, "$Entities\n{}{} {}{}\n", Dim == 2 ? "0 " : "0 0 ", boundaries.size(),
                 attributes.size(), Dim == 2 ? " 0" : "");
  const auto entities = [&](const std::set<int>& all) {
    for (const int number : all)
      fmt::format_to(out, "{} {} {} 1 {} 0\n", number, fmt::join(low, " "), fmt::join(high, " "),
                     number);
  };
  entities(boundaries);
  entities(attributes);
  text += "$EndEntities\n";

  fmt::format_to(out, "$Nodes\n1 {0} 1 {0}\n{1} {2} 0 {0}\n", numbers.count, Dim,
                 *attributes.begin());
  for (index_t i = 1; i <= numbers.count; ++i) fmt::format_to(out, "{}\n", i);
  for (std::size_t i = 0; i < x.size(); i += Dim)
    fmt::format_to(out, "{:.17g} {:.17g} {:.17g}\n", x[i], x[i + 1],
                   Dim == 3 ? x[i + Dim - 1] : 0.0);
  text += "$EndNodes\n";

  const std::size_t all = mesh.sides.size() + mesh.corners.size();
  // (Consecutive elements of one attribute form a block, so that elements keep their order.)
  std::size_t blocks = 0;
  std::string body;
  const Out to(body);
  std::size_t number = 0;
  for (std::size_t f = 0; f < mesh.sides.size();) {
    std::size_t end = f;
    while (end < mesh.sides.size() && mesh.sides[end].attribute == mesh.sides[f].attribute) ++end;
    fmt::format_to(to, "{} {} {} {}\n", Dim - 1, mesh.sides[f].attribute, side_type->number,
                   end - f);
    for (++blocks; f < end; ++f) {
      const auto [element, side] = mesh.sides[f].at;
      std::vector<int> nodes;
      for (const std::size_t c : around_side<Dim>(side)) {
        const auto place = static_cast<std::size_t>(
            fem::detail::place_of_corner(Dim, static_cast<int>(c), mesh.order));
        nodes.push_back(1 +
                        numbers.of_element[static_cast<std::size_t>(element) * of_element + place]);
      }
      fmt::format_to(to, "{} {}\n", ++number, fmt::join(nodes, " "));
    }
  }
  const auto places = gmsh_nodes(Dim, mesh.order, true);
  for (std::size_t e = 0; e < mesh.corners.size();) {
    std::size_t end = e;
    while (end < mesh.corners.size() && mesh.attributes[end] == mesh.attributes[e]) ++end;
    fmt::format_to(to, "{} {} {} {}\n", Dim, mesh.attributes[e], type->number, end - e);
    for (++blocks; e < end; ++e) {
      fmt::format_to(to, "{}", ++number);
      for (const auto& p : places) {
        const int d1d = mesh.order + 1;
        const auto place = static_cast<std::size_t>(p[0] + d1d * (p[1] + d1d * p[2]));
        fmt::format_to(to, " {}", 1 + numbers.of_element[e * of_element + place]);
      }
      body += '\n';
    }
  }
  fmt::format_to(out, "$Elements\n{0} {1} 1 {1}\n{2}$EndElements\n", blocks, all, body);
  return text;
}

// Returns the section of shared entities, by groups of parts.
template <int Dim>
std::string mfem_groups(const fem::Mesh<Dim>& mesh) {
  const int own = mesh.cut ? mesh.cut->part : 0;
  // Entities by their vertices, going around faces. (All parts have the same order of entities and
  // of vertices.)
  using Vertices = std::vector<index_t>;
  struct Shared {
    Vertices vertices;
    std::set<int> parts;
  };
  std::vector<Shared> all;
  std::map<Vertices, std::size_t> places;
  for (const auto& [part, entities] :
       mesh.cut ? mesh.cut->shared : std::vector<fem::MeshCut::SharedWith>{}) {
    for (const fem::MeshEntity& entity : entities) {
      const auto& corners = mesh.corners[static_cast<std::size_t>(entity.element)];
      Vertices vertices;
      for (int c = 0; c < 1 << entity.dimensions; ++c) {
        int corner = entity.corner;
        const int around = c ^ (c >> 1 & 1);
        if (around & 1) corner ^= 1 << entity.along[0];
        if (around & 2) corner ^= 1 << entity.along[1];
        vertices.push_back(corners[static_cast<std::size_t>(corner)]);
      }
      const auto [place, is_new] = places.emplace(vertices, all.size());
      if (is_new) all.push_back({vertices, {own}});
      all[place->second].parts.insert(part);
    }
  }
  std::map<std::set<int>, std::array<std::vector<Vertices>, 3>> groups;  // by dimension of entities
  std::array<std::size_t, 3> totals{};
  for (const Shared& shared : all) {
    const std::size_t d = shared.vertices.size() / 2;  // 1, 2 or 4 of them
    groups[shared.parts][d].push_back(shared.vertices);
    ++totals[d];
  }
  const std::array names{"vertices", "edges", "faces"};
  std::string text;
  const Out out(text);
  fmt::format_to(out,
                 "\ncommunication_groups\nnumber_of_groups {}\n\n# number of entities in each "
                 "group, followed by ranks in group\n1 {}\n",
                 groups.size() + 1, own);
  for (const auto& [parts, entities] : groups)
    fmt::format_to(out, "{} {}\n", parts.size(), fmt::join(parts, " "));
  text += '\n';
  for (std::size_t d = 0; d < Dim; ++d)
    fmt::format_to(out, "total_shared_{} {}\n", names[d], totals[d]);
  text += "\n# group 0 has no shared entities\n";
  std::size_t number = 0;
  for (const auto& [parts, entities] : groups) {
    fmt::format_to(out, "\n# group {}\n", ++number);
    for (std::size_t d = 0; d < Dim; ++d) {
      fmt::format_to(out, "{}shared_{} {}\n", d > 0 ? "\n" : "", names[d], entities[d].size());
      for (const Vertices& vertices : entities[d])
        fmt::format_to(out, "{}{}\n", d == 2 ? "3 " : "", fmt::join(vertices, " "));
    }
  }
  return text + "\nmfem_mesh_end\n";
}

template <int Dim>
std::string mfem_text(const fem::Mesh<Dim>& mesh, bool is_part) {
  const bool named = !mesh.element_names.empty() || !mesh.boundary_names.empty();
  std::string text;
  const Out out(text);
  fmt::format_to(out, "MFEM mesh v1.{}\n\ndimension\n{}\n\nelements\n{}\n",
                 named     ? 3
                 : is_part ? 2
                           : 0,
                 Dim, mesh.corners.size());
  const auto sets = [&](const char* section, const fem::AttributeNames& names) {
    if (!named) return;
    fmt::format_to(out, "\n{}\n{}\n", section, names.size());
    for (const auto& [name, attributes] : names)
      fmt::format_to(out, "{} {} {}\n", in_quotes(name), attributes.size(),
                     fmt::join(attributes, " "));
  };
  for (std::size_t e = 0; e < mesh.corners.size(); ++e) {
    fmt::format_to(out, "{} {}", mesh.attributes[e], Dim == 2 ? 3 : 5);
    for (std::size_t c = 0; c < mesh.corners[e].size(); ++c)
      fmt::format_to(out, " {}", mesh.corners[e][c ^ (c >> 1 & 1)]);
    text += '\n';
  }
  sets("attribute_sets", mesh.element_names);
  fmt::format_to(out, "\nboundary\n{}\n", mesh.sides.size());
  for (const fem::BoundarySide& side : mesh.sides) {
    fmt::format_to(out, "{} {}", side.attribute, Dim == 2 ? 1 : 3);
    for (const std::size_t c : around_side<Dim>(side.at.side))
      fmt::format_to(out, " {}", mesh.corners[static_cast<std::size_t>(side.at.element)][c]);
    text += '\n';
  }
  sets("bdr_attribute_sets", mesh.boundary_names);

  fmt::format_to(out, "\nvertices\n{}\n", mesh.vertex_count());
  const auto numbers = [&](const double* x) {
    fmt::format_to(out, "{:.17g}", x[0]);
    for (std::size_t k = 1; k < Dim; ++k) fmt::format_to(out, " {:.17g}", x[k]);
    text += '\n';
  };
  if (mesh.order == 1 && !is_periodic(mesh)) {
    fmt::format_to(out, "{}\n", Dim);
    std::vector<const double*> at(static_cast<std::size_t>(mesh.vertex_count()));
    for (std::size_t e = 0; e < mesh.corners.size(); ++e)
      for (std::size_t c = 0; c < mesh.corners[e].size(); ++c)
        at[static_cast<std::size_t>(mesh.corners[e][c])] =
            mesh.nodes.data() + Dim * (e * mesh.corners[e].size() + c);
    for (const double* const x : at) numbers(x);
  } else {
    fmt::format_to(out,
                   "\nnodes\nFiniteElementSpace\nFiniteElementCollection: L2_T1_{0}D_P{1}\n"
                   "VDim: {0}\nOrdering: 1\n\n",
                   Dim, mesh.order);
    for (std::size_t i = 0; i < mesh.nodes.size(); i += Dim) numbers(mesh.nodes.data() + i);
  }
  if (is_part)
    text += "\nmfem_serial_mesh_end\n" + mfem_groups(mesh);
  else if (named)
    text += "\nmfem_mesh_end\n";
  return text;
}

}  // namespace

template <int Dim>
void write_gmsh(const std::filesystem::path& path, const fem::Mesh<Dim>& mesh) {
  validate(mesh);
  write_file(path, gmsh_text(mesh));
}
template void write_gmsh(const std::filesystem::path&, const fem::Mesh<2>&);
template void write_gmsh(const std::filesystem::path&, const fem::Mesh<3>&);

template <int Dim>
void write_mfem(const std::filesystem::path& path, const fem::Mesh<Dim>& mesh) {
  validate(mesh);
  write_file(path, mfem_text(mesh, false));
}
template void write_mfem(const std::filesystem::path&, const fem::Mesh<2>&);
template void write_mfem(const std::filesystem::path&, const fem::Mesh<3>&);

template <int Dim>
void write_mfem_part(const std::filesystem::path& path, const fem::Mesh<Dim>& part) {
  validate(part);
  write_file(meshes::path_of_part(path, part.cut ? part.cut->part : 0), mfem_text(part, true));
}
template void write_mfem_part(const std::filesystem::path&, const fem::Mesh<2>&);
template void write_mfem_part(const std::filesystem::path&, const fem::Mesh<3>&);

}  // namespace kolam
