// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace kolam::detail {

/// Bytes of the last-level caches that the processors of this process share, all of them together;
/// 0 where the system does not say. Asked once: before threads are bound.
std::uint64_t host_cache_bytes();

}  // namespace kolam::detail
