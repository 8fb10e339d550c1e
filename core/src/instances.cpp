// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <kolam/core/detail/instantiate.hpp>
#include <kolam/core/error.hpp>
#include <kolam/core/index.hpp>
#include <kolam/core/instances.hpp>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "gpu.hpp"

namespace kolam {
namespace {

template <class Exec>
struct Streams {
  static int devices() { return 1; }
  static Exec make(int, bool, std::size_t) { return {}; }
  static bool connect(int here, int there) { return here == there; }
};

#ifdef KOKKOS_ENABLE_CUDA
// Streams of one device, handed out in turn. Kokkos does not own the stream of an instance, and the
// destruction of an instance's last copy cannot be detected. So streams live as long as the
// process, and their number is limited. (PyTorch does the same.)
class StreamRing {
 public:
  // Returns a stream; `at_once` successive calls return different streams.
  cudaStream_t next(std::size_t at_once, int priority) {
    const std::size_t most = std::max<std::size_t>(streams_per_device, at_once);
    if (next_ == streams_.size() && streams_.size() < most) {
      cudaStream_t stream = nullptr;
      gpu::check("cudaStreamCreateWithPriority",
                 cudaStreamCreateWithPriority(&stream, cudaStreamDefault, priority));
      streams_.push_back(stream);
    }
    if (next_ == streams_.size()) next_ = 0;
    return streams_[next_++];
  }

 private:
  static constexpr std::size_t streams_per_device = 32;
  std::vector<cudaStream_t> streams_;
  std::size_t next_ = 0;
};

template <>
struct Streams<Kokkos::Cuda> {
  static int devices() { return Kokkos::num_devices(); }
  static Kokkos::Cuda make(int device, bool urgent, std::size_t at_once) {
    const gpu::CurrentDevice current(device);
    int least = 0;
    int greatest = 0;
    gpu::check("cudaDeviceGetStreamPriorityRange",
               cudaDeviceGetStreamPriorityRange(&least, &greatest));
    static std::mutex guard;
    static std::map<std::pair<int, bool>, StreamRing> rings;
    const std::scoped_lock lock(guard);
    return Kokkos::Cuda(rings[{device, urgent}].next(at_once, urgent ? greatest : least));
  }
  // (Asks once for each pair: a second request is an error, which memory checkers report.)
  static bool connect(int here, int there) {
    if (here == there) return true;
    static std::mutex guard;
    static std::map<std::pair<int, int>, bool> connected;
    const std::scoped_lock lock(guard);
    const auto known = connected.find({here, there});
    if (known != connected.end()) return known->second;
    return connected[{here, there}] = enable_access(here, there);
  }
  static bool enable_access(int here, int there) {
    const gpu::CurrentDevice current(here);
    int possible = 0;
    gpu::check("cudaDeviceCanAccessPeer", cudaDeviceCanAccessPeer(&possible, here, there));
    if (possible == 0) return false;  // the driver then copies through the host
    const cudaError_t result = cudaDeviceEnablePeerAccess(there, 0);
    static_cast<void>(cudaGetLastError());
    if (result != cudaErrorPeerAccessAlreadyEnabled)
      gpu::check("cudaDeviceEnablePeerAccess", result);
    return true;
  }
};
#endif

// (HIP uses only its default device: several have not been tried yet.)

}  // namespace

template <ExecutionSpace Exec>
int devices() {
  return Streams<Exec>::devices();
}

template <ExecutionSpace Exec>
bool connect(const Exec& here, const Exec& there) {
  return Streams<Exec>::connect(device_number(here), device_number(there));
}

template <ExecutionSpace Exec>
std::vector<Exec> make_instances(int count, int every) {
  if (count < 0 || every < 1) {
    throw InvalidArgument("make_instances: " + std::to_string(count) + " instances on every " +
                          std::to_string(every) +
                          "th device; there must be 0 or more on every 1st or a later one");
  }
  const index_t total = devices<Exec>();
  const index_t first = device_number(Exec{});
  std::vector<int> used;
  std::vector<Exec> result;
  result.reserve(static_cast<std::size_t>(count));
  for (index_t i = 0; i < count; ++i) {
    const int device = static_cast<int>((first + i * every) % total);
    if (std::find(used.begin(), used.end(), device) == used.end()) used.push_back(device);
    result.push_back(Streams<Exec>::make(device, true, static_cast<std::size_t>(count)));
  }
  for (const int here : used) {
    for (const int there : used) Streams<Exec>::connect(here, there);
  }
  return result;
}

template <ExecutionSpace Exec>
Exec instance_beside(const Exec& exec) {
  if constexpr (has_block_threads<Exec>) {
    return Streams<Exec>::make(device_number(exec), false, 1);
  } else {
    return exec;
  }
}

#define KOLAM_INSTANTIATE(EXEC)                          \
  template int devices<EXEC>();                          \
  template EXEC instance_beside<EXEC>(const EXEC&);      \
  template bool connect<EXEC>(const EXEC&, const EXEC&); \
  template std::vector<EXEC> make_instances<EXEC>(int, int);
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_INSTANTIATE)

}  // namespace kolam
