// SPDX-License-Identifier: Apache-2.0
// Counts fences, because on a CPU wrong results do not reveal a missing one.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace kolam::testing {

/// Records the fences of the process while it exists, through Kokkos' tool interface. One at a
/// time.
class Fences {
 public:
  Fences() : before_(Kokkos::Tools::Experimental::get_callbacks().begin_fence) {
    seen().clear();
    next() = before_;
    Kokkos::Tools::Experimental::set_begin_fence_callback(see);
  }
  ~Fences() { Kokkos::Tools::Experimental::set_begin_fence_callback(before_); }
  Fences(const Fences&) = delete;
  Fences& operator=(const Fences&) = delete;
  Fences(Fences&&) = delete;
  Fences& operator=(Fences&&) = delete;

  /// Returns the number of fences of this name since the last call with it.
  int named(const std::string& name) { return static_cast<int>(std::erase(seen(), name)); }

 private:
  static std::vector<std::string>& seen() {
    static std::vector<std::string> names;
    return names;
  }
  static Kokkos_Profiling_beginFenceFunction& next() {
    static Kokkos_Profiling_beginFenceFunction callback = nullptr;
    return callback;
  }
  static void see(const char* name, std::uint32_t device, std::uint64_t* handle) {
    seen().emplace_back(name);
    if (next() != nullptr) next()(name, device, handle);
  }

  Kokkos_Profiling_beginFenceFunction before_;
};

}  // namespace kolam::testing
