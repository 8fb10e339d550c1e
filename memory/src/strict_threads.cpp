// SPDX-License-Identifier: Apache-2.0
#ifdef __linux__

#include <Kokkos_Core.hpp>
#include <atomic>
#include <cstring>
#include <kolam/memory/detail/strict_keys.hpp>
#include <kolam/memory/detail/strict_threads.hpp>
#include <mutex>
#include <string_view>

#ifdef KOKKOS_ENABLE_OPENMP
#include <omp.h>
#endif

#include "strict_windows.hpp"

namespace kolam::detail {
namespace {

namespace Tools = Kokkos::Tools::Experimental;

struct Frame {
  CodeOf code;
  bool kernel;
  bool counted;  // among device_kernels
  bool closes;   // closes the host's pages while it runs
  char label[108];
};
constexpr int most_frames = 16;

// Plain data, because the fault handler reads it.
thread_local Frame frames[most_frames];
thread_local int depth = 0;          // may exceed the number of frames
thread_local bool is_known = false;  // whether this thread's frames tell its code
thread_local int both_sides = 0;     // number of open scopes
std::atomic<int> all_both_sides{0};  // of all threads

std::atomic<bool> watching{false};
std::atomic<int> device_kernels{0};               // running, on all threads
std::atomic<int> closing_kernels{0};              // of these, kernels that are not Kokkos' own
std::atomic<const char*> latest_kernel{nullptr};  // its label, for threads that were not told

Tools::EventSet next;  // callbacks of other tools

// Gives this thread the key rights of the code that it runs.
void take_rights() {
  is_known = true;
  if (strict_keys().used) open_keys_for(running_code());
}

void enter(const Frame& frame) {
  if (depth < most_frames) frames[depth] = frame;
  ++depth;
  take_rights();
}
// Removes the last frame of this thread.
void leave() {
  if (depth > 0) --depth;
  take_rights();
}

// Begins, or ends, a frame that concerns all threads.
void count(Frame& frame) {
  device_kernels.fetch_add(1);
  frame.counted = true;
  frame.closes = frame.code == CodeOf::device && !strict_keys().used;
  if (frame.closes && closing_kernels.fetch_add(1) == 0) StrictWindows::get().kernels_run(true);
}
void discount(const Frame& frame) {
  if (frame.counted) device_kernels.fetch_sub(1);
  if (frame.closes && closing_kernels.fetch_sub(1) == 1) StrictWindows::get().kernels_run(false);
  if (frame.code == CodeOf::both && !strict_keys().used) StrictWindows::get().code_of_both_ends();
}

// Kernels of other backends may run on threads unknown to this module.
template <class Exec>
constexpr bool is_serial() {
#ifdef KOKKOS_ENABLE_SERIAL
  return std::is_same_v<Exec, Kokkos::Serial>;
#else
  return false;
#endif
}
template <class Exec>
constexpr bool is_openmp() {
#ifdef KOKKOS_ENABLE_OPENMP
  return std::is_same_v<Exec, Kokkos::OpenMP>;
#else
  return false;
#endif
}
constexpr bool knows_workers =
    is_serial<Kokkos::DefaultExecutionSpace>() || is_openmp<Kokkos::DefaultExecutionSpace>();

// Calls `f` on the other threads that run this thread's kernels.
template <class F>
void on_workers([[maybe_unused]] F f) {
#ifdef KOKKOS_ENABLE_OPENMP
  if constexpr (is_openmp<Kokkos::DefaultExecutionSpace>()) {
    const int threads = omp_in_parallel() != 0 ? 1 : Kokkos::OpenMP().concurrency();
    if (threads < 2) return;
#pragma omp parallel num_threads(threads)
    if (omp_get_thread_num() != 0) f();
  }
#endif
}

Frame frame_of(CodeOf code, bool kernel, const char* label) {
  Frame frame{code, kernel, false, false, {}};
  std::strncpy(frame.label, label, sizeof frame.label - 1);
  return frame;
}

bool on_device(std::uint32_t device) {
  return Tools::identifier_from_devid(device).type ==
         Tools::DeviceTypeTraits<Kokkos::DefaultExecutionSpace>::id;
}

void begin_kernel(const char* label, std::uint32_t device) {
  const bool of_device = on_device(device);
  // Kernels of Kokkos, and the copy of a halo, fill and copy Views of either side.
  const std::string_view name = label;
  const bool copies = name.starts_with("Kokkos::") || name.starts_with("kolam::copy");
  const CodeOf code = copies ? CodeOf::both : of_device ? CodeOf::device : running_code();
  Frame frame = frame_of(code, true, label);
  if (of_device) {
    on_workers([&] { enter(frame); });
    if (depth < most_frames) count(frame);
  }
  enter(frame);
  if (of_device && depth <= most_frames) latest_kernel = frames[depth - 1].label;
}

void end_kernel() {
  if (depth > 0 && depth <= most_frames) {
    const Frame& frame = frames[depth - 1];
    if (frame.counted) latest_kernel = nullptr;
    if (frame.counted) on_workers([] { leave(); });
    discount(frame);
  }
  leave();
}

void begin_for(const char* label, std::uint32_t device, std::uint64_t* id) {
  if (next.begin_parallel_for != nullptr) next.begin_parallel_for(label, device, id);
  begin_kernel(label, device);
}
void begin_reduce(const char* label, std::uint32_t device, std::uint64_t* id) {
  if (next.begin_parallel_reduce != nullptr) next.begin_parallel_reduce(label, device, id);
  begin_kernel(label, device);
}
void begin_scan(const char* label, std::uint32_t device, std::uint64_t* id) {
  if (next.begin_parallel_scan != nullptr) next.begin_parallel_scan(label, device, id);
  begin_kernel(label, device);
}
void end_for(std::uint64_t id) {
  end_kernel();
  if (next.end_parallel_for != nullptr) next.end_parallel_for(id);
}
void end_reduce(std::uint64_t id) {
  end_kernel();
  if (next.end_parallel_reduce != nullptr) next.end_parallel_reduce(id);
}
void end_scan(std::uint64_t id) {
  end_kernel();
  if (next.end_parallel_scan != nullptr) next.end_parallel_scan(id);
}

void begin_copy(Kokkos::Tools::SpaceHandle to, const char* to_label, const void* to_data,
                Kokkos::Tools::SpaceHandle from, const char* from_label, const void* from_data,
                std::uint64_t bytes) {
  if (next.begin_deep_copy != nullptr) {
    next.begin_deep_copy(to, to_label, to_data, from, from_label, from_data, bytes);
  }
  enter(frame_of(CodeOf::both, false, ""));
}
void end_copy() {
  if (depth > 0 && depth <= most_frames) discount(frames[depth - 1]);
  leave();
  if (next.end_deep_copy != nullptr) next.end_deep_copy();
}

void end_of_both() {
  take_rights();
  if (!strict_keys().used) StrictWindows::get().code_of_both_ends();
}

}  // namespace

CodeOf running_code() {
  if (depth > 0) return depth <= most_frames ? frames[depth - 1].code : CodeOf::both;
  if (both_sides > 0) return CodeOf::both;
  // A thread that was not told of a kernel may still be running one.
  const bool known = is_known && knows_workers;
  return known || device_kernels.load() == 0 ? CodeOf::host : CodeOf::both;
}

const char* running_kernel() {
  for (int d = depth < most_frames ? depth : most_frames; d-- > 0;) {
    if (frames[d].kernel) return frames[d].label;
  }
  return is_known || knows_workers ? nullptr : latest_kernel.load();
}

void outside_of_kernels() {
  for (; depth > 0; --depth) {
    if (depth <= most_frames) discount(frames[depth - 1]);
  }
  take_rights();
}

bool anybody_on_both_sides() { return all_both_sides.load() > 0; }

// (Before the first strict array there is nothing to track, and there are no keys.)
void begin_both_sides() {
  ++both_sides;
  ++all_both_sides;
  if (!watching.load()) return;
  StrictWindows::get().scope_of_both_begins();
  take_rights();
}
void end_both_sides() {
  --both_sides;
  --all_both_sides;
  if (watching.load()) end_of_both();
}

void watch_kernels() {
  static std::once_flag once;
  std::call_once(once, [] {
    strict_keys();
    watching = true;
    next = Tools::get_callbacks();
    Tools::set_begin_parallel_for_callback(begin_for);
    Tools::set_end_parallel_for_callback(end_for);
    Tools::set_begin_parallel_reduce_callback(begin_reduce);
    Tools::set_end_parallel_reduce_callback(end_reduce);
    Tools::set_begin_parallel_scan_callback(begin_scan);
    Tools::set_end_parallel_scan_callback(end_scan);
    Tools::set_begin_deep_copy_callback(begin_copy);
    Tools::set_end_deep_copy_callback(end_copy);
    // (No callbacks for regions: with a listener, their end allocates memory, and must not fail.)
  });
}

}  // namespace kolam::detail

#endif
