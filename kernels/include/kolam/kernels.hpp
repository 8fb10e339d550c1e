// SPDX-License-Identifier: Apache-2.0
/// \file
/// Includes all of kernels: fields with ghosts, stencils, sweeps, fused steps and norms;
/// quadrature, bases, geometry and operators of elements; sums over vectors and boxes.
#pragma once

#include <kolam/kernels/box_sums.hpp>
#include <kolam/kernels/element/basis.hpp>
#include <kolam/kernels/element/diagonal.hpp>
#include <kolam/kernels/element/element_basis.hpp>
#include <kolam/kernels/element/geometry.hpp>
#include <kolam/kernels/element/mapped_points.hpp>
#include <kolam/kernels/element/operator.hpp>
#include <kolam/kernels/element/physics.hpp>
#include <kolam/kernels/element/quadrature.hpp>
#include <kolam/kernels/element/quadrature_point.hpp>
#include <kolam/kernels/element/restriction.hpp>
#include <kolam/kernels/element/sizes.hpp>
#include <kolam/kernels/stencil/boundary.hpp>
#include <kolam/kernels/stencil/common_stencils.hpp>
#include <kolam/kernels/stencil/field_layout.hpp>
#include <kolam/kernels/stencil/fused_steps.hpp>
#include <kolam/kernels/stencil/linear_stencil.hpp>
#include <kolam/kernels/stencil/norms.hpp>
#include <kolam/kernels/stencil/operands.hpp>
#include <kolam/kernels/stencil/stencil.hpp>
#include <kolam/kernels/stencil/sweep.hpp>
#include <kolam/kernels/vector_sums.hpp>
