// SPDX-License-Identifier: Apache-2.0
// 64-bit sizes of grids and memory, and their overflow-checked products.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>

namespace kolam {

/// The type of counts and indices of grid points, blocks and bytes. Loops within a block use int.
using index_t = std::int64_t;

/// Returns the product of `factors`. Throws InvalidArgument, naming `what` and the factors, if a
/// factor is negative or the product exceeds 2^63 - 1.
index_t checked_product(const std::string& what, std::initializer_list<index_t> factors);

}  // namespace kolam
