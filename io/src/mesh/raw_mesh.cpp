// SPDX-License-Identifier: Apache-2.0
#include "raw_mesh.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <kolam/core/error.hpp>
#include <kolam/fem/detail/element_error.hpp>
#include <kolam/fem/detail/element_nodes.hpp>
#include <kolam/fem/detail/mesh_entities.hpp>
#include <kolam/fem/periodic_mesh.hpp>
#include <kolam/kernels/element/detail/layout.hpp>
#include <kolam/kernels/element/quadrature.hpp>
#include <map>
#include <memory>
#include <numeric>

#include "input.hpp"

namespace kolam::meshes {
namespace {

// The sides of elements by their vertices, for looking up facets.
template <int Dim>
class Sides {
 public:
  static constexpr int corners = 1 << (Dim - 1);
  using Key = std::array<index_t, static_cast<std::size_t>(corners)>;  // ascending

  explicit Sides(const fem::Mesh<Dim>& mesh) {
    const auto cubes = fem::detail::sub_cubes(Dim, Dim - 1);
    sides_.reserve(mesh.corners.size() * cubes.size());
    for (std::size_t e = 0; e < mesh.corners.size(); ++e) {
      for (std::size_t s = 0; s < cubes.size(); ++s) {
        Key key;
        for (int c = 0; c < corners; ++c)
          key[static_cast<std::size_t>(c)] =
              mesh.corners[e][static_cast<std::size_t>(cubes[s].corner(Dim - 1, c))];
        std::sort(key.begin(), key.end());
        sides_.push_back({key, {static_cast<index_t>(e), static_cast<int>(s)}});
      }
    }
    // (For a side of two elements, the first element comes first.)
    std::stable_sort(sides_.begin(), sides_.end(),
                     [](const auto& a, const auto& b) { return a.key < b.key; });
  }
  const fem::ElementSide* find(const Key& key) const {
    const auto found =
        std::lower_bound(sides_.begin(), sides_.end(), key,
                         [](const auto& side, const Key& wanted) { return side.key < wanted; });
    return found != sides_.end() && found->key == key ? &found->at : nullptr;
  }

