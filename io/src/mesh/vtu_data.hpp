// SPDX-License-Identifier: Apache-2.0
// Numbers of a VTU file: text, base64 or bytes, the last two optionally compressed.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace kolam::meshes {

/// The encoding of numbers in a file.
struct VtuEncoding {
  bool big = false;         ///< big-endian
  bool wide = false;        ///< sizes have 8 bytes, not 4
  bool compressed = false;  ///< by zlib, in blocks
};

/// A number type: "Float32", "Int64" and the like.
struct VtuType {
  char kind = 'F';  ///< F, I or U
  std::size_t bytes = 8;
};
/// Returns the type of this name; bytes is 0 if there is no such type.
VtuType vtu_type(std::string_view name);

/// Called if a reader cannot go on; does not return.
using Refuse = std::function<void(const std::string& reason)>;

///@{
/// Returns `count` numbers from text, or from `data` in base64 or bytes, which may continue after
/// them. Calls `refuse` if there are fewer. Never allocates more numbers than the bytes can hold.
template <class V>
std::vector<V> vtu_numbers(std::string_view text, std::uint64_t count, const Refuse& refuse);
template <class V>
std::vector<V> vtu_numbers(std::string_view data, bool base64, const VtuType& type,
                           const VtuEncoding& encoding, std::uint64_t count, const Refuse& refuse);
///@}

}  // namespace kolam::meshes
