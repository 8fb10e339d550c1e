// SPDX-License-Identifier: Apache-2.0
// The boundary term (a u, v) of Robin conditions on sides of elements, by component.
#pragma once

#include <Kokkos_Core.hpp>
#include <kolam/core/forall.hpp>
#include <kolam/fem/detail/faces.hpp>
#include <kolam/linear/vector.hpp>
#include <vector>

namespace kolam::fem::detail {

// The nodes on sides, and the places of each node. The place of node i of a side is the number of
// the side times the nodes of a side, plus i.
struct NodesOfSides {
  std::vector<int> nodes;
  std::vector<int> begin;  // first index in `places` of each node; then the end
  std::vector<int> places;
};
// node_of: the node at each place.
NodesOfSides nodes_of_sides(const std::vector<int>& node_of);

// Returns the basis functions of a side at its points, [points, nodes], x fastest in both.
std::vector<double> values_of_sides(const ElementBasis& basis, int dimensions);

// Returns the sides of a multigrid level that contain these sides of the finest mesh, each once.
template <class T, int Dim, ExecutionSpace Exec>
std::vector<ElementSide> sides_on_level(const FunctionSpace<T, Dim, Exec>& space,
                                        std::vector<ElementSide> sides);
// Sorts the sides and removes duplicates.
void keep_once(std::vector<ElementSide>& sides);

// node_of = the node at each place.
template <class T, int Dim, class Exec>
struct NodeAtPlace {
  Faces<T, Dim, Exec> faces;
  Kokkos::View<int*, typename Exec::memory_space> node_of;
  KOKKOS_FUNCTION void operator()(index_t n) const {
    const int of_face = faces.field.count();
    node_of(n) =
        faces.nodes(faces.field.node(faces.sides(n / of_face), static_cast<int>(n % of_face)));
  }
};

// The data of all sides for kernels.
template <class Exec>
struct SidesOn {
  int points, nodes;                                                 // points and nodes of a side
  index_t count;                                                     // points of all sides
  Kokkos::View<const double*, typename Exec::memory_space> basis;    // [points, nodes]
  Kokkos::View<const double*, typename Exec::memory_space> weights;  // a w, [points, sides]
  Kokkos::View<const int*, typename Exec::memory_space> node_of;     // [nodes, sides]
};

// at_points = weighted a u at the points, [points, sides, components]. `place`: the entry of a node
// in u, or negative; if empty, u has an entry for every node.
template <class T, class Exec>
struct ValuesAtPoints {
  SidesOn<Exec> sides;
  Kokkos::View<const int*, typename Exec::memory_space> place;
  index_t entries;
  linear::ConstVector<T, Exec> u;
  linear::Vector<T, Exec> at_points;

  KOKKOS_FUNCTION void operator()(index_t n) const {
    const index_t component = n / sides.count;
    const index_t point = n % sides.count;
    const index_t first = point / sides.points * sides.nodes;
    const index_t q = point % sides.points;
    double sum = 0;
    for (int i = 0; i < sides.nodes; ++i) {
      const int node = sides.node_of(first + i);
      const int entry = place.extent(0) == 0 ? node : place(node);
      if (entry >= 0)
        sum +=
            static_cast<double>(u(entry + component * entries)) * sides.basis(q + sides.points * i);
    }
    at_points(n) = static_cast<T>(sum * sides.weights(point));
  }
};

// y += the contributions of all places of each node on the sides, or of the diagonal if `square`.
template <class T, class Exec>
struct AddToNodes {
  SidesOn<Exec> sides;
  Kokkos::View<const int*, typename Exec::memory_space> node, begin, places;
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
      const int i = places(p) % sides.nodes;
      const index_t first = static_cast<index_t>(places(p) / sides.nodes) * sides.points;
      for (int q = 0; q < sides.points; ++q) {
        const double b = sides.basis(q + sides.points * i);
        sum += b * (square ? b * sides.weights(first + q)
                           : static_cast<double>(at_points(component * sides.count + first + q)));
      }
    }
    y(dof + component * entries) += static_cast<T>(sum);
  }
};

/// The matrix M of the boundary term (a u, v). The constructor allocates memory for the values at
/// points; an application allocates nothing and sums in a fixed order.
template <class T, int Dim, ExecutionSpace Exec>
class BoundaryMass {
 public:
  /// Evaluates `a`, a functor on BoundaryPoint<T, Dim>, on the sides. Waits.
  template <class A>
  BoundaryMass(const FunctionSpace<T, Dim, Exec>& space, const std::vector<ElementSide>& sides,
               const A& a, int components)
      : exec_(space.exec),
        sides_{kolam::detail::power(space.basis.q1d(), Dim - 1),
               kolam::detail::power(space.basis.d1d(), Dim - 1),
               0,
               {},
               {},
               {}},
        components_(components),
        dof_of_node_(space.dof_of_node),
        nodes_(space.nodes.entries),
        dofs_(space.dofs.entries),
        at_points_(exec_, "values on sides",
                   static_cast<index_t>(sides.size()) * sides_.points * components) {
    sides_.count = static_cast<index_t>(sides.size()) * sides_.points;
    sides_.basis = kolam::detail::to_space<double>(exec_, "kolam::basis of sides",
                                                   values_of_sides(space.basis, Dim - 1));
    const Faces<T, Dim, Exec> faces = faces_of(space, sides);
    const auto weights =
        kolam::detail::allocate_view<Kokkos::View<double*, typename Exec::memory_space>>(
            exec_, "kolam::weights on sides", sides_.count);
    forall(exec_, "kolam::robin: weights", sides_.count,
           FluxAtPoints<T, Dim, Exec, A>{faces, a, weights});
    sides_.weights = weights;
    take_nodes(faces);
  }

