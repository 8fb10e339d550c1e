// SPDX-License-Identifier: Apache-2.0
/// \file
/// Finite elements: meshes, spaces, matrix-free operators, transfers and model problems. (Assembled
/// matrices, if the build has Kokkos Kernels: <kolam/fem/assemble.hpp>.)
#pragma once

#include <kolam/fem/boomer_amg.hpp>
#include <kolam/fem/boundary_flux.hpp>
#include <kolam/fem/box_function.hpp>
#include <kolam/fem/box_mesh.hpp>
#include <kolam/fem/component_constraints.hpp>
#include <kolam/fem/dirichlet_condition.hpp>
#include <kolam/fem/elasticity.hpp>
#include <kolam/fem/forms.hpp>
#include <kolam/fem/function_space.hpp>
#include <kolam/fem/geometry.hpp>
#include <kolam/fem/mesh.hpp>
#include <kolam/fem/mesh_attributes.hpp>
#include <kolam/fem/mesh_generators.hpp>
#include <kolam/fem/mesh_partition.hpp>
#include <kolam/fem/mesh_quality.hpp>
#include <kolam/fem/multigrid.hpp>
#include <kolam/fem/nodal_function.hpp>
#include <kolam/fem/operator.hpp>
#include <kolam/fem/periodic_mesh.hpp>
#include <kolam/fem/poisson.hpp>
#include <kolam/fem/preconditioner.hpp>
#include <kolam/fem/space.hpp>
#include <kolam/fem/space_transfer.hpp>

/// \namespace kolam::fem
/// Finite elements.
