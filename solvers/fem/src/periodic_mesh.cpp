// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <kolam/core/error.hpp>
#include <kolam/fem/detail/element_nodes.hpp>
#include <kolam/fem/detail/mesh_entities.hpp>
#include <kolam/fem/periodic_mesh.hpp>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "element_positions.hpp"

namespace kolam::fem {
namespace {

template <int Dim>
using Place = std::array<double, static_cast<std::size_t>(Dim)>;

template <int Dim>
Place<Dim> place_of(const Mesh<Dim>& mesh, index_t element, int corner) {
  Place<Dim> x;
  const index_t node =
      element * mesh.nodes_of_element() + detail::place_of_corner(Dim, corner, mesh.order);
  std::copy_n(mesh.nodes.data() + Dim * node, Dim, x.begin());
  return x;
}
template <std::size_t N>
std::array<double, N> plus(std::array<double, N> x, const std::array<double, N>& y, double times) {
  for (std::size_t k = 0; k < N; ++k) x[k] += times * y[k];
  return x;
}
template <std::size_t N>
double length(const std::array<double, N>& x) {
  return std::sqrt(std::inner_product(x.begin(), x.end(), x.begin(), 0.0));
}

// Returns the tolerance for equal positions, which allows for rounding in a file.
template <int Dim>
double nearness(const Mesh<Dim>& mesh) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Place<Dim> low{}, high{};
  low.fill(infinity);
  high.fill(-infinity);
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i) {
    low[i % Dim] = std::min(low[i % Dim], mesh.nodes[i]);
    high[i % Dim] = std::max(high[i % Dim], mesh.nodes[i]);
  }
  return 1e-7 * length(plus(high, low, -1));
}

// Boundary sides, found by the means of their corners.
template <int Dim>
class SidesByPlace {
 public:
  SidesByPlace(const Mesh<Dim>& mesh, double near) : mesh_(mesh), near_(near) {
    for (const ElementSide& side : boundary_of(mesh)) {
      const Place<Dim> at = middle(side);
      cells_[cell(at)].push_back({at, side});
    }
  }
  // Returns the pairs of vertices of each side and the side that `translation` maps it to.
  std::vector<std::pair<index_t, index_t>> pairs(const Place<Dim>& translation) const {
    std::vector<std::pair<index_t, index_t>> result;
    for (const auto& [key, sides] : cells_) {
      for (const auto& [at, side] : sides) {
        const auto other = find(plus(at, translation, 1));
        if (!other) continue;
        const auto matched = pairs(side, *other, translation);
        result.insert(result.end(), matched.begin(), matched.end());
      }
    }
    return result;
  }

 private:
  static constexpr int corners = 1 << (Dim - 1);  // of a side
  // Returns corner c of a side, as a corner of its element.
  int corner(const ElementSide& side, int c) const {
    return cubes_[static_cast<std::size_t>(side.side)].corner(Dim - 1, c);
  }
  using Key = std::array<std::int64_t, static_cast<std::size_t>(Dim)>;
  Key cell(const Place<Dim>& x) const {
    Key key;
    for (std::size_t k = 0; k < Dim; ++k)
      key[k] = static_cast<std::int64_t>(std::floor(x[k] / (4 * near_)));
    return key;
  }
  Place<Dim> middle(const ElementSide& side) const {
    Place<Dim> mean{};
    for (int c = 0; c < corners; ++c)
      mean = plus(mean, place_of(mesh_, side.element, corner(side, c)), 1.0 / corners);
    return mean;
  }
  // Returns the side at x, which may be in a neighbouring cell.
  std::optional<ElementSide> find(const Place<Dim>& x) const {
    const Key centre = cell(x);
    for (int n = 0; n < kolam::detail::power(3, Dim); ++n) {
      Key key = centre;
      for (int k = 0, rest = n; k < Dim; ++k, rest /= 3)
        key[static_cast<std::size_t>(k)] += rest % 3 - 1;
      const auto found = cells_.find(key);
      if (found == cells_.end()) continue;
      for (const auto& [at, side] : found->second)
        if (length(plus(at, x, -1)) <= near_) return side;
    }
    return std::nullopt;
  }
  // Returns the pairs of vertices of two sides, or nothing if a corner has no counterpart.
  std::vector<std::pair<index_t, index_t>> pairs(const ElementSide& from, const ElementSide& to,
                                                 const Place<Dim>& translation) const {
    std::vector<std::pair<index_t, index_t>> result;
    const auto vertex = [&](const ElementSide& side, int c) {
      return mesh_.corners[static_cast<std::size_t>(side.element)]
                          [static_cast<std::size_t>(corner(side, c))];
    };
    for (int a = 0; a < corners; ++a) {
      const Place<Dim> wanted =
          plus(place_of(mesh_, from.element, corner(from, a)), translation, 1);
      for (int b = 0; b < corners; ++b)
        if (length(plus(place_of(mesh_, to.element, corner(to, b)), wanted, -1)) <= near_)
          result.emplace_back(vertex(from, a), vertex(to, b));
    }
    if (result.size() != corners) result.clear();
    return result;
  }

