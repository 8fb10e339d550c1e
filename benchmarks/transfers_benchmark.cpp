// SPDX-License-Identifier: Apache-2.0
// Copies between host and device by intents whose side is stale, against Kokkos' deep_copy and the
// vendor's call. A build without a device copies to the emulated device, against memcpy.
//
//   transfers/<to_device|to_host>-<pageable|pinned>/double/<bytes>/<backend>[/<baseline>]
//   transfers/peer/double/<bytes>/<backend>   device to device, by Kokkos' deep_copy
#include <cstring>
#include <kolam/core/instances.hpp>
#include <kolam/memory/array.hpp>
#include <kolam/memory/emulation.hpp>
#include <memory>

#include "suite.hpp"

namespace kolam::benchmarks {

using Exec = Kokkos::DefaultExecutionSpace;
using DeviceView = Kokkos::View<double*, Exec::memory_space>;
using HostView = Kokkos::View<double*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

template <class View>
void fill(const View& values) {
  for (std::size_t i = 0; i < values.extent(0); ++i) values(i) = static_cast<double>(i % 97);
}

struct Copy {
  bool to_device;
  bool pinned;
  index_t bytes;

  Name name(const std::string& baseline = {}) const {
    return {"transfers",
            std::string(to_device ? "to_device" : "to_host") + (pinned ? "-pinned" : "-pageable"),
            "double",
            bytes,
            default_backend(),
            baseline};
  }
  std::size_t values() const { return static_cast<std::size_t>(bytes) / 8; }
  Work work() const { return {static_cast<double>(bytes)}; }
};

// Counts the bytes once; T_peak does not apply.
template <class Launch>
void measure_copy(benchmark::State& state, const Copy& copy, const Launch& launch) {
  measure(state, Exec{}, {}, launch);
  count(state, copy.work(), 0);
}

// Writing on one side makes the other stale, and reading there copies.
void add_intents(const Copy& copy) {
  add(copy.name(), [=] {
    const Emulation before = emulation();
    if (one_memory) emulate(Emulation::on);
    const auto array =
        std::make_shared<Array<double>>("array", static_cast<index_t>(copy.values()),
                                        copy.pinned ? MemoryKind::pinned : MemoryKind::paired);
    emulate(before);
    fill(array->write(host));
    static_cast<void>(array->read_write(device));
    const Exec exec;
    const auto launch = [=] {
      if (copy.to_device) {
        static_cast<void>(array->write(host));
        static_cast<void>(array->read(exec));
      } else {
        static_cast<void>(array->write(exec));
        static_cast<void>(array->read(host));
      }
      exec.fence("copied");
    };
    launch();
    check(copy.name().variant + std::to_string(copy.bytes),
          copy.to_device ? checksum(exec, array->read(exec))
                         : checksum(Kokkos::DefaultHostExecutionSpace{}, array->read(host)));
    return [=](benchmark::State& state) { measure_copy(state, copy, launch); };
  });
}

// copy_bytes(to, from, bytes) copies and waits.
template <class CopyBytes>
void add_baseline(const Copy& copy, const std::string& baseline, const CopyBytes& copy_bytes) {
  add(copy.name(baseline), [=] {
    const Exec exec;
    const Kokkos::View<double*, Kokkos::HostSpace> pageable("host",
                                                            copy.pinned ? 0 : copy.values());
    const Kokkos::View<double*, Kokkos::SharedHostPinnedSpace> pinned(
        "host", copy.pinned ? copy.values() : 0);
    const HostView host_side(copy.pinned ? pinned.data() : pageable.data(), copy.values());
    const DeviceView device_side("device", copy.values());
    fill(host_side);
    Kokkos::deep_copy(device_side, host_side);
    const auto launch = [=] {
      static_cast<void>(pageable);
      static_cast<void>(pinned);
      if (copy.to_device) {
        copy_bytes(exec, device_side, host_side);
      } else {
        copy_bytes(exec, host_side, device_side);
      }
    };
    launch();
    check(copy.name().variant + std::to_string(copy.bytes),
          copy.to_device ? checksum(exec, device_side)
                         : checksum(Kokkos::DefaultHostExecutionSpace{}, host_side));
    return [=](benchmark::State& state) { measure_copy(state, copy, launch); };
  });
}

void add_peers(index_t bytes) {
  add({"transfers", "peer", "double", bytes, default_backend()}, [=] {
    const std::vector<Exec> both = make_instances<Exec>(2);
    const auto size = static_cast<std::size_t>(bytes) / 8;
    const auto on = [&](const Exec& exec) {
      return DeviceView(Kokkos::view_alloc(exec, std::string("peer")), size);
    };
    const DeviceView from = on(both[0]);
    const DeviceView to = on(both[1]);
    return [=](benchmark::State& state) {
      measure_copy(state, {true, true, bytes}, [&] {
        Kokkos::deep_copy(both[1], to, from);
        both[1].fence("copied");
      });
    };
  });
}

void add_all() {
  const auto sizes = options().by_scale<std::vector<index_t>>(
      {1 << 12}, {1 << 12, 1 << 18, 1 << 24},
      {1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 24, 1 << 26, 1 << 28});
  for (const index_t bytes : sizes) {
    for (const bool to_device : {true, false}) {
      for (const bool pinned : {false, true}) {
        const Copy copy{to_device, pinned, bytes};
        if constexpr (one_memory) {
          if (pinned) continue;
          add_baseline(copy, "memcpy", [](const Exec&, const auto& to, const auto& from) {
            std::memcpy(to.data(), from.data(), to.extent(0) * sizeof(double));
          });
        } else {
          add_baseline(copy, "kokkos", [](const Exec& exec, const auto& to, const auto& from) {
            Kokkos::deep_copy(exec, to, from);
            exec.fence("copied");
          });
        }
#ifdef KOKKOS_ENABLE_CUDA
        add_baseline(copy, "cuda", [](const Exec& exec, const auto& to, const auto& from) {
          cudaMemcpyAsync(to.data(), from.data(), to.extent(0) * sizeof(double), cudaMemcpyDefault,
                          exec.cuda_stream());
          cudaStreamSynchronize(exec.cuda_stream());
        });
#endif
        add_intents(copy);
      }
    }
    if (devices<Exec>() > 1) add_peers(bytes);
  }
}

}  // namespace kolam::benchmarks

int main(int argc, char** argv) {
  return kolam::benchmarks::run_suite(argc, argv, kolam::benchmarks::add_all);
}
