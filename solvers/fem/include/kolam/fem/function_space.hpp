// SPDX-License-Identifier: Apache-2.0
// Continuous functions that are polynomials on each element of a mesh (H1), and their unknowns.
//
//   const auto space =
//       kolam::fem::box_space<double>(exec, mesh, kolam::gauss_element(3, 5),
//                                     kolam::fem::Unmapped{}, kolam::fem::all_sides(3));
#pragma once

#include <Kokkos_Core.hpp>
#include <functional>
#include <kolam/comm/shared_dofs.hpp>
#include <kolam/core/detail/allocate.hpp>
#include <kolam/core/detail/instantiate.hpp>
#include <kolam/core/detail/to_space.hpp>
#include <kolam/fem/box_mesh.hpp>
#include <kolam/fem/component_constraints.hpp>
#include <kolam/kernels/element/mapped_points.hpp>
#include <kolam/linear/vector.hpp>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace kolam::fem {

template <class T, int Dim, ExecutionSpace Exec>
struct CoarserSpaces;

/// Where elements are: polynomials on each, in every direction of space. Copies share the memory.
template <class T, ExecutionSpace Exec>
struct ElementPositions {
  ElementBasis basis;                           ///< of each, at the points of the space
  ElementRestriction<T, Exec> nodes;            ///< of each element
  std::shared_ptr<const Array<T>> coordinates;  ///< [nodes.entries, Dim], nodes fastest
};

/// Nodes are those of the mesh, unknowns the nodes without a Dirichlet condition, in the nodes'
/// order. Copies share the memory.
///
/// A mesh may be cut, by its elements, among processes: each has the space of its own elements, and
/// what several have of a vector is the same in each of them. Unknowns that another process owns
/// come last.
template <class T, int Dim, ExecutionSpace Exec>
struct FunctionSpace {
  using memory_space = typename Exec::memory_space;  ///< of all its Views

  Exec exec;                          ///< what it was made on, and works on
  ElementBasis basis;                 ///< of every element
  ElementRestriction<T, Exec> nodes;  ///< of each element; nodes.entries is their number
  ElementRestriction<T, Exec> dofs;   ///< of each element, in the same way
  Kokkos::View<const int*, memory_space> dof_of_node;      ///< less than 0 for Dirichlet nodes
  std::shared_ptr<const Array<T>> coordinates;             ///< [nodes.entries, Dim], nodes fastest
  std::shared_ptr<const comm::SharedDofs<Exec>> shared{};  ///< none in one process alone
  std::shared_ptr<const CoarserSpaces<T, Dim, Exec>> coarser{};  ///< for multigrid, or none
  int coarsened = 0;  ///< of a level of multigrid: how often its mesh was refined for the finest
  std::shared_ptr<const ComponentConstraints<Exec>> constraints{};  ///< of vector fields, or none
  std::function<index_t(index_t)> parent{};  ///< of a level on a box: see element_of_finest
  /// Where the elements are, if that is no polynomial on the nodes of the space, or none.
  std::shared_ptr<const ElementPositions<T, Exec>> own_positions{};

  /// Where the elements are: as the nodes say, if they have no positions of their own.
  ElementPositions<T, Exec> positions() const {
    return own_positions ? *own_positions : ElementPositions<T, Exec>{basis, nodes, coordinates};
  }

  /// Elements of this process.
  index_t elements() const { return nodes.elements; }

  /// On a level of multigrid: the element that an element of the finest mesh is part of.
  index_t element_of_finest(index_t element) const {
    return parent ? parent(element) : element >> (Dim * coarsened);
  }

  /// An array of zeros, one for every unknown of `components` fields, on the device of `exec`.
  /// Throws OutOfMemory.
  Array<T> vector(const std::string& label, int components = 1) const {
    return linear::zeros<T>(exec, label, dofs.entries * components);
  }

  /// The rows of an operator on `components` fields.
  comm::RowDistribution rows(int components = 1) const {
    return {dofs.entries, shared ? shared->owned() : dofs.entries, components,
            shared ? shared->communicator() : Communicator{}};
  }