 private:
  struct Side {
    Key key;
    fem::ElementSide at;
  };
  std::vector<Side> sides_;
};

// Returns whether the straight element with these corners is inverted at all of them.
template <int Dim>
bool mirrored(const double* nodes, int order) {
  for (int c = 0; c < 1 << Dim; ++c)
    if (!(fem::detail::straight_determinant_at<Dim>(c, nodes, order + 1) < 0)) return false;
  return true;
}

// Exchanges the first two directions of an element.
template <int Dim>
void turn(std::array<Label, static_cast<std::size_t>(1 << Dim)>& corners, double* nodes,
          int order) {
  for (std::size_t layer = 0; layer < corners.size(); layer += 4)
    std::swap(corners[layer + 1], corners[layer + 2]);
  const int d1d = order + 1;
  for (int layer = 0; layer < kolam::detail::power(d1d, Dim - 2); ++layer)
    for (int j = 0; j < d1d; ++j)
      for (int i = 0; i < j; ++i)
        std::swap_ranges(nodes + Dim * (i + d1d * (j + d1d * layer)),
                         nodes + Dim * (i + d1d * (j + d1d * layer) + 1),
                         nodes + Dim * (j + d1d * (i + d1d * layer)));
}

// Returns the vertex, edge or face with these vertices, among the elements at its first vertex.
template <int Dim>
std::optional<fem::MeshEntity> find_entity(
    const fem::Mesh<Dim>& mesh, const std::vector<std::pair<index_t, int>>& corners_there,
    int dimensions, const std::array<index_t, 4>& vertices) {
  for (const auto& [element, corner] : corners_there) {
    const auto& of_element = mesh.corners[static_cast<std::size_t>(element)];
    const auto is = [&](int other, std::size_t vertex) {
      return of_element[static_cast<std::size_t>(other)] == vertices[vertex];
    };
    if (dimensions == 0) return fem::MeshEntity{element, corner, 0, {}};
    for (int k = 0; k < Dim; ++k) {
      const int next = corner ^ (1 << k);
      if (!is(next, 1)) continue;
      if (dimensions == 1) return fem::MeshEntity{element, corner, 1, {k, 0}};
      for (int l = 0; l < Dim; ++l)
        if (l != k && is(next ^ (1 << l), 2) && is(corner ^ (1 << l), 3))
          return fem::MeshEntity{element, corner, 2, {k, l}};
    }
  }
  return std::nullopt;
}

// Returns the shared entities by group, with groups ordered by their parts: the same in all parts.
template <int Dim>
std::shared_ptr<const fem::MeshCut> cut_of(RawCut raw, const fem::Mesh<Dim>& mesh,
                                           const Numbers& vertices,
                                           const std::filesystem::path& path) {
  std::sort(raw.groups.begin(), raw.groups.end(),
            [](const auto& a, const auto& b) { return a.parts < b.parts; });
  std::map<index_t, std::vector<std::pair<index_t, int>>> corners_at;  // by first vertex
  for (const RawCut::Group& group : raw.groups)
    for (const RawCut::Entity& entity : group.entities) corners_at[vertices.of(entity.vertices[0])];
  for (std::size_t e = 0; e < mesh.corners.size(); ++e)
    for (std::size_t c = 0; c < mesh.corners[e].size(); ++c)
      if (const auto at = corners_at.find(mesh.corners[e][c]); at != corners_at.end())
        at->second.emplace_back(static_cast<index_t>(e), static_cast<int>(c));
  std::map<int, std::vector<fem::MeshEntity>> shared;
  for (const RawCut::Group& group : raw.groups) {
    for (const RawCut::Entity& entity : group.entities) {
      std::array<index_t, 4> numbers{};
      const std::size_t count = std::size_t{1} << entity.dimensions;
      for (std::size_t c = 0; c < count; ++c) numbers[c] = vertices.of(entity.vertices[c]);
      const auto found = find_entity(mesh, corners_at[numbers[0]], entity.dimensions, numbers);
      if (!found) {
        refuse_to_read(path, fmt::format("a shared entity has the vertices {} (as the file counts "
                                         "them), and no element has it",
                                         fmt::join(entity.vertices.begin(),
                                                   entity.vertices.begin() + count, ", ")));
      }
      for (const int part : group.parts)
        if (part != raw.part) shared[part].push_back(*found);
    }
  }
  auto cut = std::make_shared<fem::MeshCut>();
  cut->part = raw.part;
  for (auto& [part, entities] : shared) cut->shared.push_back({part, std::move(entities)});
  return cut;
}

// Reports an element that is not valid as the file has it, with corners going around.
template <int Dim>
[[noreturn]] void refuse_element(const RawMesh& raw, const std::filesystem::path& path,
                                 const fem::detail::ElementError& error) {
  constexpr std::size_t count = 1 << Dim;
  const auto element = static_cast<std::size_t>(error.element());
  const Label* const corners = raw.corners.data() + element * count;
  std::vector<Label> around;
  for (std::size_t c = 0; c < count; ++c) around.push_back(corners[c ^ (c >> 1 & 1)]);
  const std::size_t line = raw.lines.empty() ? 0 : raw.lines[element];
  if (!error.is_counted_around()) {
    refuse_to_read(path, line,
                   fmt::format("{} (elements count from 0 in the order of the file; this one has "
                               "the corners {} there)",
                               error.what(), fmt::join(around, ", ")));
  }
  // (They are around in the mesh because the file has them x fastest.)
  refuse_to_read(
      path, line,
      fmt::format("element {} (from 0 in the order of the file) lists its corners as {}, "
                  "which is row by row and folds it; list them going around: {}",
                  element, fmt::join(around, ", "), fmt::join(corners, corners + count, ", ")));
}

template <int Dim>
fem::Mesh<Dim> mesh_of_dimensions(RawMesh raw, const std::filesystem::path& path,
                                  std::vector<index_t>* order_of) {
  constexpr std::size_t corner_count = 1 << Dim;
  fem::Mesh<Dim> mesh;
  mesh.order = raw.order;
  mesh.attributes = std::move(raw.attributes);
  mesh.element_names = std::move(raw.element_names);
  mesh.boundary_names = std::move(raw.boundary_names);
  mesh.nodes = std::move(raw.nodes);
  const Numbers vertices(raw.corners);
  const auto per_element = static_cast<std::size_t>(mesh.nodes_of_element() * Dim);
  if (raw.corners.size() != mesh.attributes.size() * corner_count ||
      mesh.nodes.size() != mesh.attributes.size() * per_element)
    refuse_to_read(path, "elements without corners or positions; it is not complete");
  mesh.corners.reserve(mesh.attributes.size());
  for (std::size_t e = 0; e < mesh.attributes.size(); ++e) {
    std::array<Label, corner_count> corners;
    std::copy_n(raw.corners.data() + e * corner_count, corner_count, corners.begin());
    double* const nodes = mesh.nodes.data() + e * per_element;
    if (mirrored<Dim>(nodes, mesh.order)) turn<Dim>(corners, nodes, mesh.order);
    auto& numbers = mesh.corners.emplace_back();
    for (std::size_t c = 0; c < corner_count; ++c) numbers[c] = vertices.of(corners[c]);
  }
  try {
    validate(mesh);
  } catch (const fem::detail::ElementError& e) {
    refuse_element<Dim>(raw, path, e);
  } catch (const InvalidArgument& e) {
    refuse_to_read(path,
                   fmt::format("{} (elements count from 0 in the order of the file)", e.what()));
  }
  const Sides<Dim> sides(mesh);
  for (std::size_t f = 0; f < raw.facet_attributes.size(); ++f) {
    typename Sides<Dim>::Key key;
    const Label* const corners = raw.facets.data() + f * key.size();
    for (std::size_t c = 0; c < key.size(); ++c) key[c] = vertices.of(corners[c]);
    std::sort(key.begin(), key.end());
    const fem::ElementSide* const at = sides.find(key);
    if (at == nullptr) {
      refuse_to_read(
          path, raw.facet_lines.empty() ? 0 : raw.facet_lines[f],
          fmt::format("a side with attribute {} has the vertices {} (as the file counts "
                      "them), and no element has it; boundaries are sides of elements",
                      raw.facet_attributes[f], fmt::join(corners, corners + key.size(), ", ")));
    }
    mesh.sides.push_back({*at, raw.facet_attributes[f]});
  }
  std::vector<std::pair<index_t, index_t>> joined;
  for (const auto& [node, other] : raw.joined) {
    const std::pair vertex(vertices.of(node), vertices.of(other));
    if (vertex.first >= 0 && vertex.second >= 0) joined.push_back(vertex);
  }
  if (!joined.empty()) {
    try {
      mesh = fem::joined(mesh, joined);
    } catch (const InvalidArgument& e) {
      refuse_to_read(path, e.what());
    }
  }
  mesh = in_hilbert_order(mesh, order_of);
  if (raw.cut) mesh.cut = cut_of(std::move(*raw.cut), mesh, vertices, path);
  return mesh;
}

template <int Dim>
std::vector<double> changed(const std::vector<double>& values, int components, const Basis& basis) {
  std::array<const Basis*, Dim> bases;
  bases.fill(&basis);
  const int before = components * kolam::detail::power(basis.d1d, Dim);
  std::vector<double> result;
  result.reserve(values.size());
  for (auto at = values.begin(); at < values.end(); at += before) {
    const auto after = fem::detail::interpolated<Dim>({at, at + before}, bases, components);
    result.insert(result.end(), after.begin(), after.end());
  }
  return result;
}
std::vector<double> changed(const std::vector<double>& values, int dimensions, int components,
                            const std::vector<double>& from, const std::vector<double>& to) {
  if (from == to) return values;
  const Basis basis = lagrange_basis(from, to);
  return dimensions == 2 ? changed<2>(values, components, basis)
                         : changed<3>(values, components, basis);
}

}  // namespace

Numbers::Numbers(std::vector<Label> labels) : labels_(std::move(labels)) {
  std::sort(labels_.begin(), labels_.end());
  labels_.erase(std::unique(labels_.begin(), labels_.end()), labels_.end());
  if (labels_.empty() || labels_.back() / 4 > labels_.size()) return;
  direct_.assign(static_cast<std::size_t>(labels_.back()) + 1, -1);
  for (std::size_t i = 0; i < labels_.size(); ++i)
    direct_[static_cast<std::size_t>(labels_[i])] = static_cast<index_t>(i);
}
index_t Numbers::of(Label label) const {
  if (!direct_.empty())
    return label < direct_.size() ? direct_[static_cast<std::size_t>(label)] : -1;
  const auto found = std::lower_bound(labels_.begin(), labels_.end(), label);
  return found != labels_.end() && *found == label ? found - labels_.begin() : -1;
}

std::vector<double> uniform_points(int order) {
  std::vector<double> points;
  for (int i = 0; i <= order; ++i) points.push_back(static_cast<double>(i) / order);
  return points;
}
void to_gauss_lobatto(std::vector<double>& nodes, int dimensions,
                      const std::vector<double>& points) {
  nodes = changed(nodes, dimensions, dimensions, points,
                  gauss_lobatto(static_cast<int>(points.size())).points);
}
std::vector<double> from_gauss_lobatto(const std::vector<double>& values, int dimensions,
                                       int components, const std::vector<double>& points) {
  return changed(values, dimensions, components,
                 gauss_lobatto(static_cast<int>(points.size())).points, points);
}

AnyMesh mesh_of(RawMesh raw, const std::filesystem::path& path, std::vector<index_t>* order_of) {
  if (raw.dimensions == 2) return mesh_of_dimensions<2>(std::move(raw), path, order_of);
  return mesh_of_dimensions<3>(std::move(raw), path, order_of);
}

}  // namespace kolam::meshes

