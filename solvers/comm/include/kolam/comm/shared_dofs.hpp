// SPDX-License-Identifier: Apache-2.0
// Unknowns that several processes have, because their elements meet there.
#pragma once

#include <Kokkos_Core.hpp>
#include <kolam/comm/communicator.hpp>
#include <kolam/core/execution.hpp>
#include <kolam/core/index.hpp>
#include <memory>
#include <vector>

namespace kolam::comm {

/// Nodes, by their numbers in this process, that another one has as well. The two list the same
/// nodes in the same order.
struct NodesSharedWith {
  int rank;                    ///< of the other
  std::vector<index_t> nodes;  ///< from 0, in the order on which the two agree
};

/// How the nodes of a mesh, cut by its elements, lie in processes. By default in this one alone.
struct SharedNodes {
  Communicator communicator{};            ///< the processes that have a part of the mesh
  std::vector<NodesSharedWith> shared{};  ///< a process at most once
};

/// The rows of an operator in a process. Rows of shared unknowns are in each process that has them,
/// with the same values; the first `owned` of each component are those that it counts in sums.
struct RowDistribution {
  index_t here;                 ///< of each component
  index_t owned;                ///< of each component, at most `here`
  int components = 1;           ///< one after the other in vectors
  Communicator communicator{};  ///< the processes that have rows
};

/// Adds up what elements of several processes gave to shared unknowns. Made by function_space.
///
/// Of the processes that have an unknown, the lowest rank owns it. Unknowns are numbered with the
/// owned ones first.
template <ExecutionSpace Exec>
class SharedDofs {
 public:
  /// dof_of_node: less than 0 where there is none, for which both processes agree. All
  /// processes of the communicator call it. Throws InvalidArgument, in all of them, for a rank or a
  /// node that does not exist, and for processes that do not share as many unknowns.
  SharedDofs(const Exec& exec, const SharedNodes& nodes,
             const Kokkos::View<const int*, typename Exec::memory_space>& dof_of_node,
             index_t owned, index_t dofs);
  ~SharedDofs();
  SharedDofs(const SharedDofs&) = delete;
  SharedDofs& operator=(const SharedDofs&) = delete;
  SharedDofs(SharedDofs&&) = delete;
  SharedDofs& operator=(SharedDofs&&) = delete;

  /// The processes that share.
  const Communicator& communicator() const;
  /// Unknowns that this process owns.
  index_t owned() const;

  /// y = 0 where other processes own: [unknowns, components]. So what several add to y counts once.
  template <class T>
  void keep_owned(const Kokkos::View<T*, typename Exec::memory_space>& y, int components) const;
  ///@{
  /// Every shared entry of y becomes the sum of what its processes have there, in the order of
  /// their ranks: the same bits in each. One message to each neighbour; `meanwhile` is called while they
  /// are under way, and may change other entries of y. T is float or double. All processes call it;
  /// waits for what was launched on the instance. One use at a time.
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
