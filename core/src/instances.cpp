// SPDX-License-Identifier: Apache-2.0
#include <kolam/core/detail/instantiate.hpp>
#include <kolam/core/error.hpp>
#include <kolam/core/instances.hpp>
#include <string>

namespace kolam {
namespace {

template <class Exec>
struct Streams {
  static int devices() { return 1; }
  static Exec make(int) { return {}; }
  static void connect(int, int) {}
};

#ifdef KOKKOS_ENABLE_CUDA
// The caller's current device is left as it was.
class CurrentDevice {
 public:
  explicit CurrentDevice(int device) {
    KOKKOS_IMPL_CUDA_SAFE_CALL(cudaGetDevice(&before_));
    KOKKOS_IMPL_CUDA_SAFE_CALL(cudaSetDevice(device));
  }
  ~CurrentDevice() { KOKKOS_IMPL_CUDA_SAFE_CALL(cudaSetDevice(before_)); }
  CurrentDevice(const CurrentDevice&) = delete;
  CurrentDevice& operator=(const CurrentDevice&) = delete;
  CurrentDevice(CurrentDevice&&) = delete;
  CurrentDevice& operator=(CurrentDevice&&) = delete;

 private:
  int before_ = 0;
};

template <>
struct Streams<Kokkos::Cuda> {
  static int devices() { return Kokkos::num_devices(); }
  static Kokkos::Cuda make(int device) {
    const CurrentDevice current(device);
    cudaStream_t stream = nullptr;
    KOKKOS_IMPL_CUDA_SAFE_CALL(cudaStreamCreate(&stream));
    return {stream, Kokkos::Impl::ManageStream::yes};
  }
  static void connect(int here, int there) {
    const CurrentDevice current(here);
    int possible = 0;
    KOKKOS_IMPL_CUDA_SAFE_CALL(cudaDeviceCanAccessPeer(&possible, here, there));
    if (possible == 0) return;  // then the driver goes through the host
    const cudaError_t result = cudaDeviceEnablePeerAccess(there, 0);
    static_cast<void>(cudaGetLastError());
    if (result != cudaErrorPeerAccessAlreadyEnabled) KOKKOS_IMPL_CUDA_SAFE_CALL(result);
  }
};
#endif

// (Of HIP's devices the default one alone: nobody has run several yet.)

}  // namespace

template <ExecutionSpace Exec>
int devices() {
  return Streams<Exec>::devices();
}

template <ExecutionSpace Exec>
std::vector<Exec> make_instances(int count) {
  if (count < 0) {
    throw InvalidArgument("make_instances: " + std::to_string(count) +
                          " instances; there must be 0 or more");
  }
  const int total = devices<Exec>();
  const int first = device_number(Exec{});
  std::vector<Exec> result;
  result.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) result.push_back(Streams<Exec>::make((first + i) % total));
  for (int here = 0; here < total && here < count; ++here) {
    for (int there = 0; there < total && there < count; ++there) {
      if (here != there) Streams<Exec>::connect((first + here) % total, (first + there) % total);
    }
  }
  return result;
}

#define KOLAM_INSTANTIATE(EXEC) \
  template int devices<EXEC>(); \
  template std::vector<EXEC> make_instances<EXEC>(int);
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_INSTANTIATE)

}  // namespace kolam