  const Mesh<Dim>& mesh_;
  double near_;
  std::vector<detail::SubCube> cubes_ = detail::sub_cubes(Dim, Dim - 1);
  std::map<Key, std::vector<std::pair<Place<Dim>, ElementSide>>> cells_;
};

// Returns new numbers of the vertices, without gaps; both vertices of a pair get the same number.
std::vector<index_t> numbers_of(index_t vertices,
                                const std::vector<std::pair<index_t, index_t>>& pairs) {
  std::vector<index_t> root(static_cast<std::size_t>(vertices));
  std::iota(root.begin(), root.end(), index_t{0});
  const auto find = [&](index_t v) {
    while (root[static_cast<std::size_t>(v)] != v)
      v = root[static_cast<std::size_t>(v)] =
          root[static_cast<std::size_t>(root[static_cast<std::size_t>(v)])];
    return v;
  };
  for (const auto& [a, b] : pairs) {
    for (const index_t v : {a, b}) {
      if (v >= 0 && v < vertices) continue;
      throw InvalidArgument(fmt::format("joined: vertex {}; there are 0 to {}", v, vertices - 1));
    }
    const index_t of_a = find(a);
    const index_t of_b = find(b);
    root[static_cast<std::size_t>(std::max(of_a, of_b))] = std::min(of_a, of_b);
  }
  std::vector<index_t> result(root.size());
  index_t count = 0;
  for (std::size_t v = 0; v < root.size(); ++v) {
    const auto r = static_cast<std::size_t>(find(static_cast<index_t>(v)));
    result[v] = r == v ? count++ : result[r];
  }
  return result;
}

// Throws InvalidArgument if edges with the same vertices differ in length or direction.
template <int Dim>
void require_elements_between(const Mesh<Dim>& mesh, double near) {
  const detail::Entities edges = detail::entities(mesh, 1);
  const auto cubes = detail::sub_cubes(Dim, 1);
  std::vector<std::optional<Place<Dim>>> chords(static_cast<std::size_t>(edges.count));
  for (std::size_t e = 0; e < mesh.corners.size(); ++e) {
    for (std::size_t i = 0; i < cubes.size(); ++i) {
      const int ends[] = {cubes[i].corner(1, 0), cubes[i].corner(1, 1)};
      const auto element = static_cast<index_t>(e);
      const auto vertex = [&](int c) { return mesh.corners[e][static_cast<std::size_t>(c)]; };
      const double sign = vertex(ends[0]) < vertex(ends[1]) ? 1 : -1;
      Place<Dim> chord{};
      for (const int end : {0, 1})
        chord = plus(chord, place_of(mesh, element, ends[end]), end == 1 ? sign : -sign);
      auto& first = chords[static_cast<std::size_t>(edges.number[e * cubes.size() + i])];
      if (!first) first = chord;
      if (length(plus(chord, *first, -1)) <= 4 * near) continue;
      throw InvalidArgument(
          fmt::format("periodic: between vertices {} and {} of element {} is another edge than "
                      "elsewhere; it takes three elements from end to end, and ends that a "
                      "translation joins",
                      vertex(ends[0]), vertex(ends[1]), e));
    }
  }
}

