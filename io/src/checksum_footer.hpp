// SPDX-License-Identifier: Apache-2.0
// A checksum at the end of a file, which is checked before anybody looks at the rest.
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

/// Appends a seal to the file behind `descriptor`: a CRC-32 over all of its bytes but those in
/// `left_out` (in any order; they do not overlap), which have checksums of their own. Returns 0, or
/// an errno.
[[nodiscard]] int append_checksum_footer(int descriptor, std::vector<ByteRange> left_out);

/// What is wrong with the seal of a file, as a sentence; empty if nothing is. Of a file that claims
/// to have more to check than it has bytes, nothing is allocated.
[[nodiscard]] std::string check_checksum_footer(int descriptor);

}  // namespace kolam