namespace kolam {

AnyMesh read_mesh(const std::filesystem::path& path, std::vector<index_t>* order_of) {
  meshes::Input input(path);
  const std::string_view first = input.next_line();
  if (first.starts_with("$MeshFormat"))
    return meshes::mesh_of(meshes::read_gmsh(input), path, order_of);
  if (first.starts_with("MFEM"))
    return meshes::mesh_of(meshes::read_mfem(input, first), path, order_of);
  if (first.starts_with("# vtk DataFile"))
    return meshes::mesh_of(meshes::read_vtk(input, first), path, order_of);
  if (first.starts_with("<?xml") || first.starts_with("<VTKFile"))
    return meshes::mesh_of(meshes::read_vtu(input), path, order_of);
  input.refuse(
      "it is no mesh that can be read: files of Gmsh begin with $MeshFormat, those of MFEM with "
      "'MFEM mesh v1.0', those of VTK with '# vtk DataFile' or, as VTU, with <VTKFile");
}

template <int Dim>
fem::Mesh<Dim> read_mesh(const std::filesystem::path& path, std::vector<index_t>* order_of) {
  AnyMesh mesh = read_mesh(path, order_of);
  if (auto* const wanted = std::get_if<fem::Mesh<Dim>>(&mesh)) return std::move(*wanted);
  meshes::refuse_to_read(
      path, fmt::format("its mesh has {} dimensions, where one of {} is wanted", 5 - Dim, Dim));
}
template fem::Mesh<2> read_mesh<2>(const std::filesystem::path&, std::vector<index_t>*);
template fem::Mesh<3> read_mesh<3>(const std::filesystem::path&, std::vector<index_t>*);

}  // namespace kolam
