// SPDX-License-Identifier: Apache-2.0
// Comparison of a stored checkpoint with the expected one.
#pragma once

#include <filesystem>
#include <kolam/io/checkpoint.hpp>
#include <string>

namespace kolam::checkpoint {

/// Returns a sentence about the first difference between a stored checkpoint and the expected one:
/// program, precision, extents, a parameter. Empty if there is no difference.
std::string difference(const CheckpointHeader& stored, const std::string& stored_precision,
                       const CheckpointHeader& expected, const std::string& expected_precision);

/// Throws FileError if the grid does not have N dimensions, and InvalidArgument unless `box` is a
/// non-empty part of the grid and memory with these pitches holds it.
template <int N>
void require_box(const std::filesystem::path& path, const std::vector<index_t>& extents,
                 const Box<N>& box, const comm::Pitches<N>& pitches);

}  // namespace kolam::checkpoint
