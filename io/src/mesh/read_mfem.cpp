// SPDX-License-Identifier: Apache-2.0
// MFEM's mesh formats v1.0 and v1.3, as documented by MFEM, and v1.2 for one part of a mesh.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <kolam/kernels/element/detail/layout.hpp>
#include <kolam/kernels/element/quadrature.hpp>
#include <map>
#include <numeric>
#include <set>

#include "input.hpp"
#include "mfem_elements.hpp"
#include "raw_mesh.hpp"

namespace kolam::meshes {
namespace {

// The edges or faces of elements, numbered by their first occurrence. `entities`: [of_element,
// elements], each with 2 or 4 vertices in its element's order.
template <std::size_t N>
struct Numbered {
  using Vertices = std::array<Label, N>;

  std::vector<std::size_t> number;  // of each entity
  std::vector<Vertices> first;      // vertices in the first element's order

  explicit Numbered(const std::vector<Vertices>& entities) : number(entities.size()) {
    std::vector<Vertices> sorted = entities;
    for (Vertices& vertices : sorted) std::sort(vertices.begin(), vertices.end());
    std::vector<std::size_t> order(entities.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return sorted[a] < sorted[b]; });
    std::vector<std::size_t> leader(entities.size());  // the first entity with the same vertices
    for (std::size_t i = 0; i < order.size(); ++i)
      leader[order[i]] =
          i > 0 && sorted[order[i]] == sorted[order[i - 1]] ? leader[order[i - 1]] : order[i];
    for (std::size_t i = 0; i < entities.size(); ++i) {
      if (leader[i] == i) {
        number[i] = first.size();
        first.push_back(entities[i]);
      } else {
        number[i] = number[leader[i]];
      }
    }
  }
};

// "H1_2D_P3", "L2_T1_3D_P2", ...
struct Collection {
  enum class Kind { h1, l2 } kind;
  int dimensions;
  std::vector<double> points;

  int order() const { return static_cast<int>(points.size()) - 1; }
};

class MfemFile {
 public:
  MfemFile(Input& input, bool is_part) : in_(input), is_part_(is_part) {}

  RawMesh read(std::string_view header) {
    if (header.starts_with("MFEM NC")) refuse_hanging();
    if (header.starts_with("MFEM NURBS"))
      in_.refuse("a NURBS mesh; write it as a curved mesh (in MFEM: SetCurvature, then Save)");
    if (header.starts_with("MFEM INLINE"))
      in_.refuse("an INLINE mesh; make the box by kolam::fem::mesh_of");
    if (header == "MFEM mesh v1.2" && !is_part_) refuse_part();
    if (header != "MFEM mesh v1.0" && header != "MFEM mesh v1.2" && header != "MFEM mesh v1.3") {
      in_.refuse(fmt::format("'{}'; 'MFEM mesh v1.0', v1.2 (parts) and v1.3 can be read",
                             header.substr(0, 40)));
    }
    in_.has_comments();
    in_.expect("dimension");
    raw_.dimensions = in_.integer<int>("the dimension");
    if (raw_.dimensions != 2 && raw_.dimensions != 3)
      in_.refuse(fmt::format("a mesh of dimension {}; it must be 2 or 3", raw_.dimensions));
    bool has_positions = false;
    while (!in_.at_end()) {
      const std::string_view section = in_.word();
      if (std::isalpha(static_cast<unsigned char>(section.front())) != 0) in_.end_list();
      begin(section);
      if (section == "elements") {
        read_elements();
      } else if (section == "boundary") {
        read_boundary();
      } else if (section == "attribute_sets") {
        read_sets(raw_.element_names);
      } else if (section == "bdr_attribute_sets") {
        read_sets(raw_.boundary_names);
      } else if (section == "vertices") {
        has_positions = read_vertices() || has_positions;
      } else if (section == "nodes") {
        read_nodes();
        has_positions = true;
      } else if (section == "mfem_serial_mesh_end") {
        if (!is_part_) refuse_part();
        read_cut();
      } else if (section == "mfem_mesh_end") {
        break;
      } else if (section == "vertex_parents" || section == "coarse_elements") {
        refuse_hanging();
      } else {
        in_.refuse(fmt::format("'{}' is no section that can be read", section.substr(0, 40)));
      }
    }
    if (raw_.attributes.empty() || !has_positions)
      refuse_to_read(in_.path(), "it has no elements, or no vertices; it is not complete");
    if (is_part_ && !raw_.cut)
      refuse_to_read(in_.path(), "it does not say what it shares with other parts of its mesh");
    return std::move(raw_);
  }