  /// Adds M x to y; both are [unknowns, components].
  void apply_add(const linear::ConstVector<T, Exec>& x, const linear::Vector<T, Exec>& y) const {
    add(dof_of_node_, dofs_, x, y);
  }
  /// Adds M g to y for nodal values g, [nodes, components].
  void lift_add(const linear::ConstVector<T, Exec>& g, const linear::Vector<T, Exec>& y) const {
    add({}, nodes_, g, y);
  }
  /// Adds the diagonal of M to d.
  void add_diagonal(const linear::Vector<T, Exec>& d) const { add_to_nodes(d, true); }

  ///@{
  /// Return the matrices of the sides: the unknowns of their nodes (negative: none), and the
  /// integrals of pairs of basis functions, [nodes, nodes, sides]. For set-up. Waits.
  int nodes_of_side() const { return sides_.nodes; }
  std::vector<int> dofs_of_sides() const;
  std::vector<double> matrices_of_sides() const;
  ///@}

 private:
  void take_nodes(const Faces<T, Dim, Exec>& faces);
  void add(const Kokkos::View<const int*, typename Exec::memory_space>& place, index_t entries,
           const linear::ConstVector<T, Exec>& x, const linear::Vector<T, Exec>& y) const;
  void add_to_nodes(const linear::Vector<T, Exec>& y, bool square) const;

  Exec exec_;
  SidesOn<Exec> sides_;
  int components_;
  Kokkos::View<const int*, typename Exec::memory_space> dof_of_node_;
  index_t nodes_, dofs_;
  linear::detail::WorkVector<T, Exec> at_points_;
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
void BoundaryMass<T, Dim, Exec>::take_nodes(const Faces<T, Dim, Exec>& faces) {
  const index_t places = sides_.count / sides_.points * sides_.nodes;
  const auto node_of =
      kolam::detail::allocate_view<Kokkos::View<int*, typename Exec::memory_space>>(
          exec_, "kolam::nodes of sides", places);
  forall(exec_, "kolam::robin: nodes", places, NodeAtPlace<T, Dim, Exec>{faces, node_of});
  exec_.fence("kolam::robin");
  sides_.node_of = node_of;
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
  forall(exec_, "kolam::robin: at points", sides_.count * components_,
         ValuesAtPoints<T, Exec>{sides_, place, entries, x, at_points_});
  add_to_nodes(y, false);
}

template <class T, int Dim, ExecutionSpace Exec>
void BoundaryMass<T, Dim, Exec>::add_to_nodes(const linear::Vector<T, Exec>& y, bool square) const {
  forall(exec_, "kolam::robin: at nodes", static_cast<index_t>(node_.extent(0)) * components_,
         AddToNodes<T, Exec>{sides_, node_, begin_, places_, square, at_points_, dof_of_node_,
                             dofs_, y});
}

template <class T, int Dim, ExecutionSpace Exec>
std::vector<int> BoundaryMass<T, Dim, Exec>::dofs_of_sides() const {
  const auto node_of = kolam::detail::readable_on_host(sides_.node_of);
  const auto dof = kolam::detail::readable_on_host(dof_of_node_);
  std::vector<int> result(node_of.extent(0));
  for (std::size_t p = 0; p < result.size(); ++p)
    result[p] = dof(static_cast<std::size_t>(node_of(p)));
  return result;
}

template <class T, int Dim, ExecutionSpace Exec>
std::vector<double> BoundaryMass<T, Dim, Exec>::matrices_of_sides() const {
  const auto weights = kolam::detail::readable_on_host(sides_.weights);
  const auto basis = kolam::detail::readable_on_host(sides_.basis);
  const auto polynomial = [&](int i, int q) {
    return basis(static_cast<std::size_t>(q + sides_.points * i));
  };
  std::vector<double> result;
  for (index_t side = 0; side < sides_.count / sides_.points; ++side) {
    for (int j = 0; j < sides_.nodes; ++j) {
      for (int i = 0; i < sides_.nodes; ++i) {
        double sum = 0;
        for (int q = 0; q < sides_.points; ++q)
          sum += polynomial(i, q) * polynomial(j, q) *
                 weights(static_cast<std::size_t>(side * sides_.points + q));
        result.push_back(sum);
      }
    }
  }
  return result;
}

}  // namespace kolam::fem::detail
