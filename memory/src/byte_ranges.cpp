// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <kolam/memory/detail/byte_ranges.hpp>

namespace kolam::detail {
namespace {

// The first part that ends behind `position`, or at it.
template <class Parts>
auto first_ending_at(Parts& parts, std::size_t position) {
  return std::lower_bound(parts.begin(), parts.end(), position,
                          [](const ByteRange& part, std::size_t p) { return part.end < p; });
}

}  // namespace

bool ByteRanges::parts_contain(ByteRange range) const {
  const auto part = first_ending_at(parts_, range.end);
  return part != parts_.end() && part->begin <= range.begin;
}

bool ByteRanges::parts_touch(ByteRange range) const {
  const auto part = first_ending_at(parts_, range.begin + 1);
  return part != parts_.end() && part->begin < range.end;
}

std::vector<ByteRange> ByteRanges::present(ByteRange range) const {
  if (range.size() == 0) return {};
  if (all_) return {range};
  std::vector<ByteRange> result;
  for (auto part = first_ending_at(parts_, range.begin + 1);
       part != parts_.end() && part->begin < range.end; ++part) {
    result.push_back({std::max(part->begin, range.begin), std::min(part->end, range.end)});
  }
  return result;
}

std::vector<ByteRange> ByteRanges::missing(ByteRange range) const {
  std::vector<ByteRange> result;
  std::size_t position = range.begin;
  for (const ByteRange& part : present(range)) {
    if (part.begin > position) result.push_back({position, part.begin});
    position = part.end;
  }
  if (position < range.end) result.push_back({position, range.end});
  return result;
}

void ByteRanges::add_part(ByteRange range) {
  const auto first = first_ending_at(parts_, range.begin);
  auto last = first;
  for (; last != parts_.end() && last->begin <= range.end; ++last) {
    range = {std::min(range.begin, last->begin), std::max(range.end, last->end)};
  }
  if (range.size() == size_) {
    add(range);
  } else if (first == last) {
    parts_.insert(first, range);
  } else {
    *first = range;
    parts_.erase(first + 1, last);
  }
}

void ByteRanges::remove_part(ByteRange range) {
  if (all_) parts_.assign(1, {0, size_});
  all_ = false;
  auto first = first_ending_at(parts_, range.begin + 1);
  if (first == parts_.end()) return;
  if (first->begin < range.begin) {
    const ByteRange rest{range.end, first->end};
    first->end = range.begin;
    ++first;
    if (rest.begin < rest.end) {  // it was cut in two
      parts_.insert(first, rest);
      return;
    }
  }
  auto last = first;
  while (last != parts_.end() && last->end <= range.end) ++last;
  if (last != parts_.end()) last->begin = std::max(last->begin, range.end);
  parts_.erase(first, last);
}

}  // namespace kolam::detail