// Returns a valid mesh with each pair of vertices joined.
template <int Dim>
Mesh<Dim> join(const Mesh<Dim>& mesh, const std::vector<std::pair<index_t, index_t>>& vertices) {
  if (mesh.cut)
    throw InvalidArgument(
        "periodic: a part of a mesh; join the ends of the whole mesh, then cut it");
  const auto key = [](const ElementSide& side) { return 2 * Dim * side.element + side.side; };
  const auto boundary = [&](const Mesh<Dim>& of) {
    std::vector<index_t> result;
    for (const ElementSide& side : boundary_of(of)) result.push_back(key(side));
    return result;  // ascending
  };
  const std::vector<index_t> numbers = numbers_of(mesh.vertex_count(), vertices);
  Mesh<Dim> result = mesh;
  result.coarser.reset();
  for (std::size_t e = 0; e < result.corners.size(); ++e) {
    auto corners = result.corners[e];
    for (index_t& v : corners) v = numbers[static_cast<std::size_t>(v)];
    result.corners[e] = corners;
    std::sort(corners.begin(), corners.end());
    if (std::adjacent_find(corners.begin(), corners.end()) == corners.end()) continue;
    throw InvalidArgument(fmt::format(
        "periodic: both ends of element {} would be one; it takes three elements from end to end",
        e));
  }
  require_elements_between(result, nearness(mesh));
  validate(result);
  const std::vector<index_t> before = boundary(mesh);
  const std::vector<index_t> after = boundary(result);
  std::set<int> left, gone;  // attributes of boundaries
  std::erase_if(result.sides, [&](const BoundarySide& side) {
    const auto in = [&](const std::vector<index_t>& list) {
      return std::binary_search(list.begin(), list.end(), key(side.at));
    };
    const bool is_joined = in(before) && !in(after);
    (is_joined ? gone : left).insert(side.attribute);
    return is_joined;
  });
  for (auto& [name, attributes] : result.boundary_names)
    std::erase_if(attributes,
                  [&](int each) { return gone.contains(each) && !left.contains(each); });
  std::erase_if(result.boundary_names, [](const auto& name) { return name.second.empty(); });
  return result;
}

}  // namespace

template <int Dim>
Mesh<Dim> joined(const Mesh<Dim>& mesh, const std::vector<std::pair<index_t, index_t>>& vertices) {
  validate(mesh);
  return join(mesh, vertices);
}

template <int Dim>
Mesh<Dim> periodic(
    const Mesh<Dim>& mesh,
    const std::vector<std::array<double, static_cast<std::size_t>(Dim)>>& translations) {
  validate(mesh);
  const SidesByPlace<Dim> sides(mesh, nearness(mesh));
  std::vector<std::pair<index_t, index_t>> pairs;
  for (const Place<Dim>& translation : translations) {
    const auto of_one = sides.pairs(translation);
    if (of_one.empty()) {
      throw InvalidArgument(
          fmt::format("periodic: the translation ({}) takes no side of the boundary to another one",
                      fmt::join(translation, ", ")));
    }
    pairs.insert(pairs.end(), of_one.begin(), of_one.end());
  }
  return join(mesh, pairs);
}

template <int Dim>
bool is_periodic(const Mesh<Dim>& mesh) {
  const Kokkos::DefaultHostExecutionSpace exec;
  return detail::are_apart(exec, mesh, detail::mesh_on(exec, mesh));
}

#define KOLAM_INSTANTIATE(DIM)                                                                  \
  template Mesh<DIM> joined(const Mesh<DIM>&, const std::vector<std::pair<index_t, index_t>>&); \
  template Mesh<DIM> periodic(const Mesh<DIM>&, const std::vector<std::array<double, DIM>>&);   \
  template bool is_periodic(const Mesh<DIM>&);
KOLAM_INSTANTIATE(2)
KOLAM_INSTANTIATE(3)

}  // namespace kolam::fem
