// SPDX-License-Identifier: Apache-2.0
// Finds a short failing sequence of steps, from a long one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace kolam::testing {

/// Returns a small sequence of steps for which `fails(steps)` is still true: drops halves, quarters
/// and so on down to single steps, then moves the integers `step.n` towards 0, until neither
/// succeeds. Every sequence of steps has to be valid. Throws what `fails` throws.
template <class Step, class Fails>
std::vector<Step> shrink(std::vector<Step> steps, const Fails& fails) {
  const auto drop = [&](std::size_t size) {
    bool any = false;
    for (std::size_t begin = 0; begin < steps.size();) {
      std::vector<Step> fewer = steps;
      const auto first = fewer.begin() + static_cast<std::ptrdiff_t>(begin);
      fewer.erase(first, first + static_cast<std::ptrdiff_t>(std::min(size, steps.size() - begin)));
      if (fails(fewer)) {
        steps = fewer;
        any = true;
      } else {
        begin += size;
      }
    }
    return any;
  };
  const auto lower = [&](std::size_t step, std::size_t i) {
    const int before = steps[step].n[i];
    for (const int smaller : {0, before / 2, before - (before > 0 ? 1 : -1)}) {
      if (before == 0) break;
      steps[step].n[i] = smaller;
      if (fails(steps)) return true;
      steps[step].n[i] = before;
    }
    return false;
  };
  for (bool any = true; any;) {
    any = false;
    for (std::size_t size = std::max<std::size_t>(steps.size() / 2, 1); size > 0; size /= 2) {
      any = drop(size) || any;
    }
    for (std::size_t step = 0; step < steps.size(); ++step) {
      for (std::size_t i = 0; i < steps[step].n.size(); ++i) {
        while (lower(step, i)) any = true;
      }
    }
  }
  return steps;
}

}  // namespace kolam::testing
