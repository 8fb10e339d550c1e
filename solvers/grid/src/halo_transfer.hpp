// SPDX-License-Identifier: Apache-2.0
// One message of a halo exchange: from the points of one subdomain to the ghosts of another.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <kolam/comm/detail/bytes.hpp>
#include <kolam/comm/detail/exchange.hpp>
#include <vector>

#include "halo_boxes.hpp"
#include "halo_plan.hpp"

namespace kolam::grid::detail {

/// Packs and unpacks the boxes of several fields, all of them in one message.
template <int N, class Exec>
class HaloTransferOf {
 public:
  using Message = comm::detail::Message<Exec>;
  template <class Fields>
  using Copies = BoxCopies<N, typename Fields::value_type::non_const_value_type, Exec>;

  explicit HaloTransferOf(const HaloTransfer<N>& plan) : plan_(plan) {}

  template <class Fields>
  void expect(const Message& message, const std::vector<Fields>& fields) {
    turn_in_ = 1 - turn_in_;
    if (!message.channel) return;
    const std::size_t bytes = fields.size() * bytes_of<Fields>();
    // (MPI could write into ghosts on a device before the work launched so far is done.)
    in_place_ = fields.size() == 1 &&
                box(fields[0][*message.to], plan_.ghosts).span_is_contiguous() &&
                (on_host || message.path != comm::Path::mpi);
    target_ = in_place_ ? first_byte(fields[0][*message.to], plan_.ghosts)
                        : workspace(inbox_[turn_in_], message.ends.receiver, bytes);
    message.channel->expect(target_, bytes);
  }

  template <class Fields>
  void send(const Message& message, const std::vector<Fields>& fields) {
    turn_out_ = 1 - turn_out_;
    if (!message.channel) return;
    const std::size_t bytes = fields.size() * bytes_of<Fields>();
    if (fields.size() == 1 && box(fields[0][*message.from], plan_.points).span_is_contiguous()) {
      message.channel->send(first_byte(fields[0][*message.from], plan_.points), bytes);
      return;
    }
    char* const packed = workspace(outbox_[turn_out_], message.ends.sender, bytes);
    Copies<Fields> copies;
    for (std::size_t f = 0; f < fields.size(); ++f) {
      const auto points = box(fields[f][*message.from], plan_.points);
      copies.add(message.ends.sender, packed_like(points, packed + f * bytes_of<Fields>()), points);
    }
    copies.launch();
    message.channel->send(packed, bytes);
  }

  // Adds to `copies` what remains to be copied.
  template <class Fields>
  void arrive(const Message& message, const std::vector<Fields>& fields, Copies<Fields>& copies) {
    if (message.channel) message.channel->arrive();
    if (message.channel && in_place_) return;
    for (std::size_t f = 0; f < fields.size(); ++f) {
      const auto ghosts = box(fields[f][*message.to], plan_.ghosts);
      if (message.channel) {
        copies.add(message.ends.receiver, ghosts,
                   packed_like(ghosts, target_ + f * bytes_of<Fields>()));
      } else {
        copies.add(message.ends.receiver, ghosts, box(fields[f][*message.from], plan_.points));
      }
    }
  }

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
  // It grows only with the number of fields, so rarely that it may fence all instances.
  static char* workspace(comm::detail::DeviceWorkspace<Exec>& some, const Exec& exec,
                         std::size_t bytes) {
    if (some.size() > 0 && some.size() < bytes) Kokkos::fence("kolam::HaloExchange grows");
    return some.of(exec, bytes);
  }

  HaloTransfer<N> plan_;
  // Two buffers each, used by exchanges in turn: the other end may still use the one before. By the
  // time a buffer is used again, both ends have waited for each other.
  std::array<comm::detail::DeviceWorkspace<Exec>, 2> outbox_;
  std::array<comm::detail::DeviceWorkspace<Exec>, 2> inbox_;
  std::size_t turn_in_ = 0;
  std::size_t turn_out_ = 0;
  char* target_ = nullptr;
  bool in_place_ = false;
};

}  // namespace kolam::grid::detail
