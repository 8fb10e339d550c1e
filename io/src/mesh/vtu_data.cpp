// SPDX-License-Identifier: Apache-2.0
#include "vtu_data.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <string>
#include <type_traits>

#include "input.hpp"

namespace kolam::meshes {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

// A reader of base64 or plain bytes. (A part encoded separately, such as a header, ends with
// padding, and the rest begins with the next four letters.)
class Bytes {
 public:
  Bytes(std::string_view data, bool base64) : data_(data), base64_(base64) {}

  // Returns the next bytes, at most `count`.
  std::string take(std::size_t count) {
    std::string result;
    if (!base64_) {
      result = data_.substr(0, count);
      data_.remove_prefix(result.size());
      return result;
    }
    while (result.size() < count) {
      if (decoded_.empty() && !decode()) break;
      const std::size_t now = std::min(count - result.size(), decoded_.size());
      result.append(decoded_, 0, now);
      decoded_.erase(0, now);
    }
    return result;
  }
  // Returns an upper bound of the bytes left.
  std::size_t left() const {
    return base64_ ? data_.size() / 4 * 3 + decoded_.size() + 3 : data_.size();
  }

 private:
  static int value_of(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
  }
  bool decode() {
    std::array<int, 4> letters{};
    std::size_t values = 0;
    std::size_t seen = 0;
    while (seen < 4) {
      while (!data_.empty() && is_blank(data_.front())) data_.remove_prefix(1);
      if (data_.empty()) return false;
      const char c = data_.front();
      const int value = value_of(c);
      if (value < 0 && (c != '=' || seen < 2)) return false;
      data_.remove_prefix(1);
      if (value >= 0) {
        if (values != seen) return false;  // after padding
        letters[values++] = value;
      }
      ++seen;
    }
    const int all = letters[0] << 18 | letters[1] << 12 | letters[2] << 6 | letters[3];
    const char bytes[] = {static_cast<char>(all >> 16 & 255), static_cast<char>(all >> 8 & 255),
                          static_cast<char>(all & 255)};
    decoded_.append(bytes, values - 1);
    return true;
  }

  std::string_view data_;
  bool base64_;
  std::string decoded_;
};

constexpr const char* cut = "the data of an array end early; the file is not complete";

std::uint64_t size_from(const std::string& bytes, std::size_t at, const VtuEncoding& encoding) {
  std::uint64_t value = 0;
  const std::size_t count = encoding.wide ? 8 : 4;
  for (std::size_t b = 0; b < count; ++b) {
    const auto byte = static_cast<unsigned char>(bytes[at + (encoding.big ? b : count - 1 - b)]);
    value = value << 8 | byte;
  }
  return value;
}

// Returns the `wanted` bytes of an array.
std::string unpacked(Bytes& from, const VtuEncoding& encoding, std::uint64_t wanted,
                     const Refuse& refuse) {
  const std::size_t size = encoding.wide ? 8 : 4;
  const auto header = [&](std::size_t sizes) {
    const std::string bytes = from.take(sizes * size);
    if (bytes.size() != sizes * size) refuse(cut);
    return bytes;
  };
  const auto expect = [&](std::uint64_t found) {
    if (found != wanted)
      refuse(fmt::format("an array has {} bytes, where {} must be", found, wanted));
  };
  if (!encoding.compressed) {
    expect(size_from(header(1), 0, encoding));
    if (wanted > from.left()) refuse(cut);
    std::string bytes = from.take(static_cast<std::size_t>(wanted));
    if (bytes.size() != wanted) refuse(cut);
    return bytes;
  }
  // The number of blocks, the size of each, the size of the last if it is smaller, then the
  // compressed sizes.
  const std::string head = header(3);
  const std::uint64_t blocks = size_from(head, 0, encoding);
  const std::uint64_t each = size_from(head, size, encoding);
  const std::uint64_t last = size_from(head, 2 * size, encoding);
  if (blocks > from.left() / size) refuse(cut);
  if (blocks == 0) expect(0);
  // (zlib expands a byte to at most 1032.)
  if (wanted / 1032 > from.left()) refuse(cut);
  const std::string sizes = header(static_cast<std::size_t>(blocks));
  std::string result;
  for (std::uint64_t b = 0; b < blocks; ++b) {
    const std::uint64_t here = b + 1 == blocks && last != 0 ? last : each;
    const std::uint64_t packed = size_from(sizes, static_cast<std::size_t>(b) * size, encoding);
    if (here > wanted - result.size()) expect(result.size() + here);
    if (packed > from.left()) refuse(cut);
    const std::string bytes = from.take(static_cast<std::size_t>(packed));
    std::string block(static_cast<std::size_t>(here), '\0');
    auto length = static_cast<uLongf>(here);
    if (bytes.size() != packed ||
        uncompress(reinterpret_cast<Bytef*>(block.data()), &length,
                   reinterpret_cast<const Bytef*>(bytes.data()),
                   static_cast<uLong>(packed)) != Z_OK ||
        length != here)
      refuse("the compressed data of an array are damaged");
    result += block;
  }
  expect(result.size());
  return result;
}

template <class V, class Stored>
std::vector<V> converted(const std::string& bytes, bool swap, const Refuse& refuse) {
  std::vector<V> values;
  values.reserve(bytes.size() / sizeof(Stored));
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(Stored)) {
    char one[sizeof(Stored)];
    std::memcpy(one, bytes.data() + at, sizeof(Stored));
    if (swap) std::reverse(one, one + sizeof(Stored));
    Stored value;
    std::memcpy(&value, one, sizeof(Stored));
    if constexpr (std::is_floating_point_v<Stored>) {
      if (!std::isfinite(value)) refuse(fmt::format("{}; values must be finite", value));
      if (std::is_integral_v<V> && (value != std::floor(value) || std::abs(value) > Stored(1e9)))
        refuse(fmt::format("{} where a whole number must be", value));
    }
    values.push_back(static_cast<V>(value));
  }
  return values;
}

}  // namespace

