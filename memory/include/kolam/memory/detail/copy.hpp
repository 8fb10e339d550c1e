// SPDX-License-Identifier: Apache-2.0
// Copies of many segments between the sides.
#pragma once

#include <kolam/core/any_instance.hpp>
#include <kolam/memory/detail/byte_ranges.hpp>
#include <kolam/memory/side.hpp>

namespace kolam::detail {

/// Enqueues copies of these bytes to side `to` on an instance of the default execution space; both
/// memories begin at byte 0. Many segments are packed into one copy through staging memory.
void copy_segments(const AnyInstance& instance, Side to, void* at_host, void* at_device,
                   RangeList segments);

/// Returns whether the host itself packs or unpacks this many segments, during the call, instead of
/// leaving their copies to the instance.
bool host_moves(RangeList segments);

/// Copies bytes within the memory of one side. On the device the copy is enqueued on the instance,
/// on the host it is complete when the call returns.
void copy_beside(Side side, const AnyInstance& instance, void* to, const void* from,
                 std::size_t bytes);

}  // namespace kolam::detail
