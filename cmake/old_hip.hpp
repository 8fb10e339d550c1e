// SPDX-License-Identifier: Apache-2.0
// Included before all else in builds for AMD GPUs: HIP before 5.3 (Debian 12 has 5.2) implements
// atomicInc by an intrinsic that LLVM 19 does not know, and Kokkos' scans do not link.
#pragma once

#ifdef __HIP__
#include <hip/hip_runtime.h>
#if HIP_VERSION < 50300000

__device__ inline unsigned int kolam_atomic_inc(unsigned int* address, unsigned int limit) {
  return __builtin_amdgcn_atomic_inc32(address, limit, __ATOMIC_RELAXED, "agent");
}
#define atomicInc kolam_atomic_inc

#endif
#endif
