// SPDX-License-Identifier: Apache-2.0
// Everything of solvers: Jacobi and its norms.
#pragma once

#include <kolam/solvers/jacobi.hpp>
#include <kolam/solvers/norm_log.hpp>
