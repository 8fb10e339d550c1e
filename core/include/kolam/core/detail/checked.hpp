// SPDX-License-Identifier: Apache-2.0
// Bounds checks that print a label, because an unmanaged View or a FixedView has none.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdio>
#include <kolam/core/index.hpp>

namespace kolam::detail {

#ifdef KOKKOS_ENABLE_DEBUG_BOUNDS_CHECK

template <class Array>
class Checked : public Array {
 public:
  KOKKOS_FUNCTION Checked(const char* label, const Array& array) : Array(array) {
    std::size_t i = 0;
    for (; label[i] != '\0' && i + 1 < sizeof(label_); ++i) label_[i] = label[i];
    label_[i] = '\0';
  }

  template <class... Indices>
  KOKKOS_FUNCTION decltype(auto) operator()(Indices... indices) const {
    int dimension = 0;
    (check(static_cast<index_t>(indices), dimension++), ...);
    return Array::operator()(indices...);
  }

 private:
  KOKKOS_FUNCTION void check(index_t index, int dimension) const {
    const auto extent = static_cast<index_t>(this->extent(static_cast<std::size_t>(dimension)));
    if (index >= 0 && index < extent) return;
    constexpr const char* text =
        "kolam: index %lld of dimension %d of '%s' is out of its extent %lld\n";
    const auto i = static_cast<long long>(index);
    const auto n = static_cast<long long>(extent);
    KOKKOS_IF_ON_HOST((std::fprintf(stderr, text, i, dimension, label_, n);))
    KOKKOS_IF_ON_DEVICE((Kokkos::printf(text, i, dimension, label_, n);))
    Kokkos::abort("kolam: index out of bounds");
  }

  char label_[48];  // stored by value, so that a kernel can print it
};

template <class Array>
KOKKOS_FUNCTION Checked<Array> checked(const char* label, const Array& array) {
  return {label, array};
}

#else

template <class Array>
KOKKOS_FORCEINLINE_FUNCTION Array checked(const char*, const Array& array) {
  return array;
}

#endif

}  // namespace kolam::detail
