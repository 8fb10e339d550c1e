// SPDX-License-Identifier: Apache-2.0
/// \file
/// Finite elements: meshes, spaces, operators without a matrix, transfers, model problems. (Their
/// matrices, where the build has Kokkos Kernels: <kolam/fem/assemble.hpp>.)
#pragma once

#include <kolam/fem/boundary_flux.hpp>
#include <kolam/fem/box_function.hpp>
#include <kolam/fem/box_mesh.hpp>
#include <kolam/fem/box_multigrid.hpp>
#include <kolam/fem/function_space.hpp>
#include <kolam/fem/matrix_free.hpp>
#include <kolam/fem/nodal_function.hpp>
#include <kolam/fem/poisson.hpp>
#include <kolam/fem/space_transfer.hpp>

/// \namespace kolam::fem
/// Finite elements.