  ///@{
  /// Around what adds the elements of this process to y, [dofs.entries, components]: afterwards y has
  /// what all processes gave, and zero in rows of known components. All call both; with several the
  /// second waits. `meanwhile` is called while messages are under way, and may add to entries that no
  /// other process has. Throws InvalidArgument for other numbers of components than those constraints
  /// are for.
  void begin_sum(const linear::Vector<T, Exec>& y, int components) const {
    if (shared) shared->keep_owned(y, components);
  }
  void end_sum(const linear::Vector<T, Exec>& y, int components) const {
    end_sum(y, components, [] {});
  }
  template <class F>
  void end_sum(const linear::Vector<T, Exec>& y, int components, const F& meanwhile) const {
    if (shared)
      shared->add(y, components, meanwhile);
    else
      meanwhile();
    if (constraints) constraints->template zero<T>(exec, y, components);
  }
  ///@}

  /// Of what the elements of each process gave. All call it.
  double sum(double value) const { return shared ? shared->communicator().sum(value) : value; }
};

/// The next coarser space, and how a finer one lies in it.
template <class T, int Dim, ExecutionSpace Exec>
struct CoarserSpace {
  FunctionSpace<T, Dim, Exec> space;  ///< it
  std::vector<double> points;  ///< where nodes of the finer space lie along a direction of its
                               ///< elements, on [0, 1]
  /// The unknown of the finer space at each of these points, or less than 0: [points^Dim, elements],
  /// x fastest.
  Kokkos::View<const int*, typename Exec::memory_space> dofs;
};

/// How coarser spaces than one are made.
template <class T, int Dim, ExecutionSpace Exec>
struct CoarserSpaces {
  /// The next one, or none. `fine`: the space that has this. Waits; all processes of the space call
  /// it.
  std::function<std::optional<CoarserSpace<T, Dim, Exec>>(const FunctionSpace<T, Dim, Exec>& fine)>
      next;
};

namespace detail {

// Unknowns that are not worth another mesh of half as many elements in each direction.
constexpr index_t few_unknowns = 100;
template <class T, int Dim, ExecutionSpace Exec>
bool has_few_unknowns(const FunctionSpace<T, Dim, Exec>& space) {
  const comm::RowDistribution rows = space.rows();
  return rows.communicator.sum(rows.owned) <= few_unknowns;
}

// dofs(i + each e) = dof(e, i).
template <class DofOf, class Exec>
struct FillDofs {
  DofOf dof;
  index_t each;
  Kokkos::View<int*, typename Exec::memory_space> dofs;
  KOKKOS_FUNCTION void operator()(index_t n) const {
    dofs(n) = static_cast<int>(dof(n / each, static_cast<int>(n % each)));
  }
};
// dof(e, i): the fine unknown at point i of coarse element e.
template <class T, int Dim, ExecutionSpace Exec, class DofOf>
CoarserSpace<T, Dim, Exec> coarser_space(const FunctionSpace<T, Dim, Exec>& space,
                                         const std::vector<double>& points, const DofOf& dof) {
  const index_t each = kolam::detail::power(static_cast<int>(points.size()), Dim);
  const auto dofs = kolam::detail::allocate_view<Kokkos::View<int*, typename Exec::memory_space>>(
      space.exec, "kolam::unknowns of points", space.elements() * each);
  forall(space.exec, "kolam::coarser_space", space.elements() * each,
         FillDofs<DofOf, Exec>{dof, each, dofs});
  space.exec.fence("kolam::coarser_space");
  return {space, points, dofs};
}

// A space of lower order on the same elements.
template <class T, class Exec>
struct DofOfElement {
  kolam::detail::ElementLayout<T, Exec> layout;
  Kokkos::View<const int*, typename Exec::memory_space> map;
  KOKKOS_FUNCTION index_t operator()(index_t e, int i) const { return map(layout.node(e, i)); }
};
template <class T, int Dim, ExecutionSpace Exec>
CoarserSpace<T, Dim, Exec> of_lower_order(const FunctionSpace<T, Dim, Exec>& coarse,
                                          const FunctionSpace<T, Dim, Exec>& fine) {
  return coarser_space(coarse, fine.basis.nodes,
                       DofOfElement<T, Exec>{fine.dofs.layout, fine.dofs.map});
}

// 1 for nodes that another process owns, those shared with a lower rank; empty in one process.
template <class Exec>
Kokkos::View<const int*, typename Exec::memory_space> owned_elsewhere(
    const Exec& exec, const comm::SharedNodes& nodes, index_t node_count) {
  if (nodes.communicator.size() == 1) return {};
  std::vector<int> elsewhere(static_cast<std::size_t>(node_count), 0);
  for (const comm::NodesSharedWith& other : nodes.shared) {
    if (other.rank > nodes.communicator.rank()) continue;
    for (const index_t node : other.nodes)
      if (node >= 0 && node < node_count) elsewhere[static_cast<std::size_t>(node)] = 1;
  }
  return kolam::detail::to_space<int>(exec, "kolam::owned elsewhere", elsewhere);
}

// Elements of a part of a mesh that add to shared unknowns come before the others, on hosts.
template <class T, class Exec>
void put_shared_first(ElementRestriction<T, Exec>& dofs, const comm::SharedNodes& nodes,
                      const Kokkos::View<int*, typename Exec::memory_space>& dof_of_node) {
  if constexpr (!has_block_threads<Exec>) {
    std::vector<char> shared(static_cast<std::size_t>(dofs.entries), 0);
    for (const comm::NodesSharedWith& other : nodes.shared) {
      for (const index_t node : other.nodes)
        if (const int dof = dof_of_node(node); dof >= 0) shared[static_cast<std::size_t>(dof)] = 1;
    }
    const index_t groups = dofs.layout.groups(dofs.elements);
    if (groups > 0) {
      kolam::detail::put_shared_first(dofs.colours, dofs.map.data(), groups,
                                      dofs.layout.size(dofs.elements) / groups, shared);
    }
  }
}

// marked(node + 1) = 1 for nodes that have an unknown of `owner` (0: this process, 1: another).
template <class IsFixed, class Exec>
struct MarkDofs {
  IsFixed is_fixed;
  Kokkos::View<const int*, typename Exec::memory_space> elsewhere;  // empty in one process
  int owner;
  Kokkos::View<int*, typename Exec::memory_space> marked;
  KOKKOS_FUNCTION void operator()(index_t node) const {
    const bool here = elsewhere.extent(0) == 0 || elsewhere(node) == owner;
    marked(node + 1) = !is_fixed(node) && here ? 1 : 0;
  }
};

// dof = `first` and the numbers after it at the nodes that are marked, in their order. Returns
// how many there are. Waits; `marked` is used up.
template <ExecutionSpace Exec>
int number_marked(const Exec& exec, const Kokkos::View<int*, typename Exec::memory_space>& marked,
                  int first, const Kokkos::View<int*, typename Exec::memory_space>& dof);

template <class NodeOf, class Exec>
struct DofOf {
  NodeOf node_of;
  Kokkos::View<const int*, typename Exec::memory_space> dof;
  KOKKOS_FUNCTION index_t operator()(index_t e, int i) const { return dof(node_of(e, i)); }
};

}  // namespace detail

