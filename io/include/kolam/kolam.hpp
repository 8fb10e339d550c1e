// SPDX-License-Identifier: Apache-2.0
/// \file
/// Everything of kolam.
#pragma once

#include <kolam/core.hpp>
#include <kolam/io.hpp>
#include <kolam/kernels.hpp>
#include <kolam/memory.hpp>
#include <kolam/solvers.hpp>
