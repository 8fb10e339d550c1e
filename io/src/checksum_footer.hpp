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

/// Appends a checksum footer to the file of `descriptor`: a CRC-32 over all of its bytes but those
/// in `left_out` (in any order; they do not overlap), which have checksums of their own. Returns 0,
/// or an errno.
[[nodiscard]] int append_checksum_footer(int descriptor, std::vector<ByteRange> left_out);

/// Says in a sentence what is wrong with the checksum footer of a file; empty if nothing is. Does
/// not allocate for a file that claims to have more to check than it has bytes.
[[nodiscard]] std::string check_checksum_footer(int descriptor);

}  // namespace kolam
