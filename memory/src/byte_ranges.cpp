// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <kolam/memory/detail/byte_ranges.hpp>

namespace kolam::detail {
namespace {

// Returns the first part that ends at `position` or past it.
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

bool ByteRanges::contains(RangeList ranges) const {
  return std::all_of(ranges.begin(), ranges.end(),
                     [&](const ByteRange& range) { return contains(range); });
}

bool ByteRanges::touches(RangeList ranges) const {
  return std::any_of(ranges.begin(), ranges.end(),
                     [&](const ByteRange& range) { return touches(range); });
}

std::vector<ByteRange> ByteRanges::present(RangeList ranges) const {
  if (all_) return {ranges.begin(), ranges.end()};
  std::vector<ByteRange> result;
  for (const ByteRange& range : ranges) {
    for (auto part = first_ending_at(parts_, range.begin + 1);
         part != parts_.end() && part->begin < range.end; ++part) {
      result.push_back({std::max(part->begin, range.begin), std::min(part->end, range.end)});
    }
  }
  return result;
}

std::vector<ByteRange> ByteRanges::missing(RangeList ranges) const {
  if (all_) return {};
  std::vector<ByteRange> result;
  for (const ByteRange& range : ranges) {
    std::size_t position = range.begin;
    for (auto part = first_ending_at(parts_, range.begin + 1);
         part != parts_.end() && part->begin < range.end; ++part) {
      if (part->begin > position) result.push_back({position, part->begin});
      position = part->end;
    }
    if (position < range.end) result.push_back({position, range.end});
  }
  return result;
}

void ByteRanges::reserve(std::size_t ranges) {
  const std::size_t needed = parts_.size() + ranges + 1;
  if (parts_.capacity() < needed) parts_.reserve(std::max(needed, 2 * parts_.capacity()));
}

// Both lists are walked from the back into the space after the parts, so that no part is
// overwritten before it was read.
void ByteRanges::add(RangeList ranges) {
  if (ranges.size() == 1) return add(ranges.front());
  if (all_ || ranges.empty()) return;
  std::size_t part = parts_.size();
  std::size_t range = ranges.size();
  std::size_t to = part + range;
  parts_.resize(to);
  while (range > 0) {
    const bool takes_part = part > 0 && parts_[part - 1].begin > ranges[range - 1].begin;
    parts_[--to] = takes_part ? parts_[--part] : ranges[--range];
  }
  auto last = parts_.begin();
  for (auto next = last + 1; next != parts_.end(); ++next) {  // joins parts that touch
    if (next->begin <= last->end) {
      last->end = std::max(last->end, next->end);
    } else {
      *++last = *next;
    }
  }
  parts_.erase(last + 1, parts_.end());
  if (parts_.front().size() == size_) add(parts_.front());
}

void ByteRanges::remove(RangeList ranges) {
  if (ranges.size() == 1) return remove(ranges.front());
  if (ranges.empty() || none()) return;
  if (all_) parts_.assign(1, {0, size_});
  all_ = false;
  std::size_t part = parts_.size();
  std::size_t range = ranges.size();
  std::size_t to = part + range;
  parts_.resize(to);
  while (part > 0) {
    ByteRange rest = parts_[--part];
    for (; range > 0 && ranges[range - 1].end > rest.begin; --range) {
      const ByteRange& cut = ranges[range - 1];
      if (cut.end < rest.end) parts_[--to] = {cut.end, rest.end};
      rest.end = std::clamp(cut.begin, rest.begin, rest.end);
      if (cut.begin < rest.begin) break;  // the cut reaches into the part before
    }
    if (rest.size() > 0) parts_[--to] = rest;
  }
  parts_.erase(parts_.begin(), parts_.begin() + static_cast<std::ptrdiff_t>(to));
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
    if (rest.begin < rest.end) {  // the part was cut in two
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
