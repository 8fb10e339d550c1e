// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <kolam/core/error.hpp>
#include <kolam/fem/detail/mesh_entities.hpp>
#include <kolam/fem/mesh_partition.hpp>
#include <kolam/kernels/element/detail/layout.hpp>
#include <map>
#include <memory>
#include <numeric>
#include <span>
#include <utility>

#include "names.hpp"
#include "partition/graph.hpp"

namespace kolam::fem {
namespace {

constexpr std::pair<Partitioner, std::string_view> partitioners[] = {
    {Partitioner::hilbert, "hilbert"},
    {Partitioner::rcb, "rcb"},
    {Partitioner::metis, "metis"},
    {Partitioner::scotch, "scotch"}};

// Distributes elements [begin, end) of `order` among `parts` parts, numbered from `first` on.
template <int Dim>
void bisect(const std::vector<std::array<double, static_cast<std::size_t>(Dim)>>& middles,
            std::vector<index_t>& order, std::size_t begin, std::size_t end, int first, int parts,
            std::vector<int>& part) {
  if (parts == 1) {
    for (std::size_t i = begin; i < end; ++i) part[static_cast<std::size_t>(order[i])] = first;
    return;
  }
  auto lower = middles[static_cast<std::size_t>(order[begin])];
  auto upper = lower;
  for (std::size_t i = begin; i < end; ++i) {
    for (std::size_t k = 0; k < Dim; ++k) {
      lower[k] = std::min(lower[k], middles[static_cast<std::size_t>(order[i])][k]);
      upper[k] = std::max(upper[k], middles[static_cast<std::size_t>(order[i])][k]);
    }
  }
  std::size_t longest = 0;
  for (std::size_t k = 1; k < Dim; ++k)
    if (upper[k] - lower[k] > upper[longest] - lower[longest]) longest = k;
  const int low = parts / 2;
  const std::size_t middle =
      begin + (end - begin) * static_cast<std::size_t>(low) / static_cast<std::size_t>(parts);
  const auto at = [&](std::size_t i) { return order.begin() + static_cast<std::ptrdiff_t>(i); };
  std::nth_element(at(begin), at(middle), at(end), [&](index_t a, index_t b) {
    const double of_a = middles[static_cast<std::size_t>(a)][longest];
    const double of_b = middles[static_cast<std::size_t>(b)][longest];
    return of_a != of_b ? of_a < of_b : a < b;
  });
  bisect<Dim>(middles, order, begin, middle, first, low, part);
  bisect<Dim>(middles, order, middle, end, first + low, parts - low, part);
}

template <int Dim>
detail::ElementGraph graph_of(const Mesh<Dim>& mesh) {
  const detail::Entities sides = detail::entities(mesh, Dim - 1);
  constexpr std::size_t each = 2 * Dim;
  const std::size_t elements = mesh.corners.size();
  // The two elements of each side; -1 outside the boundary.
  std::vector<std::array<index_t, 2>> ends(static_cast<std::size_t>(sides.count), {-1, -1});
  for (std::size_t i = 0; i < elements * each; ++i) {
    auto& [first, second] = ends[static_cast<std::size_t>(sides.number[i])];
    (first < 0 ? first : second) = static_cast<index_t>(i / each);
  }
  detail::ElementGraph result;
  result.begin.push_back(0);
  for (std::size_t e = 0; e < elements; ++e) {
    const auto own = static_cast<index_t>(e);
    for (std::size_t i = 0; i < each; ++i) {
      const auto& [first, second] = ends[static_cast<std::size_t>(sides.number[e * each + i])];
      const index_t other = first == own ? second : first;
      if (other >= 0 && other != own) result.neighbours.push_back(other);
    }
    result.begin.push_back(static_cast<index_t>(result.neighbours.size()));
  }
  return result;
}

// Moves an element of the largest part to each empty part.
std::vector<int> without_empty_parts(std::vector<int> part, int parts) {
  std::vector<index_t> count(static_cast<std::size_t>(parts));
  for (const int each : part) ++count[static_cast<std::size_t>(each)];
  for (auto& empty : count) {
    if (empty > 0) continue;
    const auto largest = std::max_element(count.begin(), count.end());
    const auto element =
        std::find(part.rbegin(), part.rend(), static_cast<int>(largest - count.begin()));
    *element = static_cast<int>(&empty - count.data());
    --*largest;
    ++empty;
  }
  return part;
}

template <int Dim>
void require_partition(const Mesh<Dim>& mesh, const std::vector<int>& part_of_element) {
  if (part_of_element.size() == mesh.corners.size()) return;
  throw InvalidArgument(fmt::format("a mesh of {} elements, and parts of {}; give one for each",
                                    mesh.corners.size(), part_of_element.size()));
}

// A vertex, edge or face in one of the parts that have it.
struct Occurrence {
  index_t number;  // number of the entity in the whole mesh
  int part;
  MeshEntity entity;  // with element numbers of the whole mesh
};

// Returns the entity with its nodes counted from the smallest vertex on, first towards the smaller
// of that vertex's neighbours.
template <int Dim>
MeshEntity counted_by_vertices(const Mesh<Dim>& mesh, index_t element, const detail::SubCube& cube,
                               int dimensions) {
  const auto& corners = mesh.corners[static_cast<std::size_t>(element)];
  const auto vertex = [&](int corner) { return corners[static_cast<std::size_t>(corner)]; };
  MeshEntity result{element, cube.origin, dimensions, {cube.along[0], cube.along[1]}};
  for (int b = 1; b < 1 << dimensions; ++b) {
    const int corner = cube.corner(dimensions, b);
    if (vertex(corner) < vertex(result.corner)) result.corner = corner;
  }
  const auto neighbour = [&](std::size_t j) {
    return vertex(result.corner ^ (1 << result.along[j]));
  };
  if (dimensions == 2 && neighbour(1) < neighbour(0)) std::swap(result.along[0], result.along[1]);
  return result;
}

// Returns the entities of so many dimensions that several parts have, by number and then by part.
template <int Dim>
std::vector<Occurrence> occurrences(const Mesh<Dim>& mesh, const std::vector<int>& part_of_element,
                                    int dimensions) {
  const auto cubes = detail::sub_cubes(Dim, dimensions);
  const detail::Entities all = detail::entities(mesh, dimensions);
  constexpr int none = -1, several = -2;
  std::vector<int> part(static_cast<std::size_t>(all.count), none);
  const auto each = [&](const auto& f) {
    for (std::size_t e = 0; e < mesh.corners.size(); ++e)
      for (std::size_t i = 0; i < cubes.size(); ++i)
        f(all.number[e * cubes.size() + i], static_cast<index_t>(e), cubes[i]);
  };
  each([&](index_t number, index_t e, const detail::SubCube&) {
    int& of_entity = part[static_cast<std::size_t>(number)];
    const int own = part_of_element[static_cast<std::size_t>(e)];
    if (of_entity != own) of_entity = of_entity == none ? own : several;
  });
  std::vector<Occurrence> result;
  each([&](index_t number, index_t e, const detail::SubCube& cube) {
    if (part[static_cast<std::size_t>(number)] == several)
      result.push_back({number, part_of_element[static_cast<std::size_t>(e)],
                        counted_by_vertices(mesh, e, cube, dimensions)});
  });
  const auto key = [](const Occurrence& o) { return std::pair(o.number, o.part); };
  std::stable_sort(result.begin(), result.end(),
                   [&](const Occurrence& a, const Occurrence& b) { return key(a) < key(b); });
  result.erase(
      std::unique(result.begin(), result.end(),
                  [&](const Occurrence& a, const Occurrence& b) { return key(a) == key(b); }),
      result.end());
  return result;
}

// Returns the entities that a part shares with other parts, in an order that all parts agree on.
template <int Dim>
std::vector<MeshCut::SharedWith> shared_with_others(const Mesh<Dim>& mesh,
                                                    const std::vector<int>& part_of_element,
                                                    int part,
                                                    const std::vector<index_t>& element_of_part) {
  std::map<int, std::vector<MeshEntity>> shared;
  for (int d = 0; d < Dim; ++d) {
    const std::vector<Occurrence> all = occurrences(mesh, part_of_element, d);
    for (auto first = all.begin(); first != all.end();) {
      const auto last = std::find_if(
          first, all.end(), [&](const Occurrence& o) { return o.number != first->number; });
      const auto own =
          std::find_if(first, last, [&](const Occurrence& o) { return o.part == part; });
      if (own != last) {
        MeshEntity entity = own->entity;
        entity.element = element_of_part[static_cast<std::size_t>(entity.element)];
        for (auto other = first; other != last; ++other)
          if (other != own) shared[other->part].push_back(entity);
      }
      first = last;
    }
  }
  std::vector<MeshCut::SharedWith> result;
  for (auto& [other, entities] : shared) result.push_back({other, std::move(entities)});
  return result;
}

}  // namespace

std::string_view name(Partitioner v) { return detail::name_of<Partitioner>(partitioners, v); }
Partitioner parse_partitioner(std::string_view text) {
  return detail::parse<Partitioner>(partitioners, text);
}

bool is_available(Partitioner partitioner) {
  if (partitioner == Partitioner::metis) return detail::has_metis();
  return partitioner != Partitioner::scotch || detail::has_scotch();
}

template <int Dim>
std::vector<int> partition(const Mesh<Dim>& mesh, int parts, Partitioner partitioner) {
  if (parts < 1 || parts > mesh.element_count()) {
    throw InvalidArgument(fmt::format("{} parts of a mesh of {} elements; there must be 1 to {}",
                                      parts, mesh.element_count(), mesh.element_count()));
  }
  std::vector<int> result(mesh.corners.size());
  if (parts == 1) return result;
  switch (partitioner) {
    case Partitioner::hilbert: {
      const std::vector<index_t> order = detail::hilbert_order(mesh);
      for (std::size_t i = 0; i < order.size(); ++i)
        result[static_cast<std::size_t>(order[i])] =
            static_cast<int>(i * static_cast<std::size_t>(parts) / order.size());
      break;
    }
    case Partitioner::rcb: {
      std::vector<index_t> order(mesh.corners.size());
      std::iota(order.begin(), order.end(), index_t{0});
      bisect<Dim>(detail::middles(mesh), order, 0, order.size(), 0, parts, result);
      break;
    }
    case Partitioner::metis:
      return without_empty_parts(detail::metis_partition(graph_of(mesh), parts), parts);
    case Partitioner::scotch:
      return without_empty_parts(detail::scotch_partition(graph_of(mesh), parts), parts);
  }
  return result;
}
template std::vector<int> partition(const Mesh<2>&, int, Partitioner);
template std::vector<int> partition(const Mesh<3>&, int, Partitioner);

template <int Dim>
PartitionQuality quality_of(const Mesh<Dim>& mesh, const std::vector<int>& part_of_element) {
  require_partition(mesh, part_of_element);
  std::map<int, index_t> elements;
  for (const int part : part_of_element) ++elements[part];
  PartitionQuality result{mesh.element_count(), 0, 0};
  for (const auto& [part, count] : elements) {
    result.smallest = std::min(result.smallest, count);
    result.largest = std::max(result.largest, count);
  }
  result.cut = static_cast<index_t>(occurrences(mesh, part_of_element, Dim - 1).size() / 2);
  return result;
}
template PartitionQuality quality_of(const Mesh<2>&, const std::vector<int>&);
template PartitionQuality quality_of(const Mesh<3>&, const std::vector<int>&);

template <int Dim>
Mesh<Dim> part_of(const Mesh<Dim>& mesh, const std::vector<int>& part_of_element, int part) {
  validate(mesh);
  require_partition(mesh, part_of_element);
  if (mesh.coarser || mesh.cut) {
    throw InvalidArgument(
        fmt::format("part_of: the mesh was {} already; cut the whole mesh, then refine its parts",
                    mesh.cut ? "cut" : "refined"));
  }
  const auto cut = std::make_shared<MeshCut>();
  cut->part = part;
  cut->parts = *std::max_element(part_of_element.begin(), part_of_element.end()) + 1;
  cut->attributes.insert(mesh.attributes.begin(), mesh.attributes.end());
  for (const BoundarySide& side : mesh.sides) cut->boundaries.insert(side.attribute);

  Mesh<Dim> result;
  result.order = mesh.order;
  result.element_names = mesh.element_names;
  result.boundary_names = mesh.boundary_names;
  const auto numbers = static_cast<std::size_t>(mesh.nodes_of_element() * Dim);
  std::vector<index_t> element(mesh.corners.size(), -1);  // in the part
  std::vector<index_t> vertex(static_cast<std::size_t>(mesh.vertex_count()), -1);
  index_t vertices = 0;
  for (std::size_t e = 0; e < mesh.corners.size(); ++e) {
    if (part_of_element[e] != part) continue;
    element[e] = result.element_count();
    cut->elements.push_back(static_cast<index_t>(e));
    auto corners = mesh.corners[e];
    for (index_t& corner : corners) {
      index_t& number = vertex[static_cast<std::size_t>(corner)];
      if (number < 0) number = vertices++;
      corner = number;
    }
    result.corners.push_back(corners);
    result.attributes.push_back(mesh.attributes[e]);
    const double* const nodes = mesh.nodes.data() + numbers * e;
    result.nodes.insert(result.nodes.end(), nodes, nodes + numbers);
  }
  if (result.corners.empty()) {
    throw InvalidArgument(
        fmt::format("part {} of {} has no elements; each must have one", part, cut->parts));
  }
  for (const BoundarySide& side : mesh.sides) {
    const index_t own = element[static_cast<std::size_t>(side.at.element)];
    if (own >= 0) result.sides.push_back({{own, side.at.side}, side.attribute});
  }
  cut->shared = shared_with_others(mesh, part_of_element, part, element);
  if (cut->parts > 1) result.cut = cut;
  return result;
}
template Mesh<2> part_of(const Mesh<2>&, const std::vector<int>&, int);
template Mesh<3> part_of(const Mesh<3>&, const std::vector<int>&, int);

template <int Dim>
std::vector<double> gathered(const Mesh<Dim>& part, const Mesh<Dim>& whole, int order,
                             const std::vector<double>& values, int components,
                             const Communicator& communicator) {
  if (!part.cut) return values;
  const auto per_element = static_cast<std::size_t>(kolam::detail::power(order + 1, Dim));
  const auto fields = static_cast<std::size_t>(components);
  const auto place = [&](const detail::MeshNodes& nodes, std::size_t e, std::size_t i,
                         std::size_t c) {
    return static_cast<std::size_t>(nodes.of_element[e * per_element + i]) +
           c * static_cast<std::size_t>(nodes.count);
  };
  const detail::MeshNodes own = detail::mesh_nodes(part, order);
  std::vector<double> sent;  // for each element its number, then [components, nodes]
  sent.reserve(part.corners.size() * (1 + per_element * fields));
  for (std::size_t e = 0; e < part.corners.size(); ++e) {
    sent.push_back(static_cast<double>(part.cut->elements[e]));
    for (std::size_t i = 0; i < per_element; ++i)
      for (std::size_t c = 0; c < fields; ++c) sent.push_back(values.at(place(own, e, i, c)));
  }
  const auto all = communicator.gather(std::as_bytes(std::span(sent)));
  if (communicator.rank() != 0) return {};
  const detail::MeshNodes nodes = detail::mesh_nodes(whole, order);
  std::vector<double> result(static_cast<std::size_t>(nodes.count) * fields);
  for (const auto& bytes : all) {
    std::vector<double> came(bytes.size() / sizeof(double));
    std::copy(bytes.begin(), bytes.end(), std::as_writable_bytes(std::span(came)).begin());
    for (std::size_t next = 0; next < came.size();) {
      const auto e = static_cast<std::size_t>(came[next++]);
      for (std::size_t i = 0; i < per_element; ++i)
        for (std::size_t c = 0; c < fields; ++c) result.at(place(nodes, e, i, c)) = came[next++];
    }
  }
  return result;
}
template std::vector<double> gathered(const Mesh<2>&, const Mesh<2>&, int,
                                      const std::vector<double>&, int, const Communicator&);
template std::vector<double> gathered(const Mesh<3>&, const Mesh<3>&, int,
                                      const std::vector<double>&, int, const Communicator&);

}  // namespace kolam::fem
