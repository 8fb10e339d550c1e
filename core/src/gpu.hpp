// SPDX-License-Identifier: Apache-2.0
// Common names for the vendors' streams and events. A build has at most one kind of GPU.
#pragma once

#include <Kokkos_Core.hpp>
#include <concepts>
#include <kolam/core/error.hpp>
#include <string>

namespace kolam::gpu {

/// Throws Error for a failed call of the vendor's library.
[[noreturn]] inline void throw_failed(const char* call, const char* name, const char* text) {
  throw Error(std::string(call) + " failed: " + name + " (" + text +
              "); if the call itself is in order, a kernel before it is not: run the program under "
              "compute-sanitizer or rocgdb");
}

#if defined(KOKKOS_ENABLE_CUDA)
using Exec = Kokkos::Cuda;
using Stream = cudaStream_t;
using EventHandle = cudaEvent_t;
inline void check(const char* call, cudaError_t result) {
  if (result != cudaSuccess)
    throw_failed(call, cudaGetErrorName(result), cudaGetErrorString(result));
}
inline Stream stream(const Exec& exec) { return exec.cuda_stream(); }
inline int device(const Exec& exec) { return exec.cuda_device(); }
inline void get_device(int& number) { check("cudaGetDevice", cudaGetDevice(&number)); }
inline void set_device(int number) { check("cudaSetDevice", cudaSetDevice(number)); }
inline void create(EventHandle& event) {
  check("cudaEventCreateWithFlags", cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
}
// (At program exit the driver may shut down before the last event is destroyed.)
inline void destroy(EventHandle event) { static_cast<void>(cudaEventDestroy(event)); }
inline void record(EventHandle event, Stream stream) {
  check("cudaEventRecord", cudaEventRecord(event, stream));
}
inline void wait(Stream stream, EventHandle event) {
  check("cudaStreamWaitEvent", cudaStreamWaitEvent(stream, event, 0));
}
inline void wait_on_host(EventHandle event) {
  check("cudaEventSynchronize", cudaEventSynchronize(event));
}
#elif defined(KOKKOS_ENABLE_HIP)
using Exec = Kokkos::HIP;
using Stream = hipStream_t;
using EventHandle = hipEvent_t;
inline void check(const char* call, hipError_t result) {
  if (result != hipSuccess) throw_failed(call, hipGetErrorName(result), hipGetErrorString(result));
}
inline Stream stream(const Exec& exec) { return exec.hip_stream(); }
inline int device(const Exec& exec) { return exec.hip_device(); }
inline void get_device(int& number) { check("hipGetDevice", hipGetDevice(&number)); }
inline void set_device(int number) { check("hipSetDevice", hipSetDevice(number)); }
inline void create(EventHandle& event) {
  check("hipEventCreateWithFlags", hipEventCreateWithFlags(&event, hipEventDisableTiming));
}
inline void destroy(EventHandle event) { static_cast<void>(hipEventDestroy(event)); }
inline void record(EventHandle event, Stream stream) {
  check("hipEventRecord", hipEventRecord(event, stream));
}
inline void wait(Stream stream, EventHandle event) {
  check("hipStreamWaitEvent", hipStreamWaitEvent(stream, event, 0));
}
inline void wait_on_host(EventHandle event) {
  check("hipEventSynchronize", hipEventSynchronize(event));
}
#else
using Exec = void;
#endif

/// Whether `Space` is the GPU backend of this build, which has events.
template <class Space>
concept HasEvents = std::same_as<Space, Exec>;

#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
/// A scope in which device `number` is current; the destructor restores the previous device.
class CurrentDevice {
 public:
  explicit CurrentDevice(int number) {
    get_device(before_);
    set_device(number);
  }
  ~CurrentDevice() { set_device(before_); }
  CurrentDevice(const CurrentDevice&) = delete;
  CurrentDevice& operator=(const CurrentDevice&) = delete;
  CurrentDevice(CurrentDevice&&) = delete;
  CurrentDevice& operator=(CurrentDevice&&) = delete;

 private:
  int before_ = 0;
};
#endif

}  // namespace kolam::gpu
