// SPDX-License-Identifier: Apache-2.0
// Disks that fail: the program's own fsync, in checkpoint_atomic_test.cpp.
#pragma once

#include <atomic>

namespace kolam::testing {

/// How many calls until one fails with an input/output error; 0: none does.
extern std::atomic<int> fsyncs_until_failure;

}  // namespace kolam::testing
