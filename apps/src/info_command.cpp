// SPDX-License-Identifier: Apache-2.0
#include "info_command.hpp"

#include <fmt/format.h>

#include <iterator>
#include <kolam/comm/decomposition.hpp>
#include <kolam/comm/processes.hpp>
#include <kolam/core/backend.hpp>
#include <kolam/core/bandwidth.hpp>
#include <kolam/core/device.hpp>
#include <kolam/core/error.hpp>
#include <kolam/core/instances.hpp>
#include <kolam/core/version.hpp>
#include <kolam/grid/halo_exchange.hpp>
#include <kolam/io/file.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "failure.hpp"
#include "standard_streams.hpp"

namespace kolam::app {
namespace {

struct BackendInfo {
  Device device;
  std::string halos;
  std::optional<Bandwidth> bandwidth;
};

// Returns the transport of halos between subdomains, one per device; two if there is only one.
template <class Exec>
std::string halo_path(const Exec&, const Communicator& communicator) {
  const int here = comm::devices_here<Exec>(communicator);
  const int share = here * communicator.size() > 1 ? here : 2;
  const comm::Decomposition<2> stripes({1, share * communicator.size()},
                                       {1, share * communicator.size()});
  const std::vector<Exec> instances = make_instances<Exec>(share, communicator.host_size());
  return grid::HaloExchange<2, Exec>(instances, stripes, 1, grid::Ghosts::faces, communicator)
      .transport();
}

// All processes call it; rank 0 measures the bandwidth.
std::vector<BackendInfo> collect(bool with_bandwidth, const Communicator& communicator) {
  std::vector<BackendInfo> all;
  for (const Backend backend : backends()) {
    all.push_back(
        {device_of(backend),
         with_backend(backend, [&](const auto& exec) { return halo_path(exec, communicator); }),
         std::nullopt});
    if (!with_bandwidth || communicator.rank() != 0) continue;
    all.back().bandwidth =
        with_backend(backend, [](const auto& exec) { return measure_bandwidth(exec); });
  }
  return all;
}

std::string as_json(const std::vector<BackendInfo>& all) {
  using Json = nlohmann::ordered_json;
  const BuildInfo& build = build_info();
  Json json{{"program", "kolam info"},
            {"version", build.version},
            {"git_commit", build.git_commit},
            {"build_type", build.build_type},
            {"compiler", build.compiler},
            {"compiler_flags", build.compiler_flags},
            {"kokkos_version", build.kokkos_version},
            {"kokkos_source", build.kokkos_source},
            {"mpi", comm::mpi_library() ? Json(*comm::mpi_library()) : Json(nullptr)},
            {"backends", Json::array()}};
  for (const BackendInfo& info : all) {
    const Device& d = info.device;
    Json entry{{"backend", name(d.backend)},
               {"device", d.name},
               {"concurrency", d.concurrency},
               {"memory_total_bytes", d.memory_total},
               {"memory_available_bytes", d.memory_available},
               {"last_level_cache_bytes", d.last_level_cache},
               {"halos", info.halos}};
    if (info.bandwidth) {
      entry["copy_gbs"] = info.bandwidth->copy_gbs;
      entry["triad_gbs"] = info.bandwidth->triad_gbs;
      entry["t_peak_gbs"] = info.bandwidth->peak_gbs();
      entry["array_bytes"] = info.bandwidth->array_bytes;
    }
    json["backends"].push_back(entry);
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string as_text(const std::vector<BackendInfo>& all) {
  const BuildInfo& build = build_info();
  std::string text;
  const auto row = [&text](std::string_view label, const std::string& value) {
    fmt::format_to(std::back_inserter(text), "{:<14}{}\n", label, value);
  };
  row("kolam", fmt::format("{}, commit {}, {}", build.version, build.git_commit, build.build_type));
  row("compiler", build.compiler);
  row("flags", build.compiler_flags);
  row("Kokkos", fmt::format("{} from {}", build.kokkos_version, build.kokkos_source));
  row("MPI", comm::mpi_library().value_or("off"));
  for (const auto& [d, halos, bandwidth] : all) {
    text += '\n';
    row("backend", std::string(name(d.backend)));
    row("  device", d.name);
    row("  threads", std::to_string(d.concurrency));
    row("  memory", fmt::format("{} available of {}", format_bytes(d.memory_available),
                                format_bytes(d.memory_total)));
    row("  last cache", d.last_level_cache == 0 ? "unknown" : format_bytes(d.last_level_cache));
    row("  halos", halos);
    if (!bandwidth) continue;
    row("  copy", fmt::format("{:.1f} GB/s", bandwidth->copy_gbs));
    row("  triad", fmt::format("{:.1f} GB/s", bandwidth->triad_gbs));
    row("  T_peak", fmt::format("{:.1f} GB/s, arrays of {}", bandwidth->peak_gbs(),
                                format_bytes(bandwidth->array_bytes)));
  }
  return text;
}

}  // namespace

int execute(const InfoRequest& request, const Communicator& communicator) {
  const std::vector<BackendInfo> all = collect(request.bandwidth, communicator);
  if (communicator.rank() != 0) return done;
  if (!request.json.empty() && request.json != "-") write_file(request.json, as_json(all));
  print(request.json == "-" ? as_json(all) : as_text(all));
  return done;
}

}  // namespace kolam::app
