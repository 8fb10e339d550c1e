// SPDX-License-Identifier: Apache-2.0
// Events are the vendors' own: Kokkos has none.
#include <kolam/core/instance.hpp>
#include <type_traits>

namespace kolam {
namespace {

#ifdef KOKKOS_ENABLE_CUDA
// The event and the stream that it is recorded in must belong to one device; the caller's current
// device is left as it was.
void order(const Kokkos::Cuda& later, const Kokkos::Cuda& earlier) {
  int current = 0;
  KOKKOS_IMPL_CUDA_SAFE_CALL(cudaGetDevice(&current));
  KOKKOS_IMPL_CUDA_SAFE_CALL(cudaSetDevice(earlier.cuda_device()));
  cudaEvent_t event = nullptr;
  KOKKOS_IMPL_CUDA_SAFE_CALL(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  KOKKOS_IMPL_CUDA_SAFE_CALL(cudaEventRecord(event, earlier.cuda_stream()));
  KOKKOS_IMPL_CUDA_SAFE_CALL(cudaSetDevice(later.cuda_device()));
  KOKKOS_IMPL_CUDA_SAFE_CALL(cudaStreamWaitEvent(later.cuda_stream(), event, 0));
  KOKKOS_IMPL_CUDA_SAFE_CALL(cudaEventDestroy(event));  // freed when the wait is over
  KOKKOS_IMPL_CUDA_SAFE_CALL(cudaSetDevice(current));
}
#endif

#ifdef KOKKOS_ENABLE_HIP
void order(const Kokkos::HIP& later, const Kokkos::HIP& earlier) {
  hipEvent_t event = nullptr;
  KOKKOS_IMPL_HIP_SAFE_CALL(hipEventCreateWithFlags(&event, hipEventDisableTiming));
  KOKKOS_IMPL_HIP_SAFE_CALL(hipEventRecord(event, earlier.hip_stream()));
  KOKKOS_IMPL_HIP_SAFE_CALL(hipStreamWaitEvent(later.hip_stream(), event, 0));
  KOKKOS_IMPL_HIP_SAFE_CALL(hipEventDestroy(event));
}
#endif

template <class Later, class Earlier>
concept OrderedOnDevice = requires(const Later& later, const Earlier& earlier) {
  order(later, earlier);
};

}  // namespace

void Instance::fence(const std::string& why) const {
  visit([&](const auto& exec) { exec.fence(why); });
}

bool Instance::wait_for(const Instance& earlier, const std::string& why) const {
  return visit([&](const auto& later) {
    return earlier.visit([&](const auto& before) {
      if constexpr (OrderedOnDevice<std::decay_t<decltype(later)>,
                                    std::decay_t<decltype(before)>>) {
        order(later, before);
        return false;
      } else {
        before.fence(why);
        return true;
      }
    });
  });
}

}  // namespace kolam
