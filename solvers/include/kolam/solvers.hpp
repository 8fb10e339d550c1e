// SPDX-License-Identifier: Apache-2.0
// Everything of solvers: decompositions, halos, Jacobi and its norms.
#pragma once

#include <kolam/solvers/decomposition.hpp>
#include <kolam/solvers/halo_exchange.hpp>
#include <kolam/solvers/jacobi.hpp>
#include <kolam/solvers/norm_log.hpp>
