// SPDX-License-Identifier: Apache-2.0
// Uses the Views that intents return, on the host and on any instance.
#pragma once

#include <Kokkos_Core.hpp>
#include <array>
#include <cstddef>
#include <kolam/core/forall.hpp>
#include <kolam/memory/array.hpp>
#include <kolam/memory/emulation.hpp>
#include <numeric>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace kolam::testing {
namespace array_use {

using Exec = Kokkos::DefaultExecutionSpace;
template <class Space>
using Values = Kokkos::View<int*, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

// Returns value i of a View of one or two dimensions, first index fastest.
template <class View>
KOKKOS_FUNCTION auto& value(const View& view, index_t i) {
  if constexpr (View::rank() == 1) {
    return view(i);
  } else {
    const auto n = static_cast<index_t>(view.extent(0));
    return view(i % n, i / n);
  }
}

template <class View>
struct Fill {
  View view;
  int first;
  KOKKOS_FUNCTION void operator()(index_t i) const { value(view, i) = first + static_cast<int>(i); }
};
template <class View>
struct AddToEverySecond {
  View view;
  int amount;
  KOKKOS_FUNCTION void operator()(index_t i) const { value(view, 2 * i) += amount; }
};
template <class View, class Gathered>
struct Gather {
  View view;
  Gathered to;
  KOKKOS_FUNCTION void operator()(index_t i) const { to(i) = value(view, i); }
};

inline Exec instance_of(DeviceSide) { return {}; }
inline Exec instance_of(const Exec& exec) { return exec; }

// On host backends the calling thread runs short loops. For arrays this makes no difference,
// because host work is complete when its launch returns; threads cost more, especially if other
// programs use the cores.
template <class Where, class Body>
void launch(const Where& where, const std::string& label, index_t n, const Body& body) {
  constexpr index_t few = 40;
  if constexpr (std::is_same_v<Where, HostSide>) {
    forall(HostTeams{}, label, n, body);
  } else {
    if constexpr (one_memory) {
      if (n < few) {
        const BothSides scope;
        return forall(HostTeams{}, label, n, body);
      }
    }
    forall(instance_of(where), label, n, body);
  }
}

template <class View>
auto part(const View& view, Range range) {
  return Kokkos::subview(view, std::pair(range.begin, range.end));
}
template <class View>
auto part(const View& view, const std::array<Range, 2>& box) {
  return Kokkos::subview(view, std::pair(box[0].begin, box[0].end),
                         std::pair(box[1].begin, box[1].end));
}

}  // namespace array_use

/// Writes first, first + 1, ... to a View of side `where`.
template <class Where, class View>
void fill(const Where& where, const View& view, int first) {
  array_use::launch(where, "fill", static_cast<index_t>(view.size()),
                    array_use::Fill<View>{view, first});
}

/// Adds `amount` to the first value, the third, and so on.
template <class Where, class View>
void add(const Where& where, const View& view, int amount) {
  array_use::launch(where, "add", static_cast<index_t>(view.size() + 1) / 2,
                    array_use::AddToEverySecond<View>{view, amount});
}

/// Writes first, first + 1, ... through a mirror, then calls modified().
template <class Where, int N, class Layout>
void fill_mirror(const Where& where, Array<int, N, Layout>& array, int first) {
  const auto view = array.mirror(where);
  Kokkos::fence("a mirror knows of no work under way");
  fill(where, view, first);
  array.modified(where);
}
template <class Where, int N, class Layout>
void fill_mirror(const Where& where, Array<int, N, Layout>& array, int first,
                 const typename Array<int, N, Layout>::Box& box) {
  static_cast<void>(array.valid(where, box));  // throws if the box is not within the array
  const auto view = array.mirror(where);
  Kokkos::fence("a mirror knows of no work under way");
  fill(where, array_use::part(view, box), first);
  array.modified(where, box);
}

/// Returns the values that work on `where` sees now.
template <class Where, class View>
std::vector<int> values(const Where& where, const View& view) {
  using Space = typename View::memory_space;
  std::vector<int> result(view.size());
  if (result.empty()) return result;
  const auto n = static_cast<index_t>(view.size());
  const array_use::Values<Kokkos::HostSpace> to(result.data(), result.size());
  if constexpr (std::is_same_v<Where, HostSide>) {
    array_use::launch(where, "gather", n,
                      array_use::Gather<View, std::remove_const_t<decltype(to)>>{view, to});
  } else {
    const auto exec = array_use::instance_of(where);
    const Kokkos::View<int*, Space> gathered(
        Kokkos::view_alloc(exec, Kokkos::WithoutInitializing, "gathered"), view.size());
    array_use::launch(where, "gather", n,
                      array_use::Gather<View, Kokkos::View<int*, Space>>{view, gathered});
    Kokkos::deep_copy(exec, to, gathered);
    exec.fence("values are read");
  }
  return result;
}

/// Returns first, first + 1, ... to borrow; the memory exists even if the size is 0.
inline std::vector<int> ascending(int size, int first) {
  std::vector<int> result;
  result.reserve(static_cast<std::size_t>(size) + 1);
  result.resize(static_cast<std::size_t>(size));
  std::iota(result.begin(), result.end(), first);
  return result;
}
inline Kokkos::View<int*, DeviceSide::memory_space> ascending_on_device(int size, int first) {
  const Kokkos::View<int*, DeviceSide::memory_space> result("lent",
                                                            static_cast<std::size_t>(size) + 1);
  fill(device, result, first);
  Kokkos::fence("lent memory is there");
  return result;
}

}  // namespace kolam::testing
