// SPDX-License-Identifier: Apache-2.0
// Fills the ghosts of subdomains with the points of their neighbours.
#pragma once

#include <Kokkos_Core.hpp>
#include <concepts>
#include <kolam/comm/communicator.hpp>
#include <kolam/comm/decomposition.hpp>
#include <kolam/comm/transport.hpp>
#include <kolam/core/execution.hpp>
#include <kolam/core/reshape.hpp>
#include <kolam/grid/field.hpp>
#include <memory>
#include <string>
#include <vector>

namespace kolam::grid {

/// Which ghosts a stencil reads.
enum class Ghosts {
  faces,   ///< those straight beyond an end of one dimension (five points in 2D, seven in 3D)
  corners  ///< also those beyond the ends of several (nine points in 2D)
};

/// The exchange between the subdomains of one or several processes, worked out once and used every
/// step. A process has the subdomains of its Partition share, several or none. Each has an instance
/// and its memory on that instance's device (make_instances).
///
/// \code
///   halo.start<double>(u);      // boundaries fly
///   ...                         // the interior of u, on other instances
///   halo.finish();
///   ...                         // the rest, on the instances of the subdomains
/// \endcode
///
/// What is launched where: an exchange starts when the work launched so far on the instances is
/// done, and copies on the instances. Work on other instances is the caller's to order: what reads
/// the interior waits for the instances before start(), what follows it waits for them again.
///
/// Own points that are given away stay as they are from start() to finish(). Afterwards a neighbour
/// may still be reading them: they may be written, on the subdomain's instance, when another
/// exchange has been started, as the one of the other buffer is between two steps; who writes in
/// place calls release() before.
///
/// Corners take one dimension after the other, each with the ghosts of those before, so that a
/// neighbour across a corner needs no message of its own; start() lets the first one fly only.
///
/// There is one message for each neighbour and direction, whatever the number of fields. Between
/// processes start() waits on the host until the boundaries are packed (not for what is launched
/// on other instances), and finish() until the neighbours' have come.
template <int N, ExecutionSpace Exec>
class HaloExchange {
 public:
  /// The memory of a subdomain: N dimensions, x fastest.
  template <class T>
  using Field =
      Kokkos::View<typename kolam::detail::AddPointers<T, static_cast<std::size_t>(N)>::type,
                   Kokkos::LayoutLeft, typename Exec::memory_space>;
  /// One for each subdomain of this process, in their order: the points with their ghosts, at least
  /// LocalGrid::extents() in each dimension. Rows may be padded.
  template <class T>
  using Fields = std::vector<Field<T>>;

  /// `instances`: one for each subdomain of this process. All processes of `communicator` give the
  /// same decomposition, depth, ghosts and ways. Throws InvalidArgument if there are more or fewer
  /// instances, if depth is less than 1, if a subdomain has fewer points than `depth` where it
  /// gives them away, or for Transport::mpi without MPI; DeviceUnavailable for Transport::peer
  /// between devices that cannot; CommunicationError for GpuAwareMpi::on where no message arrives.
  HaloExchange(const std::vector<Exec>& instances, const comm::Decomposition<N>& decomposition,
               int depth, Ghosts ghosts, const Communicator& communicator = {},
               comm::Transport transport = comm::Transport::automatic,
               comm::GpuAwareMpi gpu_aware = comm::GpuAwareMpi::automatic);
  /// Messages under way are given up: call finish() before.
  ~HaloExchange();
  HaloExchange(const HaloExchange&) = delete;
  HaloExchange& operator=(const HaloExchange&) = delete;
  ///@{
  /// Moves, also between start() and finish(); the source may only be destroyed or assigned to.
  HaloExchange(HaloExchange&&) noexcept;
  HaloExchange& operator=(HaloExchange&&) noexcept;
  ///@}

  /// Receives are posted, boundaries packed where they do not lie together, and sent. With several
  /// Fields each message carries all of them: their number is the same on all processes. T is float
  /// or double. Memory for packing is taken the first time that it is needed. Throws
  /// InvalidArgument if fields are more, fewer or smaller than the subdomains, or if an exchange
  /// has not finished.
  template <class T, class... More>
    requires(std::same_as<More, Fields<T>> && ...)
  void start(const Fields<T>& fields, const More&... more) {
    start_all<T>({fields, more...});
  }

  /// The same of arrays, one for each subdomain, with as many points and layers of ghosts as it has.
  /// Takes the intent read_write of each on its subdomain's instance: those of what works on the
  /// interior meanwhile are taken before. Throws also what they throw.
  template <class T, class... More>
    requires(std::same_as<More, std::vector<grid::Field<T, N>>> && ...)
  void start(std::vector<grid::Field<T, N>>& fields, More&... more) {
    start_arrays<T>({&fields, &more...});
  }

  /// Work launched afterwards on the instance of a subdomain finds its ghosts filled. Those at a
  /// boundary that is not periodic are left as they are. Throws InvalidArgument without start().
  void finish();

  /// Both: moves each ghost's bytes in and out once, twice more where they are packed.
  template <class T, class... More>
    requires(std::same_as<More, Fields<T>> && ...)
  void exchange(const Fields<T>& fields, const More&... more) {
    start_all<T>({fields, more...});
    finish();
  }

  /// The same of arrays: see start.
  template <class T, class... More>
    requires(std::same_as<More, std::vector<grid::Field<T, N>>> && ...)
  void exchange(std::vector<grid::Field<T, N>>& fields, More&... more) {
    start(fields, more...);
    finish();
  }

  /// Work launched afterwards on the instances may write own points in place, and exchange the same
  /// fields again: no neighbour reads what the last exchange gave. Not needed by who alternates
  /// between two buffers. On devices the host does not wait.
  void release();

  /// The ways between the subdomains of this process and their neighbours, in words: "one device",
  /// "peer-to-peer between 4 devices", "MPI, staged through pinned memory".
  std::string transport() const;

 private:
  struct Implementation;
  template <class T>
  void start_all(std::vector<Fields<T>> fields);
  template <class T>
  void start_arrays(const std::vector<std::vector<grid::Field<T, N>>*>& several);

  std::unique_ptr<Implementation> implementation_;
};

}  // namespace kolam::grid
