// SPDX-License-Identifier: Apache-2.0
#include "checksum_footer.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>

#include "checksum.hpp"
#include "positioned.hpp"

namespace kolam {
namespace {

// The end of the file: the list of covered ranges, then this struct.
struct Footer {
  std::uint64_t ranges;
  std::uint32_t checksum;  // of the bytes in these ranges, and of their list
  std::uint32_t version;
  std::array<char, 16> mark;
};
static_assert(sizeof(Footer) == 32 && sizeof(ByteRange) == 16);

constexpr std::array<char, 16> mark{'k', 'o', 'l', 'a', 'm', ' ', 'c', 'h',
                                    'e', 'c', 'k', 'p', 'o', 'i', 'n', 't'};
constexpr std::string_view hdf5_mark{"\x89HDF\r\n\x1a\n", 8};

int add_ranges(int descriptor, const std::vector<ByteRange>& ranges, Checksum& sum) {
  std::vector<char> buffer(std::size_t{1} << 16);
  for (const ByteRange& range : ranges) {
    for (std::uint64_t at = range.begin; at < range.end; at += buffer.size()) {
      const std::size_t bytes = std::min<std::uint64_t>(buffer.size(), range.end - at);
      if (const int error = read_at(descriptor, buffer.data(), bytes, at)) return error;
      sum.add_bytes(buffer.data(), bytes);
    }
  }
  sum.add_bytes(ranges.data(), ranges.size() * sizeof(ByteRange));
  return 0;
}

// Whether ranges ascend within the file without overlap, so that no byte is read twice.
bool in_order(const std::vector<ByteRange>& ranges, std::uint64_t file_end) {
  std::uint64_t end = 0;
  for (const ByteRange& range : ranges) {
    if (range.begin < end || range.end < range.begin) return false;
    end = range.end;
  }
  return end <= file_end;
}

std::optional<std::uint64_t> size_of(int descriptor) {
  struct stat status{};
  if (::fstat(descriptor, &status) != 0) return std::nullopt;
  return static_cast<std::uint64_t>(status.st_size);
}

// Guesses why a file has no footer.
std::string guess(int descriptor) {
  std::array<char, hdf5_mark.size()> begin{};
  if (read_at(descriptor, begin.data(), begin.size(), 0) == 0 &&
      std::string_view(begin.data(), begin.size()) == hdf5_mark) {
    return "it is an HDF5 file, but truncated or changed, or of another program";
  }
  return "it is no HDF5 file, or truncated";
}

}  // namespace

int append_checksum_footer(int descriptor, std::vector<ByteRange> left_out) {
  const std::optional<std::uint64_t> bytes = size_of(descriptor);
  if (!bytes) return errno;
  std::sort(left_out.begin(), left_out.end(),
            [](const ByteRange& a, const ByteRange& b) { return a.begin < b.begin; });
  std::vector<ByteRange> ranges;
  std::uint64_t begin = 0;
  left_out.push_back({*bytes, *bytes});
  for (const ByteRange& hole : left_out) {
    if (hole.begin > begin) ranges.push_back({begin, hole.begin});
    begin = hole.end;
  }
  Checksum sum;
  if (const int error = add_ranges(descriptor, ranges, sum)) return error;
  const Footer footer{ranges.size(), sum.value(), 1, mark};
  const std::size_t list = ranges.size() * sizeof(ByteRange);
  if (const int error = write_at(descriptor, ranges.data(), list, *bytes)) return error;
  return write_at(descriptor, &footer, sizeof footer, *bytes + list);
}

std::string check_checksum_footer(int descriptor) {
  const std::optional<std::uint64_t> bytes = size_of(descriptor);
  if (!bytes) return std::strerror(errno);
  Footer footer{};
  if (*bytes < sizeof footer) return guess(descriptor);
  if (const int error = read_at(descriptor, &footer, sizeof footer, *bytes - sizeof footer)) {
    return std::strerror(error);
  }
  if (footer.mark != mark) return guess(descriptor);
  const std::uint64_t end = *bytes - sizeof footer;
  if (footer.version != 1) {
    return fmt::format(
        "its checksum footer has version {}, and this kolam knows version 1; it is of a newer "
        "kolam, or damaged",
        footer.version);
  }
  if (footer.ranges > end / sizeof(ByteRange)) {
    return fmt::format(
        "it is damaged: its checksum footer claims {} ranges, more than its {} bytes can hold",
        footer.ranges, *bytes);
  }
  std::vector<ByteRange> ranges(footer.ranges);
  const std::uint64_t list = footer.ranges * sizeof(ByteRange);
  if (const int error = read_at(descriptor, ranges.data(), list, end - list)) {
    return std::strerror(error);
  }
  if (!in_order(ranges, end - list)) return "it is damaged: its checksum footer makes no sense";
  Checksum sum;
  if (const int error = add_ranges(descriptor, ranges, sum)) return std::strerror(error);
  if (sum.value() != footer.checksum) {
    return fmt::format("it is damaged: its checksum is {:08x}, and was {:08x} when it was written",
                       sum.value(), footer.checksum);
  }
  return {};
}

}  // namespace kolam