 private:
  [[noreturn]] void refuse_hanging() const {
    in_.refuse("a mesh with hanging nodes; elements must meet in whole sides");
  }

  [[noreturn]] void refuse_part() const {
    in_.refuse(
        "one part of a mesh that is cut; read all parts together, each in a process, by their name "
        "without the number (kolam::read_mesh_part)");
  }

  // Reads the groups of parts that share entities, and these entities.
  void read_cut() {
    const auto size = [&](const char* name, const char* what) {
      in_.expect(name);
      return in_.count(what, 2);
    };
    in_.expect("communication_groups");
    const std::size_t groups = size("number_of_groups", "groups of parts");
    RawCut cut{-1, {}};
    for (std::size_t g = 0; g < groups; ++g) {
      RawCut::Group group;
      const std::size_t parts = in_.count("parts of a group", 2);
      for (std::size_t i = 0; i < parts; ++i) group.parts.push_back(in_.integer<int>("a part"));
      std::sort(group.parts.begin(), group.parts.end());
      if (g == 0 && parts == 1) cut.part = group.parts.front();
      if (std::count(group.parts.begin(), group.parts.end(), cut.part) != 1 ||
          std::adjacent_find(group.parts.begin(), group.parts.end()) != group.parts.end() ||
          group.parts.front() < 0 || (parts == 1) != (g == 0)) {
        in_.refuse(
            fmt::format("group {} has the parts {}; the first group is this part alone, and others "
                        "have it and others, each once",
                        g, fmt::join(group.parts, ", ")));
      }
      if (g > 0) cut.groups.push_back(std::move(group));
    }
    if (cut.part < 0) in_.refuse("no groups of parts; there is at least this part alone");
    size("total_shared_vertices", "shared vertices");
    size("total_shared_edges", "shared edges");
    if (raw_.dimensions == 3) size("total_shared_faces", "shared faces");
    for (RawCut::Group& group : cut.groups) {
      const auto read_entities = [&](const char* name, int dimensions) {
        const std::size_t count = size(name, name);
        for (std::size_t i = 0; i < count; ++i) {
          RawCut::Entity entity{dimensions, {}};
          if (dimensions == 2 && in_.integer<int>("a geometry") != 3)
            in_.refuse("a shared face is no quadrilateral; hexahedra have no others");
          for (int c = 0; c < 1 << dimensions; ++c)
            entity.vertices[static_cast<std::size_t>(c)] = in_.integer<Label>("a vertex");
          group.entities.push_back(entity);
        }
      };
      read_entities("shared_vertices", 0);
      read_entities("shared_edges", 1);
      if (raw_.dimensions == 3) read_entities("shared_faces", 2);
    }
    raw_.cut = std::move(cut);
  }

  // Requires that a section occurs once, after the sections to which it refers.
  void begin(std::string_view section) {
    const bool early = (section == "vertices" && !seen_.contains("elements")) ||
                       (section == "nodes" && !seen_.contains("vertices"));
    if (early || !seen_.emplace(section).second) {
      in_.refuse(fmt::format("'{}' {}", section.substr(0, 40),
                             early ? "comes too early: elements, then vertices, then nodes"
                                   : "is there a second time"));
    }
  }

