// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <kolam/core/error.hpp>
#include <kolam/fem/detail/element_nodes.hpp>
#include <kolam/fem/detail/mesh_entities.hpp>
#include <kolam/fem/mesh.hpp>
#include <limits>
#include <numeric>
#include <string>

namespace kolam::fem {
namespace {

// Returns the index of a point along a Hilbert curve of the cube; coordinates are below 2^bits.
template <int Dim>
std::uint64_t hilbert_index(std::array<std::uint32_t, Dim> x, int bits) {
  const std::uint32_t highest = std::uint32_t{1} << (bits - 1);
  // Account for the rotation of each octant's curve, from the coarsest level on.
  for (std::uint32_t bit = highest; bit > 1; bit >>= 1) {
    const std::uint32_t below = bit - 1;
    for (std::uint32_t& coordinate : x) {
      if ((coordinate & bit) != 0) {
        x[0] ^= below;
      } else {
        const std::uint32_t differ = (x[0] ^ coordinate) & below;
        x[0] ^= differ;
        coordinate ^= differ;
      }
    }
  }
  // Gray code: one coordinate changes at a time.
  for (std::size_t k = 1; k < Dim; ++k) x[k] ^= x[k - 1];
  std::uint32_t flips = 0;
  for (std::uint32_t bit = highest; bit > 1; bit >>= 1)
    if ((x[Dim - 1] & bit) != 0) flips ^= bit - 1;
  for (std::uint32_t& coordinate : x) coordinate ^= flips;
  std::uint64_t index = 0;
  for (int bit = bits - 1; bit >= 0; --bit)
    for (const std::uint32_t coordinate : x) index = index << 1 | (coordinate >> bit & 1);
  return index;
}

template <int Dim>
void require_nodes(const Mesh<Dim>& mesh) {
  const auto per_element = static_cast<std::size_t>(mesh.nodes_of_element() * Dim);
  if (mesh.nodes.size() != per_element * mesh.corners.size() ||
      mesh.attributes.size() != mesh.corners.size())
    throw InvalidArgument("a mesh whose lists do not fit together; see validate");
}

}  // namespace

template <int Dim>
std::vector<std::array<double, static_cast<std::size_t>(Dim)>> detail::middles(
    const Mesh<Dim>& mesh) {
  require_nodes(mesh);
  const auto nodes = static_cast<std::size_t>(mesh.nodes_of_element());
  std::vector<std::array<double, Dim>> result(mesh.corners.size());
  for (std::size_t e = 0; e < result.size(); ++e) {
    for (int c = 0; c < Mesh<Dim>::corner_count; ++c) {
      const int node = detail::place_of_corner(Dim, c, mesh.order);
      for (std::size_t k = 0; k < Dim; ++k)
        result[e][k] += mesh.nodes[Dim * (nodes * e + static_cast<std::size_t>(node)) + k] /
                        Mesh<Dim>::corner_count;
    }
  }
  return result;
}
template std::vector<std::array<double, 2>> detail::middles(const Mesh<2>&);
template std::vector<std::array<double, 3>> detail::middles(const Mesh<3>&);

template <int Dim>
std::vector<index_t> detail::hilbert_order(const Mesh<Dim>& mesh) {
  constexpr int bits = Dim == 2 ? 31 : 21;
  const auto places = middles(mesh);
  std::array<double, Dim> lower, upper;
  lower.fill(std::numeric_limits<double>::infinity());
  upper.fill(-std::numeric_limits<double>::infinity());
  for (const auto& place : places) {
    for (std::size_t k = 0; k < Dim; ++k) {
      lower[k] = std::min(lower[k], place[k]);
      upper[k] = std::max(upper[k], place[k]);
    }
  }
  double size = 0;  // of the bounding cube
  for (std::size_t k = 0; k < Dim; ++k) size = std::max(size, upper[k] - lower[k]);
  std::vector<std::uint64_t> along(places.size());
  for (std::size_t e = 0; e < places.size(); ++e) {
    std::array<std::uint32_t, Dim> x{};
    constexpr double most = (std::uint64_t{1} << bits) - 1;
    for (std::size_t k = 0; k < Dim; ++k)
      if (size > 0) x[k] = static_cast<std::uint32_t>((places[e][k] - lower[k]) / size * most);
    along[e] = hilbert_index<Dim>(x, bits);
  }
  std::vector<index_t> old(places.size());
  std::iota(old.begin(), old.end(), index_t{0});
  std::stable_sort(old.begin(), old.end(), [&](index_t a, index_t b) {
    return along[static_cast<std::size_t>(a)] < along[static_cast<std::size_t>(b)];
  });
  return old;
}
template std::vector<index_t> detail::hilbert_order(const Mesh<2>&);
template std::vector<index_t> detail::hilbert_order(const Mesh<3>&);

template <int Dim>
Mesh<Dim> in_hilbert_order(const Mesh<Dim>& mesh, std::vector<index_t>* order_of) {
  if (mesh.cut)
    throw InvalidArgument("in_hilbert_order: a part of a mesh; order the whole mesh, then cut it");
  std::vector<index_t> old = detail::hilbert_order(mesh);
  const auto per_element = static_cast<std::size_t>(mesh.nodes_of_element() * Dim);
  Mesh<Dim> result;
  result.order = mesh.order;
  result.element_names = mesh.element_names;
  result.boundary_names = mesh.boundary_names;
  std::vector<index_t> number(old.size());  // the new one
  for (std::size_t e = 0; e < old.size(); ++e) {
    const auto from = static_cast<std::size_t>(old[e]);
    number[from] = static_cast<index_t>(e);
    result.corners.push_back(mesh.corners[from]);
    result.attributes.push_back(mesh.attributes[from]);
    const double* const nodes = mesh.nodes.data() + per_element * from;
    result.nodes.insert(result.nodes.end(), nodes, nodes + per_element);
  }
  for (const BoundarySide& side : mesh.sides) {
    if (side.at.element < 0 || side.at.element >= mesh.element_count()) {
      throw InvalidArgument("in_hilbert_order: a boundary of element " +
                            std::to_string(side.at.element) + ", which there is not; see validate");
    }
    result.sides.push_back(
        {{number[static_cast<std::size_t>(side.at.element)], side.at.side}, side.attribute});
  }
  if (order_of != nullptr) *order_of = std::move(old);
  return result;
}
template Mesh<2> in_hilbert_order(const Mesh<2>&, std::vector<index_t>*);
template Mesh<3> in_hilbert_order(const Mesh<3>&, std::vector<index_t>*);

}  // namespace kolam::fem
