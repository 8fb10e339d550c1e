// SPDX-License-Identifier: Apache-2.0
// Copies of many segments between the sides.
#pragma once

#include <kolam/core/any_instance.hpp>
#include <kolam/memory/detail/byte_ranges.hpp>
#include <kolam/memory/side.hpp>

namespace kolam::detail {

/// Enqueues copies of these bytes to `to` on an instance of the default execution space; both
/// memories begin at byte 0. Many segments go packed, in one copy through staging memory.
void copy_segments(const AnyInstance& instance, Side to, void* at_host, void* at_device,
                   RangeList segments);

/// Whether the host itself packs or unpacks so many segments, during the call, instead of leaving
/// their copies to the instance.
bool host_moves(RangeList segments);

/// Copies bytes within the memory of one side: enqueued on the instance on the device's, done when
/// the call returns on the host's.
void copy_beside(Side side, const AnyInstance& instance, void* to, const void* from,
                 std::size_t bytes);

}  // namespace kolam::detail