  // Reads the corners of elements (or boundaries) in MFEM's order, and their attributes.
  void read_list(const char* what, int geometry, std::size_t corners, std::vector<Label>& to,
                 std::vector<int>& attributes, std::vector<std::size_t>& lines) {
    const std::size_t size = in_.count(what, 6);
    std::map<int, std::size_t> others;
    for (std::size_t i = 0; i < size; ++i) {
      const bool begins_line = in_.begin_entry("an entry of this list", 0);
      const int attribute = in_.integer<int>("an attribute");
      const std::size_t line = in_.line_number();
      const int found = in_.integer<int>("a geometry");
      if (found != geometry && !begins_line) in_.refuse("an entry begins within this line");
      if (found < 0 || found >= mfem_geometries)
        in_.refuse(fmt::format("geometry {}; there are 0 to {}", found, mfem_geometries - 1));
      if (found != geometry) {
        ++others[found];
        in_.line();
        continue;
      }
      if (attribute < 1) in_.refuse(fmt::format("attribute {}; they count from 1", attribute));
      attributes.push_back(attribute);
      lines.push_back(line);
      in_.set_words(2 + corners);
      for (std::size_t c = 0; c < corners; ++c) to.push_back(in_.integer<Label>("a vertex"));
    }
    if (others.empty()) return;
    std::string counts;
    for (const auto& [other, number] : others)
      counts += fmt::format("{}{} {}", counts.empty() ? "" : " and ", number,
                            plural_of_mfem_geometry(other));
    refuse_to_read(in_.path(), fmt::format("its {} have {}; kolam works with {} alone", what,
                                           counts, plural_of_mfem_geometry(geometry)));
  }
  void read_elements() {
    read_list("elements", raw_.dimensions == 2 ? 3 : 5, corner_count(), around_, raw_.attributes,
              raw_.lines);
    // (MFEM's corners go around.)
    for (std::size_t i = 0; i < around_.size(); ++i)
      raw_.corners.push_back(around_[i ^ (i >> 1 & 1)]);
  }
  void read_boundary() {
    read_list("boundaries", raw_.dimensions == 2 ? 1 : 3, corner_count() / 2, raw_.facets,
              raw_.facet_attributes, raw_.facet_lines);
  }
  std::size_t corner_count() const { return std::size_t{1} << raw_.dimensions; }

  void read_sets(fem::AttributeNames& names) {
    const std::size_t sets = in_.count("sets", 4);
    for (std::size_t i = 0; i < sets; ++i) {
      std::set<int>& attributes = names[in_.quoted()];
      const std::size_t size = in_.count("attributes of a set", 2);
      for (std::size_t k = 0; k < size; ++k) attributes.insert(in_.integer<int>("an attribute"));
    }
  }

  // Returns whether vertices have positions; otherwise "nodes" follow.
  bool read_vertices() {
    vertices_ = in_.count("vertices", 1);
    for (std::size_t i = 0; i < around_.size(); ++i) {
      if (around_[i] < vertices_) continue;
      refuse_to_read(in_.path(), raw_.lines[i / corner_count()],
                     fmt::format("an element has vertex {}, of {} (they count from 0); give it one "
                                 "of these, or correct their count",
                                 around_[i], vertices_));
    }
    if (in_.at_end()) return false;
    const std::string_view next = in_.word();
    if (next == "nodes") {
      begin(next);
      read_nodes();
      return true;
    }
    require_dimension(next);
    std::vector<double> x;
    const auto dim = static_cast<std::size_t>(raw_.dimensions);
    in_.checked(vertices_, "vertices", 2 * dim);
    for (std::size_t i = 0; i < vertices_ * dim; ++i) {
      if (i % dim == 0) in_.begin_entry("a vertex", dim);
      x.push_back(in_.real("a coordinate"));
    }
    raw_.order = 1;
    for (const Label vertex : raw_.corners)
      for (std::size_t k = 0; k < dim; ++k)
        raw_.nodes.push_back(x[static_cast<std::size_t>(vertex) * dim + k]);
    return true;
  }
  void require_dimension(std::string_view text) const {
    if (text == std::to_string(raw_.dimensions)) return;
    in_.refuse(
        fmt::format("positions of {} coordinates of a mesh of dimension {}; surfaces in "
                    "space cannot be read",
                    text.substr(0, 40), raw_.dimensions));
  }

