// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <kolam/comm/detail/exchange.hpp>
#include <kolam/core/detail/instantiate.hpp>
#include <kolam/core/error.hpp>
#include <kolam/core/instances.hpp>
#include <utility>

namespace kolam::comm::detail {

template <ExecutionSpace Exec>
Exchange<Exec>::Exchange(std::string name, const std::vector<Exec>& instances,
                         const Partition& partition, const Communicator& communicator,
                         Transport asked, GpuAwareMpi gpu_aware, std::size_t phases)
    : name_(std::move(name)),
      instances_(instances),
      partition_(partition),
      communicator_(communicator),
      asked_(asked),
      phases_(phases),
      neighbours_("kolam::" + name_, instances, phases) {
  const int here = partition.share(communicator.rank()).count;
  if (instances.size() != static_cast<std::size_t>(here)) {
    throw InvalidArgument(fmt::format("{}: {} instances for {} subdomains; give one for each",
                                      name_, instances.size(), here));
  }
  if (asked == Transport::mpi && !communicator.group().has_messages()) {
    throw InvalidArgument(
        "transport 'mpi' in a program that runs without MPI; start it with mpiexec, with MPI in "
        "the build, or use 'auto'");
  }
  const bool messages = communicator.size() > 1 || asked == Transport::mpi;
  gpu_aware_ = messages && here > 0 && is_gpu_aware(communicator, instances.front(), gpu_aware);
}

template <ExecutionSpace Exec>
void Exchange<Exec>::add(std::size_t phase, int from, int to, int side, int sides) {
  const int from_rank = partition_.owner(from);
  const int to_rank = partition_.owner(to);
  const auto place = [&](int part, int owner) -> std::optional<std::size_t> {
    if (owner != communicator_.rank()) return std::nullopt;
    return static_cast<std::size_t>(part - partition_.share(owner).first);
  };
  const auto from_here = place(from, from_rank);
  const auto to_here = place(to, to_rank);
  const Exec& sender = instances_[from_here ? *from_here : *to_here];
  const Exec& receiver = instances_[to_here ? *to_here : *from_here];
  Pair pair{from_rank == to_rank, device_number(sender) == device_number(receiver), true,
            gpu_aware_};
  if (pair.one_process && !pair.one_device) pair.connected = connect(receiver, sender);
  const Path path = path_of(asked_, pair);
  // Two processes may exchange several messages, even from one part to one other (two parts that
  // are neighbours on both sides). The receiving part and its side make the tag unique.
  const int tag = (to - partition_.share(to_rank).first) * sides + side;
  const Ends<Exec> ends{sender, receiver, from_rank, to_rank, tag};
  const Message<Exec>& message = phases_[phase].emplace_back(
      Message<Exec>{from_here, to_here, path, ends, make_channel(path, ends, communicator_)});
  if (message.by_mpi() && tag > communicator_.group().largest_tag()) {
    throw InvalidArgument(
        fmt::format("{}: {} subdomains in a process need more tags than this MPI has ({}); use "
                    "more processes or fewer subdomains",
                    name_, instances_.size(), communicator_.group().largest_tag()));
  }
  // (Neighbours send to each other, so both wait for each other.)
  if (from_here && to_here) neighbours_.connect(phase, *to_here, *from_here);
  if (from_here && message.by_mpi()) neighbours_.expect_host();
  ways_.add(path, ends);
}

#define KOLAM_INSTANTIATE(EXEC) template class Exchange<EXEC>;
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_INSTANTIATE)

}  // namespace kolam::comm::detail
