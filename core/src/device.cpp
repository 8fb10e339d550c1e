// SPDX-License-Identifier: Apache-2.0
// Properties of devices, which come from the vendors' own calls.
#include <unistd.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <fstream>
#include <kolam/core/detail/allocate.hpp>
#include <kolam/core/detail/host_cache.hpp>
#include <kolam/core/device.hpp>
#include <kolam/core/error.hpp>
#include <limits>
#include <sstream>
#include <string>

namespace kolam {
namespace {

std::string line_after(const char* file, const std::string& key) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    const auto colon = line.find(':');
    if (line.starts_with(key) && colon != std::string::npos) {
      return line.substr(line.find_first_not_of(" \t", colon + 1));
    }
  }
  return {};
}

std::uint64_t meminfo(const std::string& key, std::uint64_t otherwise) {
  const std::string text = line_after("/proc/meminfo", key);
  return text.empty() ? otherwise : std::stoull(text) * 1024;
}

std::uint64_t pages(int name) { return static_cast<std::uint64_t>(std::max(0L, sysconf(name))); }

std::uint64_t number_in(const char* file, std::uint64_t otherwise) {
  std::ifstream in(file);
  std::uint64_t value = 0;
  return in >> value ? value : otherwise;
}

// Returns the bytes that the control group still allows; "max", not a number, means no limit.
std::uint64_t control_group_left() {
  constexpr auto unlimited = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t limit = number_in("/sys/fs/cgroup/memory.max", unlimited);
  const std::uint64_t used = number_in("/sys/fs/cgroup/memory.current", 0);
  return limit == unlimited ? unlimited : limit - std::min(limit, used);
}

template <class Exec>
struct Describe {  // host backends
  static void device(Device& d) {
    d.name = line_after("/proc/cpuinfo", "model name");
    if (d.name.empty()) d.name = "host processor";
    // If /proc is missing, the system call knows less: it does not count memory that caches would
    // release.
    const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    d.memory_total = meminfo("MemTotal", page * pages(_SC_PHYS_PAGES));
    d.memory_available =
        std::min(meminfo("MemAvailable", page * pages(_SC_AVPHYS_PAGES)), control_group_left());
    d.last_level_cache = detail::host_cache_bytes();
  }
};

#ifdef KOKKOS_ENABLE_CUDA
template <>
struct Describe<Kokkos::Cuda> {
  static void device(Device& d) {
    const cudaDeviceProp& properties = Kokkos::Cuda{}.cuda_device_prop();
    d.name = properties.name;
    d.last_level_cache = static_cast<std::uint64_t>(properties.l2CacheSize);
    std::size_t available = 0;
    std::size_t total = 0;
    if (cudaMemGetInfo(&available, &total) != cudaSuccess) available = total = 0;
    d.memory_total = total;
    d.memory_available = available;
  }
};
#endif

#ifdef KOKKOS_ENABLE_HIP
template <>
struct Describe<Kokkos::HIP> {
  static void device(Device& d) {
    const hipDeviceProp_t& properties = Kokkos::HIP::hip_device_prop();
    d.name = properties.name;
    d.last_level_cache = static_cast<std::uint64_t>(properties.l2CacheSize);
    std::size_t available = 0;
    std::size_t total = 0;
    if (hipMemGetInfo(&available, &total) != hipSuccess) available = total = 0;
    d.memory_total = total;
    d.memory_available = available;
  }
};
#endif

#ifdef KOKKOS_ENABLE_SYCL
template <>
struct Describe<Kokkos::SYCL> {
  static void device(Device& d) {
    const sycl::device device = Kokkos::SYCL{}.sycl_queue().get_device();
    d.name = device.get_info<sycl::info::device::name>();
    d.last_level_cache = device.get_info<sycl::info::device::global_mem_cache_size>();
    d.memory_total = device.get_info<sycl::info::device::global_mem_size>();
    d.memory_available = d.memory_total;  // SYCL does not report the memory in use
  }
};
#endif

}  // namespace

Device device_of(Backend backend) {
  return with_backend(backend, [&](const auto& exec) {
    Device d{};
    d.backend = backend;
    d.concurrency = exec.concurrency();
    Describe<std::decay_t<decltype(exec)>>::device(d);
    return d;
  });
}

void require_memory(Backend backend, const std::string& label, std::uint64_t bytes) {
  const Device d = device_of(backend);
  if (bytes > d.memory_available) detail::throw_out_of_memory(d, label, bytes);
}

namespace detail {

void throw_out_of_memory(const Device& device, const std::string& label, std::uint64_t bytes) {
  throw OutOfMemory(label, "the memory of " + device.name, bytes, device.memory_available);
}

void require_usable_devices() {
#ifdef KOKKOS_ENABLE_CUDA
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess || count == 0) {
    throw DeviceUnavailable(
        std::string("backend 'cuda' is in this build, but no GPU can be used (") +
        (status != cudaSuccess ? cudaGetErrorString(status) : "none found") +
        "); run where there is one, or use a build without -DKokkos_ENABLE_CUDA=ON");
  }
#endif
#ifdef KOKKOS_ENABLE_HIP
  int hip_count = 0;
  const hipError_t hip_status = hipGetDeviceCount(&hip_count);
  if (hip_status != hipSuccess || hip_count == 0) {
    throw DeviceUnavailable(
        std::string("backend 'hip' is in this build, but no GPU can be used (") +
        (hip_status != hipSuccess ? hipGetErrorString(hip_status) : "none found") +
        "); run where there is one, or use a build without -DKokkos_ENABLE_HIP=ON");
  }
#endif
}

}  // namespace detail
}  // namespace kolam
