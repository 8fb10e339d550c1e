// SPDX-License-Identifier: Apache-2.0
// Everything of kernels: grids, sweeps, norms.
#pragma once

#include <kolam/kernels/grid.hpp>
#include <kolam/kernels/laplace_sweep.hpp>
#include <kolam/kernels/norms.hpp>
