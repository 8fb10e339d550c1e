// SPDX-License-Identifier: Apache-2.0
// Arrays of memory that is there already: pointers, spans, Views and DualViews, without a copy.
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

// (A side of const values is valid at first and stays so: nothing is ever copied to it.)
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
/// An array of the `size` values at `values`, or of a span on the host, which are where `Where`
/// works, stay the caller's and outlive the array. What is written on the other side reaches them
/// by the next `read` or `sync` of this side and not before: take one before the array goes, or it
/// says on stderr which values are lost. Of const values the array can only be read. Throws
/// InvalidArgument if size < 0, if it is not 0 and `values` is null, or if another array stands for
/// some of these values already (unless they are const to both): take an alias of that one.
template <class T, detail::NamesSide Where>
Array<T> borrow(const std::string& label, const Where&, T* values, index_t size) {
  return detail::wrap<T>(label, detail::lent_on<detail::side_of<Where>>(values), size);
}
template <class T>
Array<T> borrow(const std::string& label, std::span<T> values) {
  return borrow(label, host, values.data(), static_cast<index_t>(values.size()));
}
///@}

/// Which of two lent memories holds the values.
enum class ValidSide { host_side, device_side, both, none };

/// The same of memory on both sides, which are two memories unless the pointers are equal.
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

/// The same, but the array owns the memory: `free(values)` is called when the last alias goes, and
/// at once if the array cannot be made.
template <class T, detail::NamesSide Where, std::invocable<T*> Free>
Array<T> adopt(const std::string& label, const Where&, T* values, index_t size, Free free) {
  // (Held as what it was: a shared_ptr<void> to const values does not exist.)
  auto lent = detail::lent_on<detail::side_of<Where>>(values);
  lent.owner = std::shared_ptr<void>(detail::address_of(values),
                                     [values, free = std::move(free)](void*) { free(values); });
  lent.adopted = true;
  return detail::wrap<T>(label, std::move(lent), size);
}

/// An array of the values of a View, whose label it takes and whose memory it keeps alive. Throws
/// InvalidArgument if the values are not adjacent.
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

/// An array of both sides of a DualView, of which those are valid that it need not sync. Changes
/// that its owner makes and flags from then on reach the array by `take_flags`, and those of the
/// array reach it by `give_flags`.
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

/// Tells `array` which side of `dual`, whose memory it is, was modified last.
template <class T, class... Properties>
void take_flags(Array<T>& array, const Kokkos::DualView<T*, Properties...>& dual) {
  if (dual.need_sync_device()) array.modified(host);
  if (dual.need_sync_host()) array.modified(device);
}
/// Tells `dual` which of its sides `array` has written since. A side that holds some of the newest
/// values alone is made to hold them all.
template <class T, class... Properties>
void give_flags(const Array<T>& array, Kokkos::DualView<T*, Properties...>& dual) {
  dual.clear_sync_state();
  const bool at_host = array.valid(host);
  const bool at_device = array.valid(device);
  if (!at_host && !at_device) array.sync(device);
  if (!at_host) dual.modify_device();
  if (at_host && !at_device) dual.modify_host();
}

/// Both sides of `array` as a DualView, flagged as above. It owns nothing: the array outlives it.
/// Throws InvalidArgument if the array has two sides where Kokkos has one memory (an emulated
/// device): a DualView cannot.
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
