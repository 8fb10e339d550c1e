// SPDX-License-Identifier: Apache-2.0
// Whether a checkpoint is the one that is wanted.
#pragma once

#include <filesystem>
#include <kolam/io/checkpoint.hpp>
#include <string>

namespace kolam::checkpoint {

/// A sentence about the first thing in which a stored checkpoint is not what is expected: program,
/// precision, extents, a parameter. Empty if there is none.
std::string difference(const CheckpointHeader& stored, const std::string& stored_precision,
                       const CheckpointHeader& expected, const std::string& expected_precision);

/// Throws FileError if the grid has not N dimensions, InvalidArgument unless `box` is a part of it,
/// not empty, and memory with these pitches holds it.
template <int N>
void require_box(const std::filesystem::path& path, const std::vector<index_t>& extents,
                 const Box<N>& box, const comm::Pitches<N>& pitches);

}  // namespace kolam::checkpoint