/// The space of any mesh. node_of(e, i): the node (0 to node_count - 1) of node i of element e, x
/// fastest; is_fixed(node): whether it has a Dirichlet condition; both callable on exec.
/// coordinates: [node_count, Dim], nodes fastest; of a View: share(view). `processes`: what other processes have of the
/// nodes of this one; all of them call it, and agree about which nodes are fixed. `positions`: where the elements are,
/// if polynomials on these nodes do not say it.
///
/// Throws InvalidArgument for nodes that do not exist and for elements that are inverted or flat,
/// naming the first, OutOfMemory, and as SharedDofs does. Waits.
template <class T, int Dim, ExecutionSpace Exec, class NodeOf, class IsFixed>
FunctionSpace<T, Dim, Exec> function_space(
    const Exec& exec, const ElementBasis& basis, index_t elements, index_t node_count,
    const NodeOf& node_of, const IsFixed& is_fixed, Array<T> coordinates,
    Scatter scatter = Scatter::fastest, const comm::SharedNodes& processes = {},
    std::shared_ptr<const ElementPositions<T, Exec>> positions = {}) {
  using Space = typename Exec::memory_space;
  std::optional<ElementRestriction<T, Exec>> nodes;
  comm::throw_together(processes.communicator, [&] {
    nodes = element_restriction<T>(exec, Dim, basis.d1d(), elements, node_count, node_of, scatter);
    if (positions)
      require_positive_jacobian<Dim>(exec, positions->basis, positions->nodes,
                                     positions->coordinates->read(exec));
    else
      require_positive_jacobian<Dim>(exec, basis, *nodes, coordinates.read(exec));
  });
  const bool alone = processes.communicator.size() == 1;
  const auto dof = kolam::detail::allocate_view<Kokkos::View<int*, Space>>(
      exec, "kolam::dof_of_node", node_count);
  Kokkos::deep_copy(kokkos_instance(exec), dof, -1);
  // First those that this process owns, then the others.
  const auto elsewhere = detail::owned_elsewhere(exec, processes, node_count);
  int dofs = 0;
  int owned = 0;
  for (int owner = 0; owner < (alone ? 1 : 2); ++owner) {
    const auto marked = kolam::detail::allocate_zeros<Kokkos::View<int*, Space>>(
        exec, "kolam::unknowns before", node_count + 1);
    forall(exec, "kolam::function_space", node_count,
           detail::MarkDofs<IsFixed, Exec>{is_fixed, elsewhere, owner, marked});
    const int count = detail::number_marked<Exec>(exec, marked, dofs, dof);
    dofs += count;
    if (owner == 0) owned = count;
  }
  auto dofs_of_elements = element_restriction<T>(
      exec, Dim, basis.d1d(), elements, dofs, detail::DofOf<NodeOf, Exec>{node_of, dof}, scatter);
  std::shared_ptr<const comm::SharedDofs<Exec>> shared;
  if (!alone) {
    shared = std::make_shared<const comm::SharedDofs<Exec>>(exec, processes, dof, owned, dofs);
    detail::put_shared_first<T, Exec>(dofs_of_elements, processes, dof);
  }
  return {exec,
          basis,
          *nodes,
          std::move(dofs_of_elements),
          dof,
          std::make_shared<const Array<T>>(std::move(coordinates)),
          std::move(shared),
          {},
          0,
          {},
          {},
          std::move(positions)};
}

