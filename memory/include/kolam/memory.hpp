// SPDX-License-Identifier: Apache-2.0
// Everything of memory: arrays, sides, transfers.
#pragma once

#include <kolam/memory/access_error.hpp>
#include <kolam/memory/array.hpp>
#include <kolam/memory/side.hpp>
#include <kolam/memory/transfers.hpp>
