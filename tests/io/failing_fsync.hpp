// SPDX-License-Identifier: Apache-2.0
// Failing disks: the program's own fsync, defined in checkpoint_atomic_test.cpp.
#pragma once

#include <atomic>

namespace kolam::testing {

/// Number of calls until one fails with an input/output error; 0 if none fails.
extern std::atomic<int> fsyncs_until_failure;

}  // namespace kolam::testing
