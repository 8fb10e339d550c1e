// SPDX-License-Identifier: Apache-2.0
// Spaces of continuous piecewise polynomials (H1) on a mesh, and their unknowns.
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

/// The geometry of the elements, one polynomial per coordinate. Copies share the memory.
template <class T, ExecutionSpace Exec>
struct ElementPositions {
  ElementBasis basis;                           ///< basis at the quadrature points of the space
  ElementRestriction<T, Exec> nodes;            ///< geometry nodes of each element
  std::shared_ptr<const Array<T>> coordinates;  ///< [nodes.entries, Dim], node index fastest
};

/// A continuous H1 function space on a mesh. Its unknowns are the nodes without a Dirichlet
/// condition, in the order of the nodes. Copies share the memory.
///
/// The mesh may be cut by elements among processes. Each process then has the space of its own
/// elements. A vector has the same values for a shared unknown in every process that has it. The
/// unknowns that another process owns come last.
template <class T, int Dim, ExecutionSpace Exec>
struct FunctionSpace {
  using memory_space = typename Exec::memory_space;  ///< memory space of all Views

  Exec exec;                          ///< execution space instance of all kernels
  ElementBasis basis;                 ///< basis of every element
  ElementRestriction<T, Exec> nodes;  ///< nodes of each element; nodes.entries is their number
  ElementRestriction<T, Exec> dofs;   ///< unknowns of each element; dofs.entries is their number
  Kokkos::View<const int*, memory_space> dof_of_node;      ///< negative for Dirichlet nodes
  std::shared_ptr<const Array<T>> coordinates;             ///< [nodes.entries, Dim], node fastest
  std::shared_ptr<const comm::SharedDofs<Exec>> shared{};  ///< null in a single process
  std::shared_ptr<const CoarserSpaces<T, Dim, Exec>> coarser{};  ///< levels of multigrid, or null
  int coarsened = 0;  ///< refinements from the mesh of this multigrid level to the finest mesh
  std::shared_ptr<const ComponentConstraints<Exec>> constraints{};  ///< of vector fields, or null
  std::function<index_t(index_t)> parent{};  ///< of a level on a box: see element_of_finest
  /// Geometry of the elements if it is not a polynomial on the nodes of the space, else null.
  std::shared_ptr<const ElementPositions<T, Exec>> own_positions{};

  /// Returns the geometry of the elements: own_positions, or else the polynomials on the nodes.
  ElementPositions<T, Exec> positions() const {
    return own_positions ? *own_positions : ElementPositions<T, Exec>{basis, nodes, coordinates};
  }

  /// Returns the number of elements of this process.
  index_t elements() const { return nodes.elements; }

  /// On a multigrid level, returns the element that contains an element of the finest mesh.
  index_t element_of_finest(index_t element) const {
    return parent ? parent(element) : element >> (Dim * coarsened);
  }

  /// Returns zeros on the device of `exec`, one per unknown and component. Throws OutOfMemory.
  Array<T> vector(const std::string& label, int components = 1) const {
    return linear::zeros<T>(exec, label, dofs.entries * components);
  }

  /// Returns the row distribution of an operator on fields of `components` components.
  comm::RowDistribution rows(int components = 1) const {
    return {dofs.entries, shared ? shared->owned() : dofs.entries, components,
            shared ? shared->communicator() : Communicator{}};
  }

  ///@{
  /// Enclose kernels that add this process' elements to y, [dofs.entries, components].
  /// After end_sum, y holds the sum over all processes, and zero in rows of constrained components.
  /// All processes call both; with several processes end_sum waits. `meanwhile` is called while
  /// messages are under way and may add to entries that no other process has. Throws
  /// InvalidArgument if the constraints are for another number of components.
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

  /// Returns the sum of `value` over all processes. All processes call it.
  double sum(double value) const { return shared ? shared->communicator().sum(value) : value; }
};

/// The next coarser space, and the unknowns of the finer space in its elements.
template <class T, int Dim, ExecutionSpace Exec>
struct CoarserSpace {
  FunctionSpace<T, Dim, Exec> space;  ///< the coarser space
  /// Nodes of the finer space along one direction of a coarse element, on [0, 1].
  std::vector<double> points;
  /// Unknown of the finer space at each point, or negative: [points^Dim, elements], x fastest.
  Kokkos::View<const int*, typename Exec::memory_space> dofs;
};

/// A factory of the coarser spaces of a space.
template <class T, int Dim, ExecutionSpace Exec>
struct CoarserSpaces {
  /// Returns the next coarser space of `fine`, the space that owns this factory, or nothing. Waits;
  /// all processes of the space call it.
  std::function<std::optional<CoarserSpace<T, Dim, Exec>>(const FunctionSpace<T, Dim, Exec>& fine)>
      next;
};

namespace detail {

// With this many unknowns or fewer, another coarser mesh is not worthwhile.
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
// Pairs `space` with the fine unknowns dof(e, i) at point i of coarse element e.
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

// Pairs a space of lower order with a finer space on the same elements.
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

// Returns 1 for nodes that another process owns (shared with a lower rank); empty if alone.
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

// On hosts, moves the elements that add to shared unknowns before the others.
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

// marked(node + 1) = 1 for nodes whose unknown belongs to `owner` (0: this process, 1: another).
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

// Numbers the marked nodes in their order, from `first` on, in `dof`. Returns how many there are.
// Waits and overwrites `marked`.
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

/// Returns the space of any mesh. node_of(e, i) returns the number, 0 to node_count - 1, of node i
/// (x fastest) of element e; is_fixed(node) returns whether it has a Dirichlet condition; both are
/// callable on exec. `coordinates` is [node_count, Dim], node index fastest; for a View pass
/// share(view). `processes` lists the nodes shared with other processes; all of them call this
/// function and agree on which nodes are fixed. `positions` is the geometry of the elements if it
/// is not a polynomial on these nodes.
///
/// Throws InvalidArgument for nodes that do not exist and for inverted or flat elements, naming the
/// first; throws OutOfMemory, and as SharedDofs does. Waits.
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
  // Number the unknowns that this process owns first, then the others.
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

/// The identity map of a box. Other maps are functors that move x in place, on exec.
struct Unmapped {
  /// Leaves the position unchanged.
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
// coordinates = the positions of the nodes after `map`.
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

// Spaces of boxes are instantiated in the library, except for the kernel that maps their nodes.
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

// The unknowns of a space at the nodes of the elements of a box.
template <int Dim, class Exec>
struct DofOfBoxNode {
  BoxNodes<Dim> box_nodes;
  Kokkos::View<const int*, typename Exec::memory_space> dof_of_node;
  KOKKOS_FUNCTION index_t operator()(index_t e, int i) const {
    return dof_of_node(box_nodes.node(e, i));
  }
};

// Halves the number of elements in each direction, or returns false if a part cannot be halved.
template <int Dim>
bool halve(BoxMesh<Dim>& mesh) {
  for (std::size_t k = 0; k < Dim; ++k)
    if (mesh.elements[k] % (2 * mesh.parts[k]) != 0) return false;
  for (index_t& n : mesh.elements) n /= 2;
  return true;
}
// Returns the element of `half` that contains an element of this process's part of `mesh`.
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

/// Returns the space of a box whose nodes are moved by `map`; curved elements are polynomials of
/// the basis. `dirichlet` has the bits of the boundary attributes with a Dirichlet condition. All
/// processes of `communicator` call it, each with its part of the box. Throws InvalidArgument as
/// function_space does, and if the numbers of parts and processes differ. Waits.
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
