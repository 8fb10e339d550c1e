// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <kolam/solvers/jacobi.hpp>
#include <kolam/solvers/norm_log.hpp>
