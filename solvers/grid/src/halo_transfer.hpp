// SPDX-License-Identifier: Apache-2.0
// One message of a halo exchange: from the points of one subdomain to the ghosts of another.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <kolam/comm/detail/bytes.hpp>
#include <kolam/comm/detail/channel.hpp>
#include <memory>
#include <optional>
#include <vector>

#include "halo_boxes.hpp"
#include "halo_plan.hpp"

namespace kolam::grid::detail {

/// At least one of its ends is in this process. The functions are those of Channel, with the boxes
/// of several fields, all of them in one message.
template <int N, class Exec>
class HaloTransferOf {
 public:
  /// `from` and `to`: places among the subdomains of this process.
  HaloTransferOf(const HaloTransfer<N>& plan, std::optional<std::size_t> from,
                 std::optional<std::size_t> to, comm::Path path,
                 const comm::detail::Ends<Exec>& ends, const Communicator& communicator)
      : plan_(plan),
        from_(from),
        to_(to),
        path_(path),
        ends_(ends),
        channel_(comm::detail::make_channel(path, ends, communicator)) {}

  comm::Path path() const { return path_; }
  std::optional<std::size_t> from() const { return from_; }
  std::optional<std::size_t> to() const { return to_; }
  bool by_mpi() const { return path_ == comm::Path::mpi || path_ == comm::Path::mpi_staged; }

  template <class Fields>
  void expect(const std::vector<Fields>& fields) {
    turn_in_ = 1 - turn_in_;
    if (!channel_) return;
    const std::size_t bytes = fields.size() * bytes_of<Fields>();
    // (MPI would write into ghosts on a device before the work launched so far is done.)
    in_place_ = fields.size() == 1 && box(fields[0][*to_], plan_.ghosts).span_is_contiguous() &&
                (on_host || path_ != comm::Path::mpi);
    target_ = in_place_ ? first_byte(fields[0][*to_], plan_.ghosts)
                        : workspace(inbox_[turn_in_], ends_.receiver, bytes);
    channel_->expect(target_, bytes);
  }

  template <class Fields>
  void send(const std::vector<Fields>& fields) {
    turn_out_ = 1 - turn_out_;
    if (!channel_) return;
    const std::size_t bytes = fields.size() * bytes_of<Fields>();
    if (fields.size() == 1 && box(fields[0][*from_], plan_.points).span_is_contiguous()) {
      channel_->send(first_byte(fields[0][*from_], plan_.points), bytes);
      return;
    }
    char* const packed = workspace(outbox_[turn_out_], ends_.sender, bytes);
    for (std::size_t f = 0; f < fields.size(); ++f) {
      const auto points = box(fields[f][*from_], plan_.points);
      copy_box(ends_.sender, packed_like(points, packed + f * bytes_of<Fields>()), points);
    }
    channel_->send(packed, bytes);
  }

  void depart() { channel_->depart(); }

  template <class Fields>
  void arrive(const std::vector<Fields>& fields) {
    if (channel_) channel_->arrive();
    if (channel_ && in_place_) return;
    for (std::size_t f = 0; f < fields.size(); ++f) {
      const auto ghosts = box(fields[f][*to_], plan_.ghosts);
      if (channel_) {
        copy_box(ends_.receiver, ghosts, packed_like(ghosts, target_ + f * bytes_of<Fields>()));
      } else {
        copy_box(ends_.receiver, ghosts, box(fields[f][*from_], plan_.points));
      }
    }
  }

  void settle() { channel_->settle(); }

 private:
  static constexpr bool on_host = Kokkos::SpaceAccessibility<Exec, Kokkos::HostSpace>::accessible;

  template <class Field>
  static auto box(const Field& field, const Box<N>& points) {
    return part<N>(field, points);
  }
  template <class Field>
  static char* first_byte(const Field& field, const Box<N>& points) {
    return reinterpret_cast<char*>(box(field, points).data());
  }
  template <class Fields>
  std::size_t bytes_of() const {
    return static_cast<std::size_t>(size<N>(plan_.points)) *
           sizeof(typename Fields::value_type::value_type);
  }
  // It grows with the number of fields: rarely, so that everybody may wait for everybody.
  static char* workspace(comm::detail::DeviceWorkspace<Exec>& some, const Exec& exec,
                         std::size_t bytes) {
    if (some.size() > 0 && some.size() < bytes) Kokkos::fence("kolam::HaloExchange grows");
    return some.of(exec, bytes);
  }

  HaloTransfer<N> plan_;
  std::optional<std::size_t> from_;
  std::optional<std::size_t> to_;
  comm::Path path_;
  comm::detail::Ends<Exec> ends_;
  std::unique_ptr<comm::detail::Channel<Exec>> channel_;  // none on the direct path
  // In two, for one exchange and the next: the other end may be busy with the other one. By its
  // next turn the two have met.
  std::array<comm::detail::DeviceWorkspace<Exec>, 2> outbox_;
  std::array<comm::detail::DeviceWorkspace<Exec>, 2> inbox_;
  std::size_t turn_in_ = 0;
  std::size_t turn_out_ = 0;
  char* target_ = nullptr;
  bool in_place_ = false;
};

}  // namespace kolam::grid::detail
