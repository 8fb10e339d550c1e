// SPDX-License-Identifier: Apache-2.0
/// \file
/// All headers of memory: arrays, sides, transfers.
#pragma once

#include <kolam/memory/access_error.hpp>
#include <kolam/memory/array.hpp>
#include <kolam/memory/deep_copy.hpp>
// <kolam/memory/dlpack.hpp> needs DLPack's own header: include it where you use it.
#include <kolam/memory/emulation.hpp>
#include <kolam/memory/memory_kind.hpp>
#include <kolam/memory/pool.hpp>
#include <kolam/memory/side.hpp>
#include <kolam/memory/sync_policy.hpp>
#include <kolam/memory/trace.hpp>
#include <kolam/memory/transfer_budget.hpp>
#include <kolam/memory/transfers.hpp>
#include <kolam/memory/wrap.hpp>
