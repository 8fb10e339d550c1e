// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <kolam/comm/transport.hpp>
#include <kolam/core/error.hpp>
#include <string>
#include <utility>

namespace kolam::comm {
namespace {

constexpr std::array transports = {
    std::pair{std::string_view("auto"), Transport::automatic},
    std::pair{std::string_view("peer"), Transport::peer},
    std::pair{std::string_view("staged"), Transport::staged},
    std::pair{std::string_view("mpi"), Transport::mpi},
};
constexpr std::array choices = {
    std::pair{std::string_view("auto"), GpuAwareMpi::automatic},
    std::pair{std::string_view("on"), GpuAwareMpi::on},
    std::pair{std::string_view("off"), GpuAwareMpi::off},
};

template <class Names>
auto parse(const char* what, const Names& names, std::string_view text) {
  std::string known;
  for (const auto& [name, value] : names) {
    if (name == text) return value;
    known += (known.empty() ? "" : ", ") + std::string(name);
  }
  throw InvalidArgument(std::string(what) + " '" + std::string(text) + "' is unknown; use one of " +
                        known);
}

}  // namespace

Transport parse_transport(std::string_view text) { return parse("transport", transports, text); }

std::string_view name(Transport transport) {
  return transports[static_cast<std::size_t>(transport)].first;
}

GpuAwareMpi parse_gpu_aware_mpi(std::string_view text) {
  return parse("GPU-aware MPI", choices, text);
}

Path path_of(Transport transport, const Pair& pair) {
  if (!pair.one_process || transport == Transport::mpi) {
    return pair.gpu_aware && transport != Transport::staged ? Path::mpi : Path::mpi_staged;
  }
  if (transport == Transport::staged) return Path::staged;
  if (pair.one_device) return Path::direct;
  if (pair.connected) return Path::peer;
  if (transport == Transport::peer) {
    throw DeviceUnavailable(
        "transport 'peer': the driver lets two of the devices not copy from each other; use 'auto' "
        "or 'staged'");
  }
  return Path::staged;
}

}  // namespace kolam::comm
