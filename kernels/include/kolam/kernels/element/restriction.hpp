// SPDX-License-Identifier: Apache-2.0
// The map from the nodes of each element to the entries of a vector (libCEED's restriction, MFEM's
// ElementRestriction). Any map is allowed, so kernels do not depend on meshes.
#pragma once

#include <Kokkos_Core.hpp>
#include <kolam/core/detail/allocate.hpp>
#include <kolam/core/error.hpp>
#include <kolam/core/forall.hpp>
#include <kolam/kernels/element/detail/layout.hpp>
#include <limits>
#include <string>
#include <vector>

namespace kolam {

/// How elements add to a vector.
enum class Scatter {
  fastest,       ///< atomically on devices: the last bits of a sum may differ from run to run
  deterministic  ///< always in the same order (as on hosts); on devices through a workspace
};

/// The elements of an operator to apply. In a part of a mesh, some elements add to entries that
/// other parts share.
enum class ElementSet {
  all,          ///< all elements of this part
  with_shared,  ///< elements with shared entries; on devices, all elements
  without       ///< elements that with_shared leaves out
};

namespace detail {

// Hosts: groups of elements form chunks, and chunks have colours. Chunks of one colour share no
// entry, so threads may add at the same time, and each sum has one order for any number of threads.
struct ElementColours {
  index_t chunk = 1;           // groups in each chunk but the last
  std::vector<index_t> first;  // of each colour, in `chunks`; then the end
  Kokkos::View<index_t*, Kokkos::HostSpace> chunks;
  std::size_t with_shared = 0;  // number of first colours, whose chunks have shared entries

  std::size_t count() const { return first.empty() ? 0 : first.size() - 1; }
};
ElementColours colour_elements(const int* map, index_t groups, index_t group_size, index_t entries);
// Puts chunks with entries whose `shared` is not 0 into colours of their own, before the others.
void put_shared_first(ElementColours& colours, const int* map, index_t groups, index_t group_size,
                      const std::vector<char>& shared);

// Devices: the transpose of a map. The nodes of an entry, as ascending offsets in the map, are
// nodes(i) for i in [first(entry), first(entry + 1)).
template <class Space>
struct TransposeMap {
  Kokkos::View<index_t*, Space> first;
  Kokkos::View<index_t*, Space> nodes;
};
template <ExecutionSpace Exec>
TransposeMap<typename Exec::memory_space> transpose_map(
    const Exec& exec, const Kokkos::View<const int*, typename Exec::memory_space>& map,
    index_t entries);

// Sets the map to the entry of each node of each element; finds the first node whose entry does not
// exist.
template <class T, class Exec, class EntryOf>
struct FillMap {
  ElementLayout<T, Exec> layout;
  int nodes;
  index_t entries;
  EntryOf entry_of;
  Kokkos::View<int*, typename Exec::memory_space> map;
  KOKKOS_FUNCTION void operator()(index_t n, index_t& first) const {
    const index_t entry = entry_of(n / nodes, static_cast<int>(n % nodes));
    if (entry >= entries) first = Kokkos::min(first, n);
    map(layout.node(n / nodes, static_cast<int>(n % nodes))) = static_cast<int>(entry);
  }
};
template <class Exec, class EntryOf>
struct ReadEntry {
  EntryOf entry_of;
  index_t element;
  int node;
  Kokkos::View<index_t, typename Exec::memory_space> entry;
  KOKKOS_FUNCTION void operator()(index_t) const { entry() = entry_of(element, node); }
};

[[noreturn]] void refuse_entry(index_t element, int node, index_t entry, index_t entries);
void require_restriction(int dimensions, int d1d, index_t elements, index_t entries);

}  // namespace detail

/// The map from nodes to entries for kernels in T on Exec, in the order in which they read it.
/// Copies share the memory.
template <class T, ExecutionSpace Exec>
struct ElementRestriction {
  using memory_space = typename Exec::memory_space;  ///< where the map is

  int dimensions;                         ///< 2 or 3
  int d1d;                                ///< nodes of an element in each direction
  index_t elements;                       ///< number of elements
  index_t entries;                        ///< entries of the vector for each component
  Scatter scatter;                        ///< how elements add to the vector
  detail::ElementLayout<T, Exec> layout;  ///< map(layout.node(e, i)), i x fastest
  /// The entry at each offset, negative if there is none; empty if made by element_values.
  Kokkos::View<const int*, memory_space> map;
  /// \cond
  detail::ElementColours colours;                // hosts
  detail::TransposeMap<memory_space> transpose;  // devices, deterministic
  /// \endcond
};

/// Returns the restriction of `elements` elements with d1d nodes in each direction to a vector of
/// `entries`. `entry_of(e, i)`, callable on Exec, returns the entry of node i of element e (x
/// fastest), or a negative number for a node without an entry, whose value is zero (a homogeneous
/// Dirichlet condition). Several nodes may share an entry. Throws InvalidArgument for dimensions
/// other than 2 and 3, d1d < 2, negative counts, more than 2^31 - 1 entries, and entries beyond the
/// vector (naming the first). Waits. Takes 4 bytes per node; deterministic on
/// devices, 8 more per node and 8 per entry.
template <class T, ExecutionSpace Exec, class EntryOf>
ElementRestriction<T, Exec> element_restriction(const Exec& exec, int dimensions, int d1d,
                                                index_t elements, index_t entries,
                                                const EntryOf& entry_of,
                                                Scatter scatter = Scatter::fastest) {
  using Space = typename Exec::memory_space;
  detail::require_restriction(dimensions, d1d, elements, entries);
  const detail::ElementLayout<T, Exec> layout(dimensions, d1d);
  const auto map = detail::allocate_view<Kokkos::View<int*, Space>>(exec, "kolam::entries",
                                                                    layout.size(elements));
  Kokkos::deep_copy(kokkos_instance(exec), map, -1);
  const int nodes = layout.nodes();
  constexpr index_t all_good = std::numeric_limits<index_t>::max();
  const index_t bad =
      min<index_t>(exec, "kolam::element_restriction", elements * nodes,
                   detail::FillMap<T, Exec, EntryOf>{layout, nodes, entries, entry_of, map});
  if (bad != all_good) {
    const auto entry = detail::allocate_zeros<Kokkos::View<index_t, Space>>(exec, "kolam::entry");
    forall(exec, "kolam::element_restriction", 1,
           detail::ReadEntry<Exec, EntryOf>{entry_of, bad / nodes, static_cast<int>(bad % nodes),
                                            entry});
    const auto there = detail::readable_on_host(entry);
    detail::refuse_entry(bad / nodes, static_cast<int>(bad % nodes), there(), entries);
  }
  ElementRestriction<T, Exec> result{dimensions, d1d, elements, entries, scatter,
                                     layout,     map, {},       {}};
  if constexpr (!has_block_threads<Exec>) {
    const index_t groups = layout.groups(elements);
    result.colours = detail::colour_elements(
        map.data(), groups, groups > 0 ? layout.size(elements) / groups : 0, entries);
  } else if (scatter == Scatter::deterministic) {
    result.transpose = detail::transpose_map(exec, result.map, entries);
  }
  return result;
}

}  // namespace kolam
