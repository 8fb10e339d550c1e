// SPDX-License-Identifier: Apache-2.0
// Numbers of a VTU file: text, base64 or bytes, and the last two perhaps compressed.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace kolam::meshes {

/// How a file keeps its numbers.
struct VtuEncoding {
  bool big = false;         ///< numbers begin with their largest byte
  bool wide = false;        ///< sizes have 8 bytes, not 4
  bool compressed = false;  ///< by zlib, in blocks
};

/// A type of numbers: "Float32", "Int64" and the like.
struct VtuType {
  char kind = 'F';  ///< F, I or U
  std::size_t bytes = 8;
};
/// Of a name; bytes is 0 if there is no such type.
VtuType vtu_type(std::string_view name);

/// What a reader does where it cannot go on; does not return.
using Refuse = std::function<void(const std::string& reason)>;

///@{
/// `count` numbers, which must be there. From text; or from `data`, base64 or bytes, of which
/// there may be more. Memory is taken for no more numbers than the bytes can hold.
template <class V>
std::vector<V> vtu_numbers(std::string_view text, std::uint64_t count, const Refuse& refuse);
template <class V>
std::vector<V> vtu_numbers(std::string_view data, bool base64, const VtuType& type,
                           const VtuEncoding& encoding, std::uint64_t count, const Refuse& refuse);
///@}

}  // namespace kolam::meshes
