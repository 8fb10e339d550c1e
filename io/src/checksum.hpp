// SPDX-License-Identifier: Apache-2.0
// CRC-32 of stored bytes.
#pragma once

#include <zlib.h>

#include <bit>
#include <cstddef>
#include <cstdint>

namespace kolam {

// The file is little-endian, and checksums are over its bytes.
static_assert(std::endian::native == std::endian::little, "checkpoints are for little-endian CPUs");

class Checksum {
 public:
  void add_bytes(const void* data, std::size_t bytes) {
    value_ = static_cast<std::uint32_t>(::crc32_z(value_, static_cast<const Bytef*>(data), bytes));
  }
  std::uint32_t value() const { return value_; }

 private:
  std::uint32_t value_ = 0;
};

}  // namespace kolam