/// A map of the box that leaves it as it is. Others are functors that move x in place, on exec.
struct Unmapped {
  /// Does nothing.
  template <int Dim>
  KOKKOS_FUNCTION void operator()(double (&)[Dim]) const {}
};

namespace detail {

template <int Dim>
struct NodeOfBox {
  BoxNodes<Dim> box_nodes;
  KOKKOS_FUNCTION index_t operator()(index_t e, int i) const { return box_nodes.node(e, i); }
};
template <int Dim>
struct FixedOnBox {
  BoxNodes<Dim> box_nodes;
  std::uint32_t sides;
  KOKKOS_FUNCTION bool operator()(index_t node) const {
    return (box_nodes.attributes(node) & sides) != 0;
  }
};
// coordinates = where `map` puts the nodes.
template <class T, int Dim, class Exec, class Map>
struct PlaceNodes {
  BoxNodes<Dim> box_nodes;
  Kokkos::View<const double*, typename Exec::memory_space> on_reference;
  Map map;
  index_t nodes;
  Kokkos::View<T*, typename Exec::memory_space> coordinates;
  KOKKOS_FUNCTION void operator()(index_t node) const {
    double x[Dim];
    box_nodes.position(on_reference, node, x);
    map(x);
    for (int k = 0; k < Dim; ++k) coordinates(node + k * nodes) = static_cast<T>(x[k]);
  }
};

}  // namespace detail

// The spaces of boxes, compiled in the library: only how their nodes are moved is not.
#define KOLAM_SPACE_OF_BOX(KOLAM_EXTERN, DIM, T, EXEC)                                   \
  KOLAM_EXTERN template FunctionSpace<T, DIM, EXEC> function_space<T, DIM, EXEC>(        \
      const EXEC&, const ElementBasis&, index_t, index_t, const detail::NodeOfBox<DIM>&, \
      const detail::FixedOnBox<DIM>&, Array<T>, Scatter, const comm::SharedNodes&,       \
      std::shared_ptr<const ElementPositions<T, EXEC>>);
#define KOLAM_EXTERN_SPACES_OF_BOXES(EXEC)    \
  KOLAM_SPACE_OF_BOX(extern, 2, float, EXEC)  \
  KOLAM_SPACE_OF_BOX(extern, 2, double, EXEC) \
  KOLAM_SPACE_OF_BOX(extern, 3, float, EXEC)  \
  KOLAM_SPACE_OF_BOX(extern, 3, double, EXEC)
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_EXTERN_SPACES_OF_BOXES)
#undef KOLAM_EXTERN_SPACES_OF_BOXES

