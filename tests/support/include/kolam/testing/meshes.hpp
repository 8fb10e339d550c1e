// SPDX-License-Identifier: Apache-2.0
// Meshes whose elements are turned in every possible way.
#pragma once

#include <array>
#include <cmath>
#include <kolam/fem/mesh.hpp>
#include <kolam/fem/mesh_generators.hpp>
#include <numeric>
#include <random>
#include <vector>

namespace kolam::testing {

/// A rotation or reflection of an element: its direction k is the old direction `along[k]`,
/// reversed if bit k of `flipped` is set.
template <int Dim>
struct Turn {
  std::array<int, static_cast<std::size_t>(Dim)> along;
  int flipped;

  /// Returns the old index of node i of an element (of corner i for d1d = 2).
  int place(int i, int d1d) const {
    std::array<int, static_cast<std::size_t>(Dim)> old{};
    for (std::size_t k = 0; k < Dim; ++k, i /= d1d) {
      const int at = i % d1d;
      old[static_cast<std::size_t>(along[k])] = (flipped >> k & 1) != 0 ? d1d - 1 - at : at;
    }
    int result = 0;
    for (int k = Dim - 1; k >= 0; --k) result = result * d1d + old[static_cast<std::size_t>(k)];
    return result;
  }
  /// Returns the new number of a side.
  int side(int old) const {
    for (int k = 0; k < Dim; ++k)
      if (along[static_cast<std::size_t>(k)] == old / 2)
        return 2 * k + ((old % 2) ^ (flipped >> k & 1));
    return -1;
  }
  bool mirrors() const {
    int swaps = 0;
    for (std::size_t i = 0; i < Dim; ++i)
      for (std::size_t j = i + 1; j < Dim; ++j) swaps += along[i] > along[j] ? 1 : 0;
    return (swaps + __builtin_popcount(static_cast<unsigned>(flipped))) % 2 == 1;
  }
};

/// Returns all 8 turns of a quadrilateral, or all 48 of a hexahedron.
template <int Dim>
std::vector<Turn<Dim>> all_turns() {
  std::vector<Turn<Dim>> result;
  Turn<Dim> turn{};
  std::iota(turn.along.begin(), turn.along.end(), 0);
  do {
    for (turn.flipped = 0; turn.flipped < 1 << Dim; ++turn.flipped) result.push_back(turn);
  } while (std::next_permutation(turn.along.begin(), turn.along.end()));
  return result;
}

/// Turns an element; the geometry of the mesh stays the same.
template <int Dim>
void turn_element(fem::Mesh<Dim>& mesh, index_t element, const Turn<Dim>& turn) {
  const auto e = static_cast<std::size_t>(element);
  const auto corners = mesh.corners[e];
  for (int c = 0; c < 1 << Dim; ++c)
    mesh.corners[e][static_cast<std::size_t>(c)] =
        corners[static_cast<std::size_t>(turn.place(c, 2))];
  const auto count = static_cast<std::size_t>(mesh.nodes_of_element());
  double* const nodes = mesh.nodes.data() + Dim * count * e;
  const std::vector<double> before(nodes, nodes + Dim * count);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t k = 0; k < Dim; ++k)
      nodes[Dim * i + k] =
          before[Dim * static_cast<std::size_t>(turn.place(static_cast<int>(i), mesh.order + 1)) +
                 k];
  for (fem::BoundarySide& side : mesh.sides)
    if (side.at.element == element) side.at.side = turn.side(side.at.side);
}

/// Returns the same mesh with each element turned at random (not mirrored), its elements shuffled
/// and its vertices renumbered.
template <int Dim>
fem::Mesh<Dim> shuffled(const fem::Mesh<Dim>& mesh, unsigned seed) {
  std::mt19937 random(seed);
  fem::Mesh<Dim> turned = mesh;
  const auto turns = all_turns<Dim>();
  for (index_t e = 0; e < mesh.element_count(); ++e) {
    Turn<Dim> turn{};
    do turn = turns[random() % turns.size()];
    while (turn.mirrors());
    turn_element(turned, e, turn);
  }
  std::vector<std::size_t> order(mesh.corners.size()), place(mesh.corners.size());
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random);
  std::vector<index_t> vertices(static_cast<std::size_t>(mesh.vertex_count()));
  std::iota(vertices.begin(), vertices.end(), 0);
  std::shuffle(vertices.begin(), vertices.end(), random);
  fem::Mesh<Dim> result = turned;
  result.nodes.clear();
  const std::size_t count = Dim * static_cast<std::size_t>(mesh.nodes_of_element());
  for (std::size_t e = 0; e < order.size(); ++e) {
    place[order[e]] = e;
    result.corners[e] = turned.corners[order[e]];
    for (index_t& vertex : result.corners[e]) vertex = vertices[static_cast<std::size_t>(vertex)];
    result.attributes[e] = turned.attributes[order[e]];
    const auto* nodes = turned.nodes.data() + count * order[e];
    result.nodes.insert(result.nodes.end(), nodes, nodes + count);
  }
  for (fem::BoundarySide& side : result.sides)
    side.at.element = static_cast<index_t>(place[static_cast<std::size_t>(side.at.element)]);
  return result;
}

/// A map that leaves no right angles, but keeps elements of order 1 bilinear.
struct Twist {
  template <int Dim>
  void operator()(double (&x)[Dim]) const {
    const double a = x[0], b = x[1];
    x[0] = a + 0.1 * b + 0.05 * a * b;
    x[1] = b - 0.07 * a;
    if constexpr (Dim == 3) x[2] += 0.08 * a * b;
  }
};

}  // namespace kolam::testing
