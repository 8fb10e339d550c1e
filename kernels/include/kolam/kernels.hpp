// SPDX-License-Identifier: Apache-2.0
// Everything of kernels: fields with ghosts, stencils, sweeps, passes of several steps, norms;
// quadrature and bases of elements.
#pragma once

#include <kolam/kernels/basis.hpp>
#include <kolam/kernels/field_layout.hpp>
#include <kolam/kernels/norms.hpp>
#include <kolam/kernels/quadrature.hpp>
#include <kolam/kernels/stencil.hpp>
#include <kolam/kernels/stencil_operands.hpp>
#include <kolam/kernels/stencil_pass.hpp>
#include <kolam/kernels/stencil_sweep.hpp>
#include <kolam/kernels/stencils.hpp>
