// SPDX-License-Identifier: Apache-2.0
// (a u, v) on sides of elements, of each component for itself: what a Robin condition adds to an operator.
#pragma once

#include <Kokkos_Core.hpp>
#include <kolam/core/forall.hpp>
#include <kolam/fem/detail/faces.hpp>
#include <kolam/linear/vector.hpp>
#include <vector>

namespace kolam::fem::detail {

// The nodes that have places in sides: a side times the nodes of one, plus the node's place there.
struct NodesOfSides {
  std::vector<int> nodes;
  std::vector<int> begin;  // of each node, in `places`; then the end
  std::vector<int> places;
};
// node_of: of each place.
NodesOfSides nodes_of_sides(const std::vector<int>& node_of);

// Sides of the finest mesh as sides of a level of multigrid: those that they are part of, each
// once.
template <class T, int Dim, ExecutionSpace Exec>
std::vector<ElementSide> sides_on_level(const FunctionSpace<T, Dim, Exec>& space,
                                        std::vector<ElementSide> sides);
// Ascending, each once.
void keep_once(std::vector<ElementSide>& sides);

// node_of = the node at each place.
template <class T, int Dim, class Exec>
struct NodeAtPlace {
  Faces<T, Dim, Exec> faces;
  int nodes;
  Kokkos::View<int*, typename Exec::memory_space> node_of;
  KOKKOS_FUNCTION void operator()(index_t n) const {
    const ElementSide at = faces.sides(n / nodes);
    node_of(n) = faces.nodes(
        faces.layout.node(at.element, faces.node(at.side, static_cast<int>(n % nodes))));
  }
};

// at_points = a u there, [points, sides, components]. `place`: of a node in u, less than 0 where it
// has none; without it, nodes.
template <class T, int Dim, class Exec>
struct ValuesAtPoints {
  Faces<T, Dim, Exec> faces;
  int points, nodes;
  index_t count;  // points of all sides
  Kokkos::View<const double*, typename Exec::memory_space> weights;
  Kokkos::View<const int*, typename Exec::memory_space> place;
  index_t entries;
  linear::ConstVector<T, Exec> u;
  linear::Vector<T, Exec> at_points;

  KOKKOS_FUNCTION void operator()(index_t n) const {
    const index_t component = n / count;
    const index_t face = n % count / points;
    const auto q = static_cast<int>(n % points);
    const ElementSide at = faces.sides(face);
    double sum = 0;
    for (int i = 0; i < nodes; ++i) {
      const int node = faces.nodes(faces.layout.node(at.element, faces.node(at.side, i)));
      const int entry = place.extent(0) == 0 ? node : place(node);
      if (entry >= 0)
        sum += static_cast<double>(u(entry + component * entries)) * faces.polynomial(i, q, 0);
    }
    at_points(n) = static_cast<T>(sum * weights(n % count));
  }
};

// y of each node of the sides += what its places get; `square`: of the diagonal instead.
template <class T, int Dim, class Exec>
struct AddToNodes {
  Faces<T, Dim, Exec> faces;
  int points, nodes;
  index_t count;
  Kokkos::View<const int*, typename Exec::memory_space> node, begin, places;
  Kokkos::View<const double*, typename Exec::memory_space> weights;
  bool square;
  linear::ConstVector<T, Exec> at_points;
  Kokkos::View<const int*, typename Exec::memory_space> dof_of_node;
  index_t entries;
  linear::Vector<T, Exec> y;

  KOKKOS_FUNCTION void operator()(index_t n) const {
    const auto size = static_cast<index_t>(node.extent(0));
    const index_t component = n / size;
    const int dof = dof_of_node(node(n % size));
    if (dof < 0) return;
    double sum = 0;
    for (int p = begin(n % size); p < begin(n % size + 1); ++p) {
      const int i = places(p) % nodes;
      const index_t first = static_cast<index_t>(places(p) / nodes) * points;
      for (int q = 0; q < points; ++q) {
        const double b = faces.polynomial(i, q, 0);
        sum += b * (square ? b * weights(first + q)
                           : static_cast<double>(at_points(component * count + first + q)));
      }
    }
    y(dof + component * entries) += static_cast<T>(sum);
  }
};

/// Made once, with memory for the values at points; applying it allocates nothing, and sums in one
/// order.
template <class T, int Dim, ExecutionSpace Exec>
class BoundaryMass {
 public:
  /// a: a functor on BoundaryPoint<T, Dim>. Waits.
  template <class A>
  BoundaryMass(const FunctionSpace<T, Dim, Exec>& space, const std::vector<ElementSide>& sides,
               const A& a, int components)
      : exec_(space.exec),
        faces_(faces_of(space, sides)),
        points_(kolam::detail::power(faces_.q1d, Dim - 1)),
        nodes_(kolam::detail::power(faces_.layout.d1d, Dim - 1)),
        count_(static_cast<index_t>(sides.size()) * points_),
        components_(components),
        dof_of_node_(space.dof_of_node),
        dofs_(space.dofs.entries),
        at_points_(exec_, "values on sides", count_ * components) {
    const auto weights =
        kolam::detail::allocate_view<Kokkos::View<double*, typename Exec::memory_space>>(
            exec_, "kolam::weights on sides", count_);
    forall(exec_, "kolam::robin: weights", count_,
           FluxAtPoints<T, Dim, Exec, A>{faces_, points_, a, weights});
    weights_ = weights;
    take_nodes();
  }

  /// y += M x on unknowns, [unknowns, components] both.
  void apply_add(const linear::ConstVector<T, Exec>& x, const linear::Vector<T, Exec>& y) const {
    add(dof_of_node_, dofs_, x, y);
  }
  /// y += M g, g: [nodes, components].
  void lift_add(const linear::ConstVector<T, Exec>& g, const linear::Vector<T, Exec>& y) const {
    add({}, faces_.node_count, g, y);
  }
  /// d += the diagonal.
  void add_diagonal(const linear::Vector<T, Exec>& d) const { add_to_nodes(d, true); }

