// SPDX-License-Identifier: Apache-2.0
/// \file
/// Structured grids: halos, stencil steps on many subdomains, stencil operators and multigrid,
/// Jacobi, diffusion and heat.
#pragma once

#include <kolam/grid/diffusion.hpp>
#include <kolam/grid/field.hpp>
#include <kolam/grid/grid.hpp>
#include <kolam/grid/grid_run.hpp>
#include <kolam/grid/halo_exchange.hpp>
#include <kolam/grid/heat.hpp>
#include <kolam/grid/implicit_step.hpp>
#include <kolam/grid/jacobi.hpp>
#include <kolam/grid/multigrid.hpp>
#include <kolam/grid/norm_log.hpp>
#include <kolam/grid/stencil_operator.hpp>
#include <kolam/grid/stencil_run.hpp>
#include <kolam/grid/stencil_solver.hpp>
#include <kolam/grid/stepped_field.hpp>

/// \namespace kolam::grid
/// Structured grids cut into subdomains.
