// SPDX-License-Identifier: Apache-2.0
// Fills the ghosts of subdomains with the points of their neighbours.
#pragma once

#include <Kokkos_Core.hpp>
#include <kolam/core/execution.hpp>
#include <kolam/core/reshape.hpp>
#include <kolam/solvers/decomposition.hpp>
#include <vector>

namespace kolam {

/// Which ghosts a stencil reads.
enum class Ghosts {
  faces,   ///< those straight behind an end of one dimension (five points in 2D, seven in 3D)
  corners  ///< also those behind the ends of several (nine points in 2D)
};

/// The exchange between the subdomains of one process, worked out once and used every step. Each
/// subdomain has an instance, which its kernels run on as well; instances may be on several devices
/// (make_instances), each with its subdomain's memory on its own.
///
/// Corners take one dimension after the other, each with the ghosts of those before, so that a
/// neighbour across a corner needs no message of its own.
template <int N, ExecutionSpace Exec>
class HaloExchange {
 public:
  template <class T>
  using Field = Kokkos::View<typename detail::AddPointers<T, static_cast<std::size_t>(N)>::type,
                             Kokkos::LayoutLeft, typename Exec::memory_space>;

  /// `instances`: one for each subdomain. Throws InvalidArgument if there are more or fewer, if
  /// depth is less than 1, or if a subdomain has fewer points than `depth` where it gives them
  /// away.
  HaloExchange(const Decomposition<N>& decomposition, int depth, Ghosts ghosts,
               const std::vector<Exec>& instances);

  /// fields[s]: the points of subdomain s with their ghosts, at least LocalGrid::extents() in each
  /// dimension (rows may be padded). Starts when the work launched so far on the instances is done,
  /// and work launched on them afterwards, also on a neighbour's, starts when its part is done; the
  /// host does not wait where instances can wait for each other. Ghosts at a boundary that is not
  /// periodic are left as they are. Moves each ghost's bytes in and out once. T is float or double.
  template <class T>
  void exchange(const std::vector<Field<T>>& fields) const;

 private:
  using Bytes = Kokkos::View<char*, typename Exec::memory_space>;
  struct Copy {
    int from;
    Box<N> points;  // of `from`, own ones
    Box<N> ghosts;  // of the subdomain that the copy is for
    // Between devices, what does not lie together goes packed; room for any value.
    Bytes packed_there;
    Bytes packed_here;
  };
  // What one dimension (or all, if corners are not wanted) brings to one subdomain.
  using Copies = std::vector<Copy>;

  std::vector<Exec> instances_;
  std::vector<std::vector<Copies>> phases_;  // [phase][subdomain]
};

}  // namespace kolam