namespace detail {

// The unknowns of a space at the nodes of a box.
template <int Dim, class Exec>
struct DofOfBoxNode {
  BoxNodes<Dim> box_nodes;
  Kokkos::View<const int*, typename Exec::memory_space> dof_of_node;
  KOKKOS_FUNCTION index_t operator()(index_t e, int i) const {
    return dof_of_node(box_nodes.node(e, i));
  }
};

// Half as many elements in each direction, where that can be in every part.
template <int Dim>
bool halve(BoxMesh<Dim>& mesh) {
  for (std::size_t k = 0; k < Dim; ++k)
    if (mesh.elements[k] % (2 * mesh.parts[k]) != 0) return false;
  for (index_t& n : mesh.elements) n /= 2;
  return true;
}
// The element of `half` that an element of this process's part of `mesh` is part of.
template <int Dim>
index_t element_of_half(const BoxMesh<Dim>& mesh, const BoxMesh<Dim>& half, index_t element) {
  const Box<Dim> fine = mesh.own();
  const Box<Dim> coarse = half.own();
  index_t result = 0;
  index_t stride = 1;
  for (std::size_t k = 0; k < Dim; ++k) {
    const index_t extent = fine[k].end - fine[k].begin;
    result += stride * (element % extent / 2);
    element /= extent;
    stride *= coarse[k].end - coarse[k].begin;
  }
  return result;
}

}  // namespace detail

/// The space of a box, each of whose nodes `map` moves to where it is: elements are curved as the
/// polynomials of the basis are. `dirichlet`: bits of the boundary attributes with a Dirichlet
/// condition. Of a box that is cut among processes, all of `communicator` give their parts. Throws
/// InvalidArgument as function_space does, and for other numbers of parts and processes. Waits.
template <class T, int Dim, ExecutionSpace Exec, class Map = Unmapped>
FunctionSpace<T, Dim, Exec> box_space(const Exec& exec, const BoxMesh<Dim>& mesh,
                                      const ElementBasis& basis, const Map& map,
                                      std::uint32_t dirichlet, Scatter scatter = Scatter::fastest,
                                      const Communicator& communicator = {}) {
  validate(mesh);
  require_parts(mesh, communicator);
  const BoxNodes<Dim> box_nodes(mesh, basis.d1d() - 1);
  const index_t count = box_nodes.nodes();
  Array<T> coordinates("coordinates", count * Dim);
  const auto on_reference = kolam::detail::to_space<double>(exec, "kolam::nodes", basis.nodes);
  forall(exec, "kolam::box_space", count,
         detail::PlaceNodes<T, Dim, Exec, Map>{box_nodes, on_reference, map, count,
                                               coordinates.write(exec)});
  exec.fence("kolam::box_space: the nodes end here");
  FunctionSpace<T, Dim, Exec> space = function_space<T, Dim>(
      exec, basis, mesh.element_count(), count, detail::NodeOfBox<Dim>{box_nodes},
      detail::FixedOnBox<Dim>{box_nodes, dirichlet}, std::move(coordinates), scatter,
      comm::SharedNodes{communicator, shared_nodes(mesh, basis.d1d() - 1)});
  const auto next =
      [=, more = basis.q1d() - basis.d1d(), collocated = basis.collocated](
          const FunctionSpace<T, Dim, Exec>& fine) -> std::optional<CoarserSpace<T, Dim, Exec>> {
    const auto space_of = [&](const BoxMesh<Dim>& box, int order) {
      return box_space<T>(
          exec, box, collocated ? lobatto_element(order) : gauss_element(order, order + 1 + more),
          map, dirichlet, scatter, communicator);
    };
    const int order = fine.basis.d1d() - 1;
    if (order > 1) {
      auto lower = space_of(mesh, order / 2);
      lower.parent = fine.parent;
      return detail::of_lower_order(lower, fine);
    }
    BoxMesh<Dim> half = mesh;
    if (detail::has_few_unknowns(fine) || !detail::halve(half)) return std::nullopt;
    auto coarser = space_of(half, 1);
    coarser.parent = [mesh, half, of_fine = fine.parent](index_t element) {
      return detail::element_of_half(mesh, half, of_fine ? of_fine(element) : element);
    };
    return detail::coarser_space(
        coarser, {0, 0.5, 1},
        detail::DofOfBoxNode<Dim, Exec>{BoxNodes<Dim>(half, 2), fine.dof_of_node});
  };
  space.coarser =
      std::make_shared<const CoarserSpaces<T, Dim, Exec>>(CoarserSpaces<T, Dim, Exec>{next});
  return space;
}

}  // namespace kolam::fem