  ///@{
  /// The matrix of a side: its nodes' unknowns (less than 0: none), and the integrals of two of
  /// their polynomials, [nodes, nodes, sides]. Set-up. Waits.
  int nodes_of_side() const { return nodes_; }
  std::vector<int> dofs_of_sides() const;
  std::vector<double> matrices_of_sides() const;
  ///@}

 private:
  void take_nodes();
  void add(const Kokkos::View<const int*, typename Exec::memory_space>& place, index_t entries,
           const linear::ConstVector<T, Exec>& x, const linear::Vector<T, Exec>& y) const;
  void add_to_nodes(const linear::Vector<T, Exec>& y, bool square) const;

  Exec exec_;
  Faces<T, Dim, Exec> faces_;
  int points_, nodes_;
  index_t count_;
  int components_;
  Kokkos::View<const int*, typename Exec::memory_space> dof_of_node_;
  index_t dofs_;
  linear::detail::WorkVector<T, Exec> at_points_;
  Kokkos::View<const double*, typename Exec::memory_space> weights_;
  Kokkos::View<const int*, typename Exec::memory_space> node_, begin_, places_;
};

template <class T, int Dim, ExecutionSpace Exec>
std::vector<ElementSide> sides_on_level(const FunctionSpace<T, Dim, Exec>& space,
                                        std::vector<ElementSide> sides) {
  for (ElementSide& side : sides) side.element = space.element_of_finest(side.element);
  keep_once(sides);
  require_sides("robin", sides, space.elements(), Dim);
  return sides;
}

template <class T, int Dim, ExecutionSpace Exec>
void BoundaryMass<T, Dim, Exec>::take_nodes() {
  const index_t places = count_ / points_ * nodes_;
  const auto node_of =
      kolam::detail::allocate_view<Kokkos::View<int*, typename Exec::memory_space>>(
          exec_, "kolam::nodes of sides", places);
  forall(exec_, "kolam::robin: nodes", places, NodeAtPlace<T, Dim, Exec>{faces_, nodes_, node_of});
  exec_.fence("kolam::robin");
  const auto there = kolam::detail::readable_on_host(node_of);
  const NodesOfSides of =
      nodes_of_sides(std::vector<int>(there.data(), there.data() + there.extent(0)));
  node_ = kolam::detail::to_space<int>(exec_, "kolam::nodes of sides", of.nodes);
  begin_ = kolam::detail::to_space<int>(exec_, "kolam::nodes of sides", of.begin);
  places_ = kolam::detail::to_space<int>(exec_, "kolam::nodes of sides", of.places);
}

template <class T, int Dim, ExecutionSpace Exec>
void BoundaryMass<T, Dim, Exec>::add(
    const Kokkos::View<const int*, typename Exec::memory_space>& place, index_t entries,
    const linear::ConstVector<T, Exec>& x, const linear::Vector<T, Exec>& y) const {
  forall(exec_, "kolam::robin: at points", count_ * components_,
         ValuesAtPoints<T, Dim, Exec>{faces_, points_, nodes_, count_, weights_, place, entries, x,
                                      at_points_});
  add_to_nodes(y, false);
}

template <class T, int Dim, ExecutionSpace Exec>
void BoundaryMass<T, Dim, Exec>::add_to_nodes(const linear::Vector<T, Exec>& y, bool square) const {
  forall(exec_, "kolam::robin: at nodes", static_cast<index_t>(node_.extent(0)) * components_,
         AddToNodes<T, Dim, Exec>{faces_, points_, nodes_, count_, node_, begin_, places_, weights_,
                                  square, at_points_, dof_of_node_, dofs_, y});
}

template <class T, int Dim, ExecutionSpace Exec>
std::vector<int> BoundaryMass<T, Dim, Exec>::dofs_of_sides() const {
  const auto node = kolam::detail::readable_on_host(node_);
  const auto begin = kolam::detail::readable_on_host(begin_);
  const auto places = kolam::detail::readable_on_host(places_);
  const auto dof = kolam::detail::readable_on_host(dof_of_node_);
  std::vector<int> result(places.extent(0));
  for (std::size_t n = 0; n < node.extent(0); ++n)
    for (int p = begin(n); p < begin(n + 1); ++p)
      result[static_cast<std::size_t>(places(static_cast<std::size_t>(p)))] =
          dof(static_cast<std::size_t>(node(n)));
  return result;
}

template <class T, int Dim, ExecutionSpace Exec>
std::vector<double> BoundaryMass<T, Dim, Exec>::matrices_of_sides() const {
  const auto weights = kolam::detail::readable_on_host(weights_);
  const auto values = kolam::detail::readable_on_host(faces_.values);
  const auto polynomial = [&](int i, int q) {
    double product = 1;
    for (int a = 1; a < Dim; ++a, i /= faces_.layout.d1d, q /= faces_.q1d)
      product *=
          values(static_cast<std::size_t>(q % faces_.q1d + faces_.q1d * (i % faces_.layout.d1d)));
    return product;
  };
  std::vector<double> result;
  for (index_t side = 0; side < count_ / points_; ++side) {
    for (int j = 0; j < nodes_; ++j) {
      for (int i = 0; i < nodes_; ++i) {
        double sum = 0;
        for (int q = 0; q < points_; ++q)
          sum += polynomial(i, q) * polynomial(j, q) *
                 weights(static_cast<std::size_t>(side * points_ + q));
        result.push_back(sum);
      }
    }
  }
  return result;
}

}  // namespace kolam::fem::detail