  Collection collection(const std::string& name) const {
    using Kind = Collection::Kind;
    const int dim = raw_.dimensions;
    if (name == "Linear") return {Kind::h1, dim, {0, 1}};
    if (name == "Quadratic") return {Kind::h1, dim, uniform_points(2)};
    if (name == "Cubic" && dim == 2) return {Kind::h1, dim, uniform_points(3)};
    const std::string end = fmt::format("_{}D_P", dim);
    const std::size_t at = name.find(end);
    int order = -1;
    if (at != std::string::npos) {
      const char* const last = name.data() + name.size();
      const auto [stop, error] = std::from_chars(name.data() + at + end.size(), last, order);
      if (error != std::errc() || stop != last) order = -1;
    }
    const std::string family = name.substr(0, at);
    const auto points = [&](bool uniform) {
      return uniform ? uniform_points(order) : gauss_lobatto(order + 1).points;
    };
    if (order >= 1 && order <= 63) {
      if (family == "H1" || family == "H1@G") return {Kind::h1, dim, points(false)};
      if (family == "H1@U") return {Kind::h1, dim, points(true)};
      if (family == "L2_T1") return {Kind::l2, dim, points(false)};
      if (family == "L2_T4") return {Kind::l2, dim, points(true)};
      if (family == "L2" || family == "L2_T0")
        return {Kind::l2, dim, gauss_legendre(order + 1).points};
    }
    in_.refuse(
        fmt::format("nodes of the collection '{}'; those of H1 and L2 on Gauss-Lobatto, "
                    "uniform or (L2) Gauss points can be read, of orders 1 to 63 (in MFEM: "
                    "SetCurvature, then Save)",
                    name.substr(0, 40)));
  }

  void read_nodes() {
    in_.expect("FiniteElementSpace");
    in_.expect("FiniteElementCollection:");
    const Collection nodes = collection(std::string(in_.word()));
    in_.expect("VDim:");
    require_dimension(in_.word());
    in_.expect("Ordering:");
    const int ordering = in_.integer<int>("the ordering");
    if (ordering != 0 && ordering != 1) in_.refuse("an ordering is 0 or 1");
    const std::size_t elements = raw_.attributes.size();
    const auto of_element =
        static_cast<std::size_t>(kolam::detail::power(nodes.order() + 1, raw_.dimensions));
    in_.checked(elements, "elements with nodes", 1);
    std::vector<std::size_t> dofs;  // [of_element, elements], x fastest
    std::size_t count = elements * of_element;
    if (nodes.kind == Collection::Kind::l2) {
      in_.checked(count, "nodes", 2);
      dofs.resize(count);
      std::iota(dofs.begin(), dofs.end(), std::size_t{0});
    } else {
      count = number_h1(nodes.order(), dofs);
    }
    const auto dim = static_cast<std::size_t>(raw_.dimensions);
    in_.checked(count, "nodes", 2 * dim);
    std::vector<double> values;
    values.reserve(count * dim);
    for (std::size_t i = 0; i < count * dim; ++i) values.push_back(in_.real("a node"));
    raw_.order = nodes.order();
    raw_.nodes.clear();
    for (const std::size_t dof : dofs)
      for (std::size_t k = 0; k < dim; ++k)
        raw_.nodes.push_back(values[ordering == 0 ? dof + k * count : dof * dim + k]);
    to_gauss_lobatto(raw_.nodes, raw_.dimensions, nodes.points);
  }

