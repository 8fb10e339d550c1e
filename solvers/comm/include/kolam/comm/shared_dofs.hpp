// SPDX-License-Identifier: Apache-2.0
// Unknowns that processes share where their elements meet.
#pragma once

#include <Kokkos_Core.hpp>
#include <kolam/comm/communicator.hpp>
#include <kolam/core/execution.hpp>
#include <kolam/core/index.hpp>
#include <memory>
#include <vector>

namespace kolam::comm {

/// The nodes that this process shares with one other process. Both processes list the same nodes in
/// the same order.
struct NodesSharedWith {
  int rank;                    ///< rank of the other process
  std::vector<index_t> nodes;  ///< numbers in this process, from 0, in the common order
};

/// The nodes that processes share in a mesh distributed by elements. By default this process has
/// the whole mesh.
struct SharedNodes {
  Communicator communicator{};            ///< the processes of the mesh
  std::vector<NodesSharedWith> shared{};  ///< shared nodes, each other process at most once
};

/// The rows of an operator in this process. The row of a shared unknown is in every process that
/// has the unknown, with the same values; sums count only the first `owned` rows of each component.
struct RowDistribution {
  index_t here;                 ///< rows per component in this process
  index_t owned;                ///< owned rows per component, at most `here`
  int components = 1;           ///< number of components, one after the other in vectors
  Communicator communicator{};  ///< the processes that have rows
};

/// Sums the contributions of several processes to shared unknowns. Made by function_space.
///
/// The lowest rank that has an unknown owns it. Owned unknowns are numbered first.
template <ExecutionSpace Exec>
class SharedDofs {
 public:
  /// Plans the sums. dof_of_node: negative for nodes without an unknown; processes must agree on
  /// these. All processes of the communicator call it. Throws InvalidArgument, in all of them, for
  /// a rank or a node that does not exist, and if two processes do not share equally many unknowns.
  SharedDofs(const Exec& exec, const SharedNodes& nodes,
             const Kokkos::View<const int*, typename Exec::memory_space>& dof_of_node,
             index_t owned, index_t dofs);
  ~SharedDofs();
  SharedDofs(const SharedDofs&) = delete;
  SharedDofs& operator=(const SharedDofs&) = delete;
  SharedDofs(SharedDofs&&) = delete;
  SharedDofs& operator=(SharedDofs&&) = delete;

  /// Returns the processes that share unknowns.
  const Communicator& communicator() const;
  /// Returns the number of unknowns that this process owns.
  index_t owned() const;

  /// Sets y, [unknowns, components], to 0 at unknowns that other processes own. A value that
  /// several processes have in y then counts once in add().
  template <class T>
  void keep_owned(const Kokkos::View<T*, typename Exec::memory_space>& y, int components) const;
  ///@{
  /// Replaces every shared entry of y by the sum of the entries of its processes, added in the
  /// order of ranks: the same bits in each process. Sends one message to each neighbour;
  /// `meanwhile` is called while the messages are under way and may change other entries of y. T is
  /// float or double. All processes call it. Waits for the work launched on the instance. One call
  /// at a time.
  template <class T>
  void add(const Kokkos::View<T*, typename Exec::memory_space>& y, int components) const {
    add(y, components, [] {});
  }
  template <class T, class F>
  void add(const Kokkos::View<T*, typename Exec::memory_space>& y, int components,
           const F& meanwhile) const {
    begin_add(y, components);
    meanwhile();
    end_add(y, components);
  }
  ///@}

 private:
  template <class T>
  void begin_add(const Kokkos::View<T*, typename Exec::memory_space>& y, int components) const;
  template <class T>
  void end_add(const Kokkos::View<T*, typename Exec::memory_space>& y, int components) const;

  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace kolam::comm
