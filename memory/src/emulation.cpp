// SPDX-License-Identifier: Apache-2.0
#include <kolam/core/error.hpp>
#include <kolam/memory/detail/environment.hpp>
#include <kolam/memory/detail/strict_threads.hpp>
#include <kolam/memory/emulation.hpp>
#include <string>

namespace kolam {
namespace {

void require_possible(const char* what, Emulation emulation) {
  if (emulation == Emulation::off) return;
  if constexpr (!one_memory) {
    throw InvalidArgument(std::string(what) +
                          " emulates a device, but this build has a real one; use a build without "
                          "device backends, or compute-sanitizer");
  }
#ifndef __linux__
  if (emulation == Emulation::strict) {
    throw InvalidArgument(std::string(what) + " needs Linux: it protects pages of memory");
  }
#endif
}

}  // namespace

Emulation emulation() {
  int state = detail::emulation_state.load();
  if (state < 0) {
    const Emulation asked = detail::environment_flag("KOLAM_STRICT", false) ? Emulation::strict
                            : detail::environment_flag("KOLAM_EMULATE_DEVICE", false)
                                ? Emulation::on
                                : Emulation::off;
    require_possible("KOLAM_STRICT or KOLAM_EMULATE_DEVICE", asked);
    detail::emulation_state.compare_exchange_strong(state, static_cast<int>(asked));
    state = detail::emulation_state.load();
  }
  return static_cast<Emulation>(state);
}

void emulate(Emulation emulation) {
  require_possible("kolam::emulate", emulation);
  detail::emulation_state.store(static_cast<int>(emulation));
}

BothSides::BothSides() {
#ifdef __linux__
  detail::begin_both_sides();
#endif
}
BothSides::~BothSides() {
#ifdef __linux__
  detail::end_both_sides();
#endif
}

}  // namespace kolam
