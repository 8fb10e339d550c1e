// SPDX-License-Identifier: Apache-2.0
/// \file
/// All headers of core: runtime, backends, loops, shapes, errors.
#pragma once

#include <kolam/core/any_instance.hpp>
#include <kolam/core/backend.hpp>
#include <kolam/core/bandwidth.hpp>
#include <kolam/core/block.hpp>
#include <kolam/core/device.hpp>
#include <kolam/core/error.hpp>
#include <kolam/core/event.hpp>
#include <kolam/core/execution.hpp>
#include <kolam/core/for_each.hpp>
#include <kolam/core/forall.hpp>
#include <kolam/core/forall_blocks.hpp>
#include <kolam/core/host_teams.hpp>
#include <kolam/core/index.hpp>
#include <kolam/core/index_box.hpp>
#include <kolam/core/instances.hpp>
#include <kolam/core/non_temporal.hpp>
#include <kolam/core/reshape.hpp>
#include <kolam/core/runtime.hpp>
#include <kolam/core/scratch.hpp>
#include <kolam/core/short_vector.hpp>
#include <kolam/core/simd.hpp>
#include <kolam/core/simd_math.hpp>
#include <kolam/core/source_location.hpp>
#include <kolam/core/stop_request.hpp>
#include <kolam/core/version.hpp>

/// \namespace kolam
/// The public names. Names in `kolam::detail` may change at any time.
