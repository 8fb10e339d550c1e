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
#include <span>
#include <string>
#include <vector>

namespace kolam::grid {
namespace detail {

// The arrays of the subdomains of a process.
template <int N, class T>
std::span<Field<T, N>> arrays(std::vector<Field<T, N>>& fields) {
  return fields;
}
template <int N, class T>
std::span<Field<T, N>> arrays(Field<T, N>& field) {
  return {&field, 1};
}
template <class F, int N>
concept ArraysOf = requires(F& fields) { arrays<N>(fields); };

}  // namespace detail

/// Which ghosts a stencil reads.
enum class Ghosts {
  faces,   ///< ghosts beyond an end of one dimension (five points in 2D, seven in 3D)
  corners  ///< also ghosts beyond the ends of several dimensions (nine points in 2D)
};

/// The halo exchange between the subdomains of one or several processes, planned once and used
/// every step. A process has the subdomains of its Partition share, several or none. Each subdomain
/// has an instance, and its memory is on the device of that instance (make_instances).
///
/// \code
///   halo.start<double>(u);      // sends the boundaries
///   ...                         // the interior of u, on other instances
///   halo.finish();
///   ...                         // the rest, on the instances of the subdomains
/// \endcode
///
/// Order: an exchange starts after the work launched so far on the instances, and its copies run on
/// them. The caller orders work on other instances: work on the interior waits for the
/// instances before start(), and later work on the instances waits for it.
///
/// Own points that are sent must not change from start() to finish(). A neighbour may read them
/// even later: write them, on the subdomain's instance, only after another exchange has been
/// started (that of the other buffer, if steps alternate between two). To write in place, call
/// release() first.
///
/// With corners, the dimensions are exchanged one after the other, each with the ghosts of the
/// earlier ones, so that neighbours across corners need no messages of their own. start() then
/// sends only the first dimension.
///
/// Each neighbour and direction has one message, whatever the number of fields. Between processes
/// start() waits on the host until the boundaries are packed (not for work on other instances), and
/// finish() until the neighbours' messages have arrived.
template <int N, ExecutionSpace Exec>
class HaloExchange {
 public:
  /// The memory of a subdomain: N dimensions, x fastest.
  template <class T>
  using Field =
      Kokkos::View<typename kolam::detail::AddPointers<T, static_cast<std::size_t>(N)>::type,
                   Kokkos::LayoutLeft, typename Exec::memory_space>;
  /// A Field for each subdomain of this process, in order: the points with their ghosts, at least
  /// LocalGrid::extents() in each dimension. Rows may be padded.
  template <class T>
  using Fields = std::vector<Field<T>>;

  /// Plans an exchange. `instances`: one for each subdomain of this process. All processes of
  /// `communicator` give the same decomposition, depth, ghosts and transport. Throws
  /// InvalidArgument for another number of instances, if depth is less than 1, if a subdomain has
  /// neighbours along a dimension but fewer points than `depth`, and for Transport::mpi without
  /// MPI; DeviceUnavailable for Transport::peer between devices that cannot copy from each other;
  /// CommunicationError for GpuAwareMpi::on if no message arrives.
  HaloExchange(const std::vector<Exec>& instances, const comm::Decomposition<N>& decomposition,
               int depth, Ghosts ghosts, const Communicator& communicator = {},
               comm::Transport transport = comm::Transport::automatic,
               comm::GpuAwareMpi gpu_aware = comm::GpuAwareMpi::automatic);
  /// Abandons pending messages: call finish() first.
  ~HaloExchange();
  HaloExchange(const HaloExchange&) = delete;
  HaloExchange& operator=(const HaloExchange&) = delete;
  ///@{
  /// Moves, also between start() and finish(); the source may only be destroyed or assigned to.
  HaloExchange(HaloExchange&&) noexcept;
  HaloExchange& operator=(HaloExchange&&) noexcept;
  ///@}

  /// Starts an exchange: posts receives, packs boundaries that are not contiguous, and sends them.
  /// With several Fields each message carries all of them; all processes give the same number. T is
  /// float or double. Memory for packing is allocated at its first use. Throws InvalidArgument if
  /// fields are more, fewer or smaller than the subdomains, or if an exchange has not finished.
  template <class T, class... More>
    requires(std::same_as<More, Fields<T>> && ...)
  void start(const Fields<T>& fields, const More&... more) {
    start_all<T>({fields, more...});
  }

  /// The same for arrays with the points of a subdomain and its layers of ghosts: each argument is
  /// a std::vector of grid::Fields, one for each subdomain, or the grid::Field of the only one.
  /// Takes the intent read_write of each array on its subdomain's instance; take intents for work
  /// on the interior before. Also throws the exceptions of intents.
  template <detail::ArraysOf<N> F, class... More>
    requires(std::same_as<More, F> && ...)
  void start(F& fields, More&... more) {
    start_arrays(std::vector{detail::arrays<N>(fields), detail::arrays<N>(more)...});
  }

  /// Completes an exchange: work launched afterwards on the instance of a subdomain finds its
  /// ghosts filled. Ghosts at a boundary that is not periodic stay as they are. Throws
  /// InvalidArgument if no exchange was started.
  void finish();

  /// Calls start() and finish(). Moves each ghost's bytes in and out once, and twice more if they
  /// are packed.
  template <class T, class... More>
    requires(std::same_as<More, Fields<T>> && ...)
  void exchange(const Fields<T>& fields, const More&... more) {
    start_all<T>({fields, more...});
    finish();
  }

  /// The same for arrays, see start.
  template <detail::ArraysOf<N> F, class... More>
    requires(std::same_as<More, F> && ...)
  void exchange(F& fields, More&... more) {
    start(fields, more...);
    finish();
  }

  /// Makes work launched afterwards on the instances wait until neighbours have read the points of
  /// the last exchange: that work may write them in place and exchange the same fields again. Not
  /// needed if steps alternate between two buffers. On devices the host does not wait.
  void release();

  /// Returns the transports in use between the subdomains of this process and their neighbours, in
  /// words: "one device", "peer-to-peer between 4 devices", "MPI, staged through pinned memory".
  std::string transport() const;

 private:
  struct Implementation;
  template <class T>
  void start_all(std::vector<Fields<T>> fields);
  template <class T>
  using Arrays = std::span<grid::Field<T, N>>;  // one for each subdomain
  template <class T>
  void start_arrays(const std::vector<Arrays<T>>& several);

  std::unique_ptr<Implementation> implementation_;
};

}  // namespace kolam::grid
