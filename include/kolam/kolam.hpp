// SPDX-License-Identifier: Apache-2.0
/// \file
/// Everything of kolam.
#pragma once

#include <kolam/comm.hpp>
#include <kolam/core.hpp>
#include <kolam/fem.hpp>
#include <kolam/grid.hpp>
#include <kolam/io.hpp>
#include <kolam/kernels.hpp>
#include <kolam/linear.hpp>
#include <kolam/memory.hpp>
