// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <kolam/comm/decomposition.hpp>
#include <kolam/core/error.hpp>
#include <limits>
#include <string>

namespace kolam::comm {
namespace {

template <int N>
constexpr std::string_view rules =
    N == 2 ? "auto, stripes, tiles or PxQ" : "auto, slabs, pencils, blocks or PxQxR";

template <int N>
std::string to_text(const Parts<N>& parts) {
  std::string text;
  for (const int part : parts) text.append(text.empty() ? "" : "x").append(std::to_string(part));
  return text;
}

template <class Numbers>
index_t product(const Numbers& parts) {
  index_t result = 1;
  for (const int part : parts) {  // (The product of three large ints could overflow 64 bits.)
    result = std::min<index_t>(result, std::numeric_limits<int>::max() + index_t{1}) * part;
  }
  return result;
}

char axis(std::size_t dimension) { return "xyz"[dimension]; }

// Calls `f` with every cut into `count` parts that leaves no part empty.
template <int N, class F>
void for_each_cut(const Extents<N>& extents, int count, F f, Parts<N> parts = {},
                  std::size_t dimension = 0) {
  constexpr auto last = static_cast<std::size_t>(N - 1);
  if (dimension == last) {
    parts[last] = count;
    if (count <= extents[last]) f(parts);
    return;
  }
  for (int part = 1; part <= count && part <= extents[dimension]; ++part) {
    if (count % part != 0) continue;
    parts[dimension] = part;
    for_each_cut<N>(extents, count / part, f, parts, dimension + 1);
  }
}

// Returns the cut with the least cost; among equal ones that along the slowest dimensions, whose
// halos are contiguous in memory.
template <int N, class Cost>
std::optional<Parts<N>> cheapest(const Extents<N>& extents, int count, Cost cost) {
  std::optional<Parts<N>> best;
  for_each_cut<N>(extents, count, [&](const Parts<N>& parts) {
    if (!best || cost(parts) < cost(*best)) best = parts;
  });
  return best;
}

// Returns the cost of the halos of these parts: the points in the planes between parts, weighted by
// their layout in memory. Layers of the slowest dimension are contiguous, and sweeps store them
// directly. Layers of the other dimensions are packed: in 3D across y by rows, across x with a
// cache line for each point. (A long double, because the cost may exceed 64 bits.)
template <int N>
long double halo_cost(const Extents<N>& extents, const Parts<N>& parts) {
  long double sum = 0;
  for (std::size_t d = 0; d < N; ++d) {
    long double plane = d == N - 1 ? 1 : d > 0 ? 6 : 16;
    for (std::size_t other = 0; other < N; ++other) {
      if (other != d) plane *= static_cast<long double>(extents[other]);
    }
    sum += plane * static_cast<long double>(parts[d] - 1);
  }
  return sum;
}

// Returns the number of dimensions that a rule cuts, 0 if there is no such rule in N dimensions.
template <int N>
int dimensions_of_rule(std::string_view text) {
  if (text == (N == 2 ? "stripes" : "slabs")) return 1;
  if (text == (N == 2 ? "tiles" : "pencils")) return 2;
  return N == 3 && text == "blocks" ? 3 : 0;
}

template <int N>
std::optional<Parts<N>> numbers(std::string_view text) {
  Parts<N> parts{};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (std::size_t d = 0; d < N; ++d) {
    if (d > 0 && (at == end || *at++ != 'x')) return std::nullopt;
    const auto [next, error] = std::from_chars(at, end, parts[d]);
    if (error != std::errc() || parts[d] < 1) return std::nullopt;
    at = next;
  }
  if (at != end) return std::nullopt;
  return parts;
}

}  // namespace

template <int N>
Parts<N> parse_decomposition(std::string_view text, const Extents<N>& extents,
                             std::optional<int> subdomains) {
  const std::string what = "decomposition '" + std::string(text) + "'";
  if (const auto parts = numbers<N>(text)) {
    const index_t made = Decomposition<N>(extents, *parts).subdomains();
    if (subdomains && made != *subdomains) {
      throw InvalidArgument(what + " makes " + std::to_string(made) + " subdomains, but " +
                            std::to_string(*subdomains) +
                            " are asked for; leave one of the two out");
    }
    return *parts;
  }
  const int cut = dimensions_of_rule<N>(text);
  if (cut == 0 && text != "auto") {
    throw InvalidArgument(what + " is unknown; use " + std::string(rules<N>));
  }
  if (!subdomains || *subdomains < 1) {
    throw InvalidArgument(what + " for " + std::to_string(subdomains.value_or(0)) +
                          " subdomains; there must be at least 1");
  }
  const auto parts = cheapest<N>(extents, *subdomains, [&](const Parts<N>& some) -> long double {
    if (cut == 0) return halo_cost<N>(extents, some);
    if (std::any_of(some.begin(), some.end() - cut, [](int part) { return part > 1; })) {
      return std::numeric_limits<long double>::infinity();
    }
    const auto [least, most] = std::minmax_element(some.end() - cut, some.end());
    return static_cast<long double>(*most) / static_cast<long double>(*least);
  });
  const bool fits = parts && (cut == 0 || std::all_of(parts->begin(), parts->end() - cut,
                                                      [](int part) { return part == 1; }));
  if (fits) return *parts;
  std::string box;
  for (const index_t extent : extents) {
    box += (box.empty() ? "" : " x ") + std::to_string(extent);
  }
  throw InvalidArgument(what + ": " + box + " cannot be cut so into " +
                        std::to_string(*subdomains) +
                        " subdomains that are not empty; use fewer subdomains");
}

template <int N>
Decomposition<N>::Decomposition(const Extents<N>& extents, const Parts<N>& parts,
                                const Flags& periodic)
    : extents_(extents), parts_(parts), periodic_(periodic) {
  for (std::size_t d = 0; d < N; ++d) {
    if (extents[d] >= 1 && parts[d] >= 1 && parts[d] <= extents[d]) continue;
    throw InvalidArgument("decomposition " + to_text<N>(parts) + ": " + std::to_string(parts[d]) +
                          " parts along " + axis(d) + ", which is " + std::to_string(extents[d]) +
                          " long; there must be 1 to " +
                          std::to_string(std::max<index_t>(extents[d], 1)));
  }
  if (product(parts) > std::numeric_limits<int>::max()) {
    throw InvalidArgument("decomposition " + to_text<N>(parts) + " makes " +
                          std::to_string(product(parts)) +
                          " subdomains; there must be fewer than 2^31");
  }
  for (std::size_t d = 0; d < N; ++d) {  // the first parts have one point more
    const index_t least = extents_[d] / parts_[d];
    const index_t more = extents_[d] % parts_[d];
    for (index_t part = 0; part <= parts_[d]; ++part)
      begins_[d].push_back(part * least + std::min(part, more));
  }
}

template <int N>
Decomposition<N> Decomposition<N>::coarser(const Flags& dimensions) const {
  Decomposition result = *this;
  for (std::size_t d = 0; d < N; ++d) {
    if (!dimensions[d]) continue;
    std::vector<index_t>& begins = result.begins_[d];
    for (index_t& begin : begins) begin = (begin + 1) / 2;
    if (std::adjacent_find(begins.begin(), begins.end()) != begins.end()) {
      throw InvalidArgument("decomposition " + to_text<N>(parts_) + ": of " +
                            std::to_string(extents_[d]) + " points along " + axis(d) +
                            " a subdomain has none with an even index");
    }
    result.extents_[d] = begins.back();
  }
  return result;
}

template <int N>
int Decomposition<N>::subdomains() const {
  return static_cast<int>(product(parts_));
}

template <int N>
Parts<N> Decomposition<N>::place(int subdomain) const {
  Parts<N> result{};
  for (std::size_t d = 0; d < N; ++d) {
    result[d] = subdomain % parts_[d];
    subdomain /= parts_[d];
  }
  return result;
}

template <int N>
Box<N> Decomposition<N>::own(int subdomain) const {
  const Parts<N> at = place(subdomain);
  Box<N> box{};
  for (std::size_t d = 0; d < N; ++d) {
    const auto part = static_cast<std::size_t>(at[d]);
    box[d] = {begins_[d][part], begins_[d][part + 1]};
  }
  return box;
}

template <int N>
std::optional<int> Decomposition<N>::neighbour(int subdomain, int dimension, int direction) const {
  const auto d = static_cast<std::size_t>(dimension);
  Parts<N> at = place(subdomain);
  at[d] += direction;
  if (at[d] < 0 || at[d] >= parts_[d]) {
    if (!periodic_[d]) return std::nullopt;
    at[d] = (at[d] + parts_[d]) % parts_[d];
  }
  int number = 0;
  for (std::size_t e = N; e-- > 0;) number = number * parts_[e] + at[e];
  return number;
}

template <int N>
LocalGrid<N>::LocalGrid(const Decomposition<N>& decomposition, int subdomain, int depth)
    : own_(decomposition.own(subdomain)), depth_(depth) {
  if (depth < 0) {
    throw InvalidArgument("a halo of depth " + std::to_string(depth) + "; it must be 0 or more");
  }
}

template <int N>
Extents<N> LocalGrid<N>::extents() const {
  Extents<N> result{};
  for (std::size_t d = 0; d < N; ++d) result[d] = own_[d].end - own_[d].begin + 2 * index_t{depth_};
  return result;
}

template <int N>
Box<N> LocalGrid<N>::own_local() const {
  Box<N> box{};
  for (std::size_t d = 0; d < N; ++d) box[d] = {depth_, depth_ + own_[d].end - own_[d].begin};
  return box;
}

template <int N>
Box<N> LocalGrid<N>::shared_own(int dimension, int direction, int corners) const {
  const Range own = own_local()[static_cast<std::size_t>(dimension)];
  return across(
      dimension,
      direction < 0 ? Range{own.begin, own.begin + depth_} : Range{own.end - depth_, own.end},
      corners);
}

template <int N>
Box<N> LocalGrid<N>::shared_ghost(int dimension, int direction, int corners) const {
  const Range own = own_local()[static_cast<std::size_t>(dimension)];
  return across(
      dimension,
      direction < 0 ? Range{own.begin - depth_, own.begin} : Range{own.end, own.end + depth_},
      corners);
}

template <int N>
Box<N> LocalGrid<N>::across(int dimension, Range along, int corners) const {
  Box<N> box = own_local();
  for (std::size_t d = 0; d < static_cast<std::size_t>(corners); ++d) box[d] = {0, extents()[d]};
  box[static_cast<std::size_t>(dimension)] = along;
  return box;
}

template Parts<2> parse_decomposition<2>(std::string_view, const Extents<2>&, std::optional<int>);
template Parts<3> parse_decomposition<3>(std::string_view, const Extents<3>&, std::optional<int>);
template class Decomposition<2>;
template class Decomposition<3>;
template class LocalGrid<2>;
template class LocalGrid<3>;

}  // namespace kolam::comm
