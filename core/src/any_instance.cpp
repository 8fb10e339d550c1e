// SPDX-License-Identifier: Apache-2.0
#include <kolam/core/any_instance.hpp>
#include <kolam/core/event.hpp>
#include <kolam/core/instances.hpp>
#include <type_traits>

#include "gpu.hpp"

namespace kolam {

void AnyInstance::fence(const std::string& why) const {
  visit([&](const auto& exec) { exec.fence(why); });
}

int AnyInstance::device() const {
  return visit([](const auto& exec) { return device_number(exec); });
}

bool AnyInstance::wait_for(const AnyInstance& earlier, const std::string& why) const {
  return visit([&](const auto& later) {
    return earlier.visit([&](const auto& before) {
      using Later = std::decay_t<decltype(later)>;
      if constexpr (gpu::HasEvents<Later> &&
                    std::is_same_v<Later, std::decay_t<decltype(before)>>) {
        Event<Later> event;
        event.record(before);
        return event.order_before(later, why);
      } else {
        before.fence(why);
        return true;
      }
    });
  });
}

}  // namespace kolam