VtuType vtu_type(std::string_view name) {
  for (const auto& [prefix, kind] :
       {std::pair{"Float", 'F'}, std::pair{"Int", 'I'}, std::pair{"UInt", 'U'}}) {
    if (!name.starts_with(prefix)) continue;
    const std::string_view bits = name.substr(std::strlen(prefix));
    for (const auto& [text, bytes] :
         {std::pair{"8", std::size_t{1}}, std::pair{"16", std::size_t{2}},
          std::pair{"32", std::size_t{4}}, std::pair{"64", std::size_t{8}}})
      if (bits == text && (kind != 'F' || bytes >= 4)) return {kind, bytes};
  }
  return {'F', 0};
}

template <class V>
std::vector<V> vtu_numbers(std::string_view text, std::uint64_t count, const Refuse& refuse) {
  if (count > text.size()) refuse(cut);
  std::vector<V> values;
  values.reserve(static_cast<std::size_t>(count));
  while (values.size() < count) {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    const std::size_t end = std::min(text.find_first_of(" \n\t\r"), text.size());
    if (end == 0) refuse(cut);
    const std::optional<double> value = real_of(text.substr(0, end));
    bool good = value.has_value();
    if constexpr (std::is_integral_v<V>)
      good = good && *value == std::floor(*value) && std::abs(*value) <= 9007199254740992.0;
    if (!good) {
      refuse(fmt::format("'{}' is no {}", text.substr(0, std::min<std::size_t>(end, 40)),
                         std::is_integral_v<V> ? "whole number" : "finite number"));
    }
    values.push_back(static_cast<V>(*value));
    text.remove_prefix(end);
  }
  return values;
}

template <class V>
std::vector<V> vtu_numbers(std::string_view data, bool base64, const VtuType& type,
                           const VtuEncoding& encoding, std::uint64_t count, const Refuse& refuse) {
  if (count > ~std::uint64_t{0} / 16) refuse(cut);
  Bytes from(data, base64);
  const std::string bytes = unpacked(from, encoding, count * type.bytes, refuse);
  const auto as = [&]<class Stored>(Stored) {
    return converted<V, Stored>(bytes, encoding.big != (std::endian::native == std::endian::big),
                                refuse);
  };
  if (type.kind == 'F') return type.bytes == 4 ? as(float{}) : as(double{});
  const bool is_signed = type.kind == 'I';
  switch (type.bytes) {
    case 1:
      return is_signed ? as(std::int8_t{}) : as(std::uint8_t{});
    case 2:
      return is_signed ? as(std::int16_t{}) : as(std::uint16_t{});
    case 4:
      return is_signed ? as(std::int32_t{}) : as(std::uint32_t{});
    default:
      return is_signed ? as(std::int64_t{}) : as(std::uint64_t{});
  }
}

template std::vector<double> vtu_numbers<double>(std::string_view, std::uint64_t, const Refuse&);
template std::vector<std::int64_t> vtu_numbers<std::int64_t>(std::string_view, std::uint64_t,
                                                             const Refuse&);
template std::vector<double> vtu_numbers<double>(std::string_view, bool, const VtuType&,
                                                 const VtuEncoding&, std::uint64_t, const Refuse&);
template std::vector<std::int64_t> vtu_numbers<std::int64_t>(std::string_view, bool, const VtuType&,
                                                             const VtuEncoding&, std::uint64_t,
                                                             const Refuse&);

}  // namespace kolam::meshes
