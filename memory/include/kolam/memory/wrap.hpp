// SPDX-License-Identifier: Apache-2.0
// Arrays on existing memory: pointers, spans, Views and DualViews, without a copy.
#pragma once

#include <Kokkos_Core.hpp>
#include <Kokkos_DualView.hpp>
#include <functional>
#include <kolam/core/error.hpp>
#include <kolam/memory/array.hpp>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

namespace kolam {
namespace detail {

template <class T>
Array<T> wrap(const std::string& label, Lent lent, index_t size) {
  const index_t bytes =
      checked_product("bytes of array '" + label + "'", {size, static_cast<index_t>(sizeof(T))});
  if (size > 0 && lent.host == nullptr && lent.device == nullptr) {
    throw InvalidArgument("array '" + label + "' wraps " + std::to_string(size) +
                          " values at a null pointer");
  }
  lent.read_only = std::is_const_v<T>;
  return ArrayAccess::make<T, 1>(
      std::make_shared<Storage>(label, static_cast<std::size_t>(bytes), value_type_of<T>,
                                MemoryKind::paired, lent),
      {0, {size}, {}});
}

// (A side of const values is valid from the beginning on: nothing is ever copied to it.)
template <class T>
void* address_of(T* values) {
  return const_cast<std::remove_const_t<T>*>(values);
}

template <Side S, class T>
Lent lent_on(T* values, std::shared_ptr<void> owner = nullptr) {
  constexpr bool at_host = S == Side::host;
  Lent lent;
  (at_host ? lent.host : lent.device) = address_of(values);
  (at_host ? lent.host_valid : lent.device_valid) = true;
  lent.owner = std::move(owner);
  return lent;
}

template <class View>
inline constexpr Side side_of_view = std::is_same_v<typename View::memory_space, Kokkos::HostSpace>
                                         ? Side::host
                                         : side_of<typename View::execution_space>;

}  // namespace detail

///@{
/// Returns an array on the `size` values at `values` on the side of `Where`, or on a span of the
/// host. The caller owns the memory, which must outlive the array. Writes on the other side reach
/// it only at the next `read` or `sync` of this side: call one before the array is destroyed, or
/// they are lost (a message on stderr says so). An array of const values is read-only. Throws
/// InvalidArgument if `size` < 0, if `values` is null but `size` is not 0, or if another array
/// already uses some of these values (unless they are const to both): take an alias of that array.
template <class T, detail::NamesSide Where>
Array<T> borrow(const std::string& label, const Where&, T* values, index_t size) {
  return detail::wrap<T>(label, detail::lent_on<detail::side_of<Where>>(values), size);
}
template <class T>
Array<T> borrow(const std::string& label, std::span<T> values) {
  return borrow(label, host, values.data(), static_cast<index_t>(values.size()));
}
///@}

/// Which of two borrowed memories holds the values.
enum class ValidSide { host_side, device_side, both, none };

/// Borrows memory on both sides likewise; if the pointers are equal, there is one memory.
template <class T>
Array<T> borrow(const std::string& label, T* host_values, T* device_values, index_t size,
                ValidSide valid) {
  if (size > 0 && (host_values == nullptr || device_values == nullptr)) {
    throw InvalidArgument("array '" + label +
                          "' borrows memory on both sides, but one pointer is "
                          "null; name the side that there is");
  }
  const bool at_host = valid == ValidSide::host_side || valid == ValidSide::both;
  const bool at_device = valid == ValidSide::device_side || valid == ValidSide::both;
  detail::Lent lent;
  lent.host = detail::address_of(host_values);
  lent.device = detail::address_of(device_values);
  lent.host_valid = at_host;
  lent.device_valid = at_device;
  return detail::wrap<T>(label, std::move(lent), size);
}

/// Returns an array that owns the memory at `values`, otherwise as `borrow`. It calls
/// `free(values)` when the last alias is destroyed, or at once if the array cannot be made.
template <class T, detail::NamesSide Where, std::invocable<T*> Free>
Array<T> adopt(const std::string& label, const Where&, T* values, index_t size, Free free) {
  // (The deleter keeps the type of `values`: a shared_ptr<void> cannot point to const values.)
  auto lent = detail::lent_on<detail::side_of<Where>>(values);
  lent.owner = std::shared_ptr<void>(detail::address_of(values),
                                     [values, free = std::move(free)](void*) { free(values); });
  lent.adopted = true;
  return detail::wrap<T>(label, std::move(lent), size);
}

/// Returns an array on the values of a View, with the View's label; it keeps the memory alive.
/// Throws InvalidArgument if the values are not adjacent.
template <class T, class... Properties>
Array<T> share(const Kokkos::View<T*, Properties...>& view) {
  using View = Kokkos::View<T*, Properties...>;
  static_assert(detail::side_of_view<View> == detail::Side::device ||
                    std::is_same_v<typename View::memory_space, Kokkos::HostSpace>,
                "an array's sides are the host's memory and the default device's");
  detail::require_adjacent("array '" + view.label() + "'", view);
  return detail::wrap<T>(
      view.label(),
      detail::lent_on<detail::side_of_view<View>>(view.data(), std::make_shared<View>(view)),
      static_cast<index_t>(view.extent(0)));
}

/// Returns an array on both sides of a DualView; a side is valid if the DualView need not sync it.
/// Later changes that are flagged in the DualView reach the array by `take_flags`, and changes of
/// the array reach the DualView by `give_flags`.
template <class T, class... Properties>
Array<T> share(const Kokkos::DualView<T*, Properties...>& dual) {
  using Dual = Kokkos::DualView<T*, Properties...>;
  const auto view = dual.view_device();
  detail::require_adjacent("array '" + view.label() + "'", view);
  detail::Lent lent;
  lent.host = dual.view_host().data();
  lent.device = view.data();
  lent.host_valid = !dual.need_sync_host();
  lent.device_valid = !dual.need_sync_device();
  lent.owner = std::make_shared<Dual>(dual);
  return detail::wrap<T>(view.label(), std::move(lent), static_cast<index_t>(view.extent(0)));
}

/// Tells `array`, which shares the memory of `dual`, which side of `dual` was modified last.
template <class T, class... Properties>
void take_flags(Array<T>& array, const Kokkos::DualView<T*, Properties...>& dual) {
  if (dual.need_sync_device()) array.modified(host);
  if (dual.need_sync_host()) array.modified(device);
}
/// Flags as modified the side of `dual` that alone holds the newest values of `array`. If neither
/// side holds all of them, the device side is updated first.
template <class T, class... Properties>
void give_flags(const Array<T>& array, Kokkos::DualView<T*, Properties...>& dual) {
  dual.clear_sync_state();
  const bool at_host = array.valid(host);
  const bool at_device = array.valid(device);
  if (!at_host && !at_device) array.sync(device);
  if (!at_host) dual.modify_device();
  if (at_host && !at_device) dual.modify_host();
}

/// Returns both sides of `array` as a DualView, flagged by `give_flags`. It owns nothing: the array
/// must outlive it. Throws InvalidArgument if the array has two sides but Kokkos has one memory (an
/// emulated device), because a DualView cannot have two sides then.
template <class T>
Kokkos::DualView<T*> dual_view(Array<T>& array) {
  using Dual = Kokkos::DualView<T*>;
  const auto at_device = array.mirror(device);
  const auto at_host = array.mirror(host);
  if (one_memory && static_cast<void*>(at_device.data()) != at_host.data()) {
    throw InvalidArgument("array '" + array.label() +
                          "' has two sides, but a DualView of this build has one; turn the "
                          "emulated device off");
  }
  Dual dual(typename Dual::t_dev(at_device.data(), at_device.extent(0)),
            typename Dual::t_host(at_host.data(), at_host.extent(0)));
  give_flags(array, dual);
  return dual;
}

}  // namespace kolam