  // Numbers the dofs of H1: vertices, edges, faces, then interiors of elements; edges and faces by
  // their first occurrence. Dofs of an edge start at its smaller vertex, dofs of a face follow its
  // first element. Returns the number of dofs.
  std::size_t number_h1(int order, std::vector<std::size_t>& dofs) const {
    const int dim = raw_.dimensions;
    const std::size_t elements = raw_.attributes.size();
    const auto& edges_of = mfem_edges(dim);
    const auto& faces_of = mfem_faces(dim);
    std::vector<std::array<Label, 2>> edge_list;
    std::vector<std::array<Label, 4>> face_list;
    for (std::size_t e = 0; e < elements; ++e) {
      const Label* const v = around_.data() + e * corner_count();
      for (const auto& edge : edges_of) edge_list.push_back({v[edge[0]], v[edge[1]]});
      for (const auto& face : faces_of)
        face_list.push_back({v[face[0]], v[face[1]], v[face[2]], v[face[3]]});
    }
    const Numbered<2> edges(edge_list);
    const Numbered<4> faces(face_list);
    const auto p = static_cast<std::size_t>(order);
    const std::size_t inner = p - 1;
    const std::size_t of_face = inner * inner;
    const std::size_t of_inside = dim == 2 ? of_face : of_face * inner;
    const std::size_t first_edge = vertices_;
    const std::size_t first_face = first_edge + edges.first.size() * inner;
    const std::size_t first_inside = first_face + faces.first.size() * of_face;
    const std::size_t count = first_inside + elements * of_inside;
    in_.checked(count, "nodes", 2 * static_cast<std::size_t>(dim));

    const auto of_element = static_cast<std::size_t>(kolam::detail::power(order + 1, dim));
    dofs.assign(elements * of_element, 0);
    using Point = std::array<std::size_t, 3>;
    const auto corner = [](std::size_t c) {  // MFEM's corner as 0 or 1 in each direction
      const std::size_t ours = c ^ (c >> 1 & 1);
      return Point{ours & 1, ours >> 1 & 1, ours >> 2 & 1};
    };
    for (std::size_t e = 0; e < elements; ++e) {
      const Label* const v = around_.data() + e * corner_count();
      const auto set = [&](const Point& at, std::size_t dof) {
        dofs[e * of_element + at[0] + (p + 1) * (at[1] + (p + 1) * at[2])] = dof;
      };
      for (std::size_t c = 0; c < corner_count(); ++c) {
        Point at = corner(c);
        for (std::size_t& x : at) x *= p;
        set(at, static_cast<std::size_t>(v[c]));
      }
      for (std::size_t j = 0; j < edges_of.size(); ++j) {
        const std::size_t from = edges_of[j][0];
        const std::size_t to = edges_of[j][1];
        const std::size_t first = first_edge + edges.number[e * edges_of.size() + j] * inner;
        for (std::size_t i = 1; i < p; ++i) {
          Point at;
          for (std::size_t k = 0; k < 3; ++k) at[k] = corner(from)[k] * (p - i) + corner(to)[k] * i;
          set(at, first + (v[from] < v[to] ? i : p - i) - 1);
        }
      }
      for (std::size_t j = 0; j < faces_of.size(); ++j) {
        const std::size_t number = faces.number[e * faces_of.size() + j];
        const auto& as_first = faces.first[number];
        // The origin of the face and the ends of its two directions, in this element.
        const auto here = [&](std::size_t of_face_corner) {
          for (const std::size_t c : faces_of[j])
            if (v[c] == as_first[of_face_corner]) return corner(c);
          return Point{};
        };
        const Point origin = here(0);
        const Point right = here(1);
        const Point up = here(3);
        for (std::size_t b = 1; b < p; ++b) {
          for (std::size_t a = 1; a < p; ++a) {
            Point at;
            for (std::size_t k = 0; k < 3; ++k)
              at[k] = right[k] * a + up[k] * b + origin[k] * p - origin[k] * (a + b);
            set(at, first_face + number * of_face + (a - 1) + inner * (b - 1));
          }
        }
      }
      for (std::size_t n = 0; n < of_inside; ++n) {
        Point at{n % inner + 1, n / inner % inner + 1, dim == 2 ? 0 : n / of_face + 1};
        set(at, first_inside + e * of_inside + n);
      }
    }
    return count;
  }

  Input& in_;
  bool is_part_;
  std::set<std::string> seen_;  // sections
  RawMesh raw_;
  std::vector<Label> around_;  // element corners in MFEM's order
  std::size_t vertices_ = 0;
};

}  // namespace

RawMesh read_mfem(Input& input, std::string_view header) {
  return MfemFile(input, false).read(header);
}
RawMesh read_mfem_part(Input& input, std::string_view header) {
  return MfemFile(input, true).read(header);
}

}  // namespace kolam::meshes
