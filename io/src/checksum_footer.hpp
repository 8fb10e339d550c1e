// SPDX-License-Identifier: Apache-2.0
// A checksum at the end of a file, checked before the rest is read.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kolam {

/// Bytes begin ... end-1 of a file.
struct ByteRange {
  std::uint64_t begin;
  std::uint64_t end;
};

/// Appends a checksum footer to the file of `descriptor`: a CRC-32 over all bytes except the ranges
/// `left_out` (in any order, without overlap), which have their own checksums. Returns 0 or an
/// errno.
[[nodiscard]] int append_checksum_footer(int descriptor, std::vector<ByteRange> left_out);

/// Checks the footer and returns a sentence about the first error, or an empty string. Does not
/// allocate memory for a list of ranges that is larger than the file.
[[nodiscard]] std::string check_checksum_footer(int descriptor);

}  // namespace kolam
