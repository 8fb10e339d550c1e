// SPDX-License-Identifier: Apache-2.0
/// \file
/// Everything of kernels: fields with ghosts, stencils, sweeps, passes of several steps, norms;
/// quadrature, bases, geometry and operators of elements, sums over vectors.
#pragma once

#include <kolam/kernels/basis.hpp>
#include <kolam/kernels/common_stencils.hpp>
#include <kolam/kernels/element_basis.hpp>
#include <kolam/kernels/element_diagonal.hpp>
#include <kolam/kernels/element_geometry.hpp>
#include <kolam/kernels/element_operator.hpp>
#include <kolam/kernels/element_restriction.hpp>
#include <kolam/kernels/element_sizes.hpp>
#include <kolam/kernels/field_layout.hpp>
#include <kolam/kernels/integrands.hpp>
#include <kolam/kernels/mapped_points.hpp>
#include <kolam/kernels/norms.hpp>
#include <kolam/kernels/quadrature.hpp>
#include <kolam/kernels/quadrature_point.hpp>
#include <kolam/kernels/stencil.hpp>
#include <kolam/kernels/stencil_operands.hpp>
#include <kolam/kernels/stencil_pass.hpp>
#include <kolam/kernels/stencil_sweep.hpp>
#include <kolam/kernels/vector_sums.hpp>
