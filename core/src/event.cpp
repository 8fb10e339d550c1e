// SPDX-License-Identifier: Apache-2.0
// Kokkos has no events, so kolam uses those of the vendors.
#include <cstdint>
#include <kolam/core/detail/instantiate.hpp>
#include <kolam/core/event.hpp>
#include <optional>

#include "gpu.hpp"

namespace kolam {

// Without vendor events: holds the instance, which is fenced once for all waits.
template <ExecutionSpace Exec>
struct Event<Exec>::Mark {
  void record(const Exec& instance) { unfenced.emplace(instance); }
  bool order_before(const Exec&, const std::string& why) { return wait(why); }
  bool wait(const std::string& why) {
    if (!unfenced) return false;
    unfenced->fence(why);
    unfenced.reset();
    return true;
  }

  std::optional<Exec> unfenced;
};

#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
// An event and the stream that it is recorded in must belong to one device.
template <>
struct Event<gpu::Exec>::Mark {
  Mark() = default;
  ~Mark() { drop(); }
  Mark(const Mark&) = delete;
  Mark& operator=(const Mark&) = delete;
  Mark(Mark&&) = delete;
  Mark& operator=(Mark&&) = delete;

  void record(const gpu::Exec& instance) {
    const gpu::CurrentDevice current(gpu::device(instance));
    if (event != nullptr && device != gpu::device(instance)) drop();
    if (event == nullptr) gpu::create(event);
    device = gpu::device(instance);
    gpu::record(event, gpu::stream(instance));
  }
  bool order_before(const gpu::Exec& later, const std::string&) const {
    if (event == nullptr) return false;
    const gpu::CurrentDevice current(gpu::device(later));
    gpu::wait(gpu::stream(later), event);
    return false;
  }
  // Reports the wait to Kokkos' tools.
  bool wait(const std::string& why) const {
    if (event == nullptr) return false;
    std::uint64_t fence = 0;
    Kokkos::Tools::beginFence(why, Kokkos::Tools::Experimental::device_id_root<gpu::Exec>(),
                              &fence);
    gpu::wait_on_host(event);
    Kokkos::Tools::endFence(fence);
    return true;
  }
  void drop() {
    if (event != nullptr) gpu::destroy(event);  // freed when the last wait is over
    event = nullptr;
  }

  gpu::EventHandle event = nullptr;
  int device = 0;
};
#endif

template <ExecutionSpace Exec>
Event<Exec>::Event() : mark_(std::make_unique<Mark>()) {}
template <ExecutionSpace Exec>
Event<Exec>::~Event() = default;
template <ExecutionSpace Exec>
Event<Exec>::Event(Event&&) noexcept = default;
template <ExecutionSpace Exec>
Event<Exec>& Event<Exec>::operator=(Event&&) noexcept = default;

template <ExecutionSpace Exec>
void Event<Exec>::record(const Exec& instance) {
  mark_->record(instance);
}

template <ExecutionSpace Exec>
bool Event<Exec>::order_before(const Exec& later, const std::string& why) const {
  return mark_->order_before(later, why);
}

template <ExecutionSpace Exec>
void Event<Exec>::wait(const std::string& why) const {
  mark_->wait(why);
}

#define KOLAM_INSTANTIATE(EXEC) template class Event<EXEC>;
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_INSTANTIATE)

}  // namespace kolam
