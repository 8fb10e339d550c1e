// SPDX-License-Identifier: Apache-2.0
// Copies between arrays, made where the values are.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
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

/// Copies the values of `from` into `to`, ordered on `exec` where they are on the device. Nothing
/// crosses from side to side: what is valid on the device is copied there, the rest on the host
/// (all of it, if `to` has no device side), and `to` is then valid where it was copied. (Strided
/// arrays are copied on one side: the device if all of `from` is valid there, else the host, to
/// which `from` is copied first where it is stale.) Throws InvalidArgument if the extents differ or
/// the two overlap in one memory, and AccessError if some values were never written.
template <ExecutionSpace Exec, class T, int N, class ToLayout, class FromLayout>
void deep_copy(const Exec& exec, Array<T, N, ToLayout>& to, const Array<T, N, FromLayout>& from,
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
                         source.bytes(sizeof(T))[0], Instance(on_device), false, where);
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

/// Gives `array` another size; the values that fit are kept where they are valid, and nothing
/// crosses from side to side. Aliases keep the old memory. Views of `array` are not valid any more.
/// Throws InvalidArgument if size < 0, and OutOfMemory; `array` is then as it was.
template <class T>
void resize(Array<T>& array, index_t size, SourceLocation where = SourceLocation::current()) {
  require_running(("array '" + array.label() + "'").c_str());
  Array<T> resized(array.label(), size, array.memory_kind());
  resized.use_device(array.use_device());
  resized.set_policy(detail::ArrayAccess::storage(array)->own_policy());
  const index_t kept = std::min(size, array.size());
  const auto& from = detail::ArrayAccess::section(array);
  const auto& to = detail::ArrayAccess::section(resized);
  const auto bytes = [&](const auto& section) {
    const std::size_t begin = static_cast<std::size_t>(section.begin) * sizeof(T);
    return detail::ByteRange{begin, begin + static_cast<std::size_t>(kept) * sizeof(T)};
  };
  if (kept > 0) {
    detail::copy_storage(*detail::ArrayAccess::storage(resized), bytes(to),
                         *detail::ArrayAccess::storage(array), bytes(from),
                         Instance(Kokkos::DefaultExecutionSpace{}), true, where);
  }
  array = std::move(resized);
}

}  // namespace kolam
