// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace kolam::detail {

/// Returns the total bytes of the last-level caches of this process's processors; 0 if unknown.
/// Determined by the first call, which must precede the binding of threads.
std::uint64_t host_cache_bytes();

}  // namespace kolam::detail
