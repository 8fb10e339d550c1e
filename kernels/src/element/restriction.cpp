// SPDX-License-Identifier: Apache-2.0
#include <Kokkos_StdAlgorithms.hpp>
#include <algorithm>
#include <bit>
#include <kolam/core/detail/allocate.hpp>
#include <kolam/core/detail/instantiate.hpp>
#include <kolam/kernels/element/restriction.hpp>

namespace kolam::detail {

void require_restriction(int dimensions, int d1d, index_t elements, index_t entries) {
  const auto refuse = [](const std::string& why) {
    throw InvalidArgument("element_restriction: " + why);
  };
  if (dimensions != 2 && dimensions != 3)
    refuse(std::to_string(dimensions) + " dimensions; there are elements in 2 and 3");
  if (d1d < 2) refuse(std::to_string(d1d) + " nodes in a direction; an element has 2 or more");
  if (elements < 0) refuse(std::to_string(elements) + " elements; take 0 or more");
  if (entries < 0) refuse(std::to_string(entries) + " entries; take 0 or more");
  if (entries > std::numeric_limits<int>::max()) {
    refuse(std::to_string(entries) +
           " entries; one vector has at most 2^31 - 1: share the elements out to more processes");
  }
  checked_product("element_restriction: nodes of all elements", {elements, power(d1d, dimensions)});
}

void refuse_entry(index_t element, int node, index_t entry, index_t entries) {
  throw InvalidArgument("element_restriction: node " + std::to_string(node) + " of element " +
                        std::to_string(element) + " is entry " + std::to_string(entry) +
                        " of a vector that has " + std::to_string(entries) +
                        "; give entries below that, or a negative number for none");
}

ElementColours colour_elements(const int* map, index_t groups, index_t group_size,
                               index_t entries) {
  // Enough chunks for many threads in each of a few colours, whatever the number of threads.
  constexpr index_t most_chunks = 1024;
  ElementColours result;
  result.chunk = std::max<index_t>(1, (groups + most_chunks - 1) / most_chunks);
  const index_t chunks = (groups + result.chunk - 1) / result.chunk;
  using Mask = std::uint64_t;
  std::vector<Mask> taken(static_cast<std::size_t>(entries), 0);  // colours of an entry's chunks
  std::vector<std::vector<index_t>> of_colour;
  for (index_t c = 0; c < chunks; ++c) {
    const int* const begin = map + c * result.chunk * group_size;
    const int* const end = map + std::min(groups, (c + 1) * result.chunk) * group_size;
    Mask around = 0;
    for (const int* entry = begin; entry != end; ++entry)
      if (*entry >= 0) around |= taken[static_cast<std::size_t>(*entry)];
    // (Chunks of the 64th colour run one at a time: see below.)
    const auto colour = static_cast<std::size_t>(std::min(std::countr_one(around), 63));
    for (const int* entry = begin; entry != end; ++entry)
      if (*entry >= 0) taken[static_cast<std::size_t>(*entry)] |= Mask{1} << colour;
    if (of_colour.size() <= colour) of_colour.resize(colour + 1);
    of_colour[colour].push_back(c);
  }
  result.chunks = allocate_zeros<Kokkos::View<index_t*, Kokkos::HostSpace>>(
      Kokkos::DefaultHostExecutionSpace(), "kolam::chunks", chunks);
  index_t count = 0;
  for (std::size_t colour = 0; colour < of_colour.size(); ++colour) {
    for (const index_t chunk : of_colour[colour]) {
      if (result.first.empty() || chunk == of_colour[colour].front() || colour == 63)
        result.first.push_back(count);
      result.chunks(static_cast<std::size_t>(count++)) = chunk;
    }
  }
  result.first.push_back(count);
  return result;
}

void put_shared_first(ElementColours& colours, const int* map, index_t groups, index_t group_size,
                      const std::vector<char>& shared) {
  const auto is_shared = [&](index_t chunk) {
    const int* const begin = map + chunk * colours.chunk * group_size;
    const int* const end = map + std::min(groups, (chunk + 1) * colours.chunk) * group_size;
    return std::any_of(begin, end, [&](int entry) {
      return entry >= 0 && shared[static_cast<std::size_t>(entry)] != 0;
    });
  };
  ElementColours result;
  result.chunk = colours.chunk;
  result.chunks = allocate_zeros<Kokkos::View<index_t*, Kokkos::HostSpace>>(
      Kokkos::DefaultHostExecutionSpace(), "kolam::chunks", colours.chunks.extent(0));
  std::size_t count = 0;
  for (const bool with_shared : {true, false}) {
    for (std::size_t c = 0; c < colours.count(); ++c) {
      const std::size_t before = count;
      for (index_t n = colours.first[c]; n < colours.first[c + 1]; ++n) {
        const index_t chunk = colours.chunks(n);
        if (is_shared(chunk) == with_shared) result.chunks(count++) = chunk;
      }
      if (count > before) result.first.push_back(static_cast<index_t>(before));
    }
    if (with_shared) result.with_shared = result.first.size();
  }
  result.first.push_back(static_cast<index_t>(count));
  colours = std::move(result);
}

template <ExecutionSpace Exec>
TransposeMap<typename Exec::memory_space> transpose_map(
    const Exec& exec, const Kokkos::View<const int*, typename Exec::memory_space>& map,
    index_t entries) {
  using Space = typename Exec::memory_space;
  const auto instance = kokkos_instance(exec);
  const auto count = static_cast<std::size_t>(entries);
  const auto make = [&](const char* label, auto size) {
    return allocate_zeros<Kokkos::View<index_t*, Space>>(exec, label, size);
  };
  const auto first = make("kolam::transpose map, first", count + 1);
  const auto nodes = static_cast<index_t>(map.extent(0));
  forall(
      exec, "kolam::transpose map, count", nodes, KOKKOS_LAMBDA(index_t n) {
        if (map(n) >= 0) Kokkos::atomic_inc(&first(map(n) + 1));
      });
  Kokkos::Experimental::inclusive_scan("kolam::transpose map, first", instance, first, first);
  index_t total = 0;
  Kokkos::deep_copy(instance, total, Kokkos::subview(first, count));
  instance.fence("kolam::transpose_map");
  const auto offsets = make("kolam::transpose map", total);
  const auto used = make("kolam::transpose map, used", count);
  forall(
      exec, "kolam::transpose map", nodes, KOKKOS_LAMBDA(index_t n) {
        const int entry = map(n);
        if (entry >= 0) offsets(first(entry) + Kokkos::atomic_fetch_inc(&used(entry))) = n;
      });
  forall(
      exec, "kolam::transpose map, sort", entries, KOKKOS_LAMBDA(index_t entry) {
        for (index_t i = first(entry) + 1; i < first(entry + 1); ++i) {
          const index_t offset = offsets(i);
          index_t j = i;
          for (; j > first(entry) && offsets(j - 1) > offset; --j) offsets(j) = offsets(j - 1);
          offsets(j) = offset;
        }
      });
  instance.fence("kolam::transpose_map");
  return {first, offsets};
}

#define KOLAM_INSTANTIATE(EXEC)                                  \
  template TransposeMap<EXEC::memory_space> transpose_map<EXEC>( \
      const EXEC&, const Kokkos::View<const int*, EXEC::memory_space>&, index_t);
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_INSTANTIATE)
KOLAM_INSTANTIATE(HostTeams)

}  // namespace kolam::detail
