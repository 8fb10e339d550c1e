// SPDX-License-Identifier: Apache-2.0
// Sizes: 64-bit where they count grid points or bytes, and products of them checked.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>

namespace kolam {

/// Counts and indices of grid points, blocks and bytes. Loops inside a block use int.
using index_t = std::int64_t;

/// The product of non-negative `factors`.
/// Throws InvalidArgument, naming `what` and the factors, if it passes 2^63 - 1.
index_t checked_product(const std::string& what, std::initializer_list<index_t> factors);

}  // namespace kolam
