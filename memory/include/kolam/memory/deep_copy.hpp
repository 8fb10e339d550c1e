// SPDX-License-Identifier: Apache-2.0
// Copies between arrays, made on the side that holds the values.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <array>
#include <kolam/core/error.hpp>
#include <kolam/core/runtime.hpp>
#include <kolam/memory/array.hpp>
#include <string>
#include <type_traits>
#include <utility>

namespace kolam {
namespace detail {

template <ExecutionSpace Exec>
Kokkos::DefaultExecutionSpace device_instance([[maybe_unused]] const Exec& exec) {
  if constexpr (std::is_same_v<Exec, Kokkos::DefaultExecutionSpace>) {
    return exec;
  } else {
    return {};
  }
}

// Whether two ascending lists of ranges have bytes in common.
template <class A, class B>
bool overlap(const A& a, const B& b) {
  auto x = a.begin();
  auto y = b.begin();
  while (x != a.end() && y != b.end()) {
    if (x->begin < y->end && y->begin < x->end) return true;
    x->end < y->end ? static_cast<void>(++x) : static_cast<void>(++y);
  }
  return false;
}

}  // namespace detail

/// Copies the values of `from` into `to`; copies on the device are ordered on `exec`. No value
/// moves between the sides: values that are valid on the device are copied there, the rest on the
/// host (without a device side of `to`, all values that are valid on the host), and each copy is
/// valid on the side where it was made. (Strided arrays are copied on one side: the device if all
/// of `from` is valid there, else the host, where stale values of `from` are updated first.) Throws
/// InvalidArgument if the extents differ or the arrays overlap in one memory, and AccessError if
/// some values were never written or `to` lacks the side of the copy.
template <ExecutionSpace Exec, class T, int N, class ToLayout, class From, class FromLayout>
  requires std::is_same_v<std::remove_const_t<From>, T>
void deep_copy(const Exec& exec, Array<T, N, ToLayout>& to, const Array<From, N, FromLayout>& from,
               SourceLocation where = SourceLocation::current()) {
  const auto& target = detail::ArrayAccess::section(to);
  const auto& source = detail::ArrayAccess::section(from);
  detail::Storage& target_storage = *detail::ArrayAccess::storage(to);
  detail::Storage& source_storage = *detail::ArrayAccess::storage(from);
  const std::string what =
      "deep_copy from array '" + from.label() + "' to array '" + to.label() + "'";
  if (target.extents != source.extents) {
    throw InvalidArgument(what + ": " + std::to_string(from.size()) + " values to " +
                          std::to_string(to.size()) + "; the extents must be equal");
  }
  if (to.size() == 0) return;
  require_running(what.c_str());
  if (&target_storage == &source_storage) {
    const auto a = target.bytes(sizeof(T));
    const auto b = source.bytes(sizeof(T));
    if (std::equal(a.begin(), a.end(), b.begin(), b.end())) return;
    if (detail::overlap(a, b)) {
      throw InvalidArgument(what + ": they overlap in one memory; copy through a third array");
    }
  }
  const auto on_device = detail::device_instance(exec);
  if constexpr (std::is_same_v<ToLayout, Kokkos::LayoutLeft> &&
                std::is_same_v<FromLayout, Kokkos::LayoutLeft>) {
    detail::copy_storage(target_storage, target.bytes(sizeof(T))[0], source_storage,
                         source.bytes(sizeof(T))[0], AnyInstance(on_device), false, where);
  } else if (from.valid(device) && target_storage.has(detail::Side::device)) {
    const auto source_view = from.read(on_device, where);
    Kokkos::deep_copy(on_device, to.write(on_device, where), source_view);
  } else {
    target_storage.require_side(detail::Side::host);
    const auto source_view = from.read(host, where);
    const Kokkos::DefaultHostExecutionSpace on_host;
    Kokkos::deep_copy(on_host, to.write(host, where), source_view);
    on_host.fence("kolam::deep_copy");
  }
}

namespace detail {

// Copies the values of `box`, which lies within both arrays, on the sides where they are valid.
// Values never written are skipped.
template <class T, int N>
void copy_box(Array<T, N>& to, Array<T, N>& from, const std::array<index_t, N>& box,
              SourceLocation where) {
  const auto& source = ArrayAccess::section(from);
  const auto& target = ArrayAccess::section(to);
  // Extents are equal in the dimensions below `split`; up to `split`, values are contiguous.
  std::size_t split = 0;
  while (split + 1 < N && source.extents[split] == target.extents[split]) ++split;
  const index_t adjacent = source.stride(split) * box[split];
  index_t stretches = 1;
  for (std::size_t d = split + 1; d < N; ++d) stretches *= box[d];
  const Kokkos::DefaultExecutionSpace exec;
  if constexpr (N > 1) {
    typename Array<T, N>::Box ranges;
    for (std::size_t d = 0; d < N; ++d) ranges[d] = {0, box[d]};
    const auto valid_on = [&](const auto& side) {
      constexpr Side s = side_of<std::decay_t<decltype(side)>>;
      return ArrayAccess::storage(to)->has(s) && from.valid(side, ranges);
    };
    if (stretches > 1 && (valid_on(device) || valid_on(host))) {  // one loop is faster
      auto part = to.alias(ranges);
      return deep_copy(exec, part, from.alias(ranges), where);
    }
  }
  const AnyInstance instance(exec);
  for (index_t i = 0; i < stretches; ++i) {
    const auto bytes = [&](const auto& section) {
      index_t begin = section.begin;
      index_t rest = i;
      for (std::size_t d = split + 1; d < N; ++d) {
        begin += rest % box[d] * section.stride(d);
        rest /= box[d];
      }
      return ByteRange{static_cast<std::size_t>(begin) * sizeof(T),
                       static_cast<std::size_t>(begin + adjacent) * sizeof(T)};
    };
    copy_storage(*ArrayAccess::storage(to), bytes(target), *ArrayAccess::storage(from),
                 bytes(source), instance, true, where);
  }
}

}  // namespace detail

///@{
/// Changes the extents of `array`. Equal extents change nothing: memory, aliases and Views stay.
/// Otherwise the values whose indices remain are kept on the side where they are valid (the device,
/// if they are valid on both), and no value moves between the sides; aliases keep the old memory,
/// and Views of `array` become invalid. Throws InvalidArgument if an extent is negative, and
/// OutOfMemory; `array` is then unchanged.
template <class T, int N>
void resize(Array<T, N>& array, const typename Array<T, N>::Extents& extents,
            SourceLocation where = SourceLocation::current()) {
  require_running(("array '" + array.label() + "'").c_str());
  const auto& old = detail::ArrayAccess::section(array).extents;
  if (extents == old) return;
  Array<T, N> resized(array.label(), extents, array.memory_kind());
  resized.use_device(array.use_device());
  resized.set_policy(detail::ArrayAccess::storage(array)->own_policy());
  typename Array<T, N>::Extents kept;
  for (std::size_t d = 0; d < N; ++d) kept[d] = std::min(extents[d], old[d]);
  const bool any = std::all_of(kept.begin(), kept.end(), [](index_t n) { return n > 0; });
  if (any) detail::copy_box<T, N>(resized, array, kept, where);
  detail::ends(detail::ArrayAccess::storage(array), "resized", where);
  array = std::move(resized);
}
/// Resizes a one-dimensional array likewise.
template <class T>
void resize(Array<T>& array, index_t size, SourceLocation where = SourceLocation::current()) {
  resize(array, {{size}}, where);
}
///@}

}  // namespace kolam
