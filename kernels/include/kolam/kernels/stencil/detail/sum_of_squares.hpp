// SPDX-License-Identifier: Apache-2.0
// The sum of the squares of a host loop's values, in double.
#pragma once

#include <cstddef>
#include <kolam/core/index.hpp>
#include <kolam/core/simd.hpp>
#include <type_traits>
#include <utility>

namespace kolam::detail {

// Loads the next values of an array into a register of doubles.
template <class T>
struct WidenedLanes {
  static constexpr int count = register_bytes / static_cast<int>(sizeof(double));
  using type = Simd<double, count>;

  static type at(const T* values) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
    static_cast<void>(values);
    return type();
#else
    typename type::Register result;
    load_as_double(result, values);
    return type(result);
#endif
  }
};

// Adds up in several registers, because one would make a chain of dependent additions.
template <class T>
class SumOfSquares {
 public:
  // Adds the squares of `Count` values to the sums, from sum number `First` on. `Count` is a
  // multiple of the doubles in a register.
  template <index_t Count, std::size_t First = 0>
  void add(const T* values) {
    static_assert(Count % Widened::count == 0);
    add_registers<First>(values, std::make_index_sequence<Count / Widened::count>{});
  }
  void join(const SumOfSquares& other) {
    first_ += other.first_;
    second_ += other.second_;
    third_ += other.third_;
    fourth_ += other.fourth_;
  }
  double total() const {
    const typename Widened::type sum = (first_ + second_) + (third_ + fourth_);
    double result = 0;
    for (int i = 0; i < Widened::count; ++i) result += sum[i];
    return result;
  }

 private:
  using Widened = WidenedLanes<T>;

  template <std::size_t First, std::size_t... r>
  void add_registers(const T* values, std::index_sequence<r...>) {
    (add_register<(First + r) % 4>(Widened::at(values + r * Widened::count)), ...);
  }
  // (An array of sums would stay in memory.)
  template <std::size_t at>
  void add_register(const typename Widened::type& value) {
    if constexpr (at == 0) first_ = multiply_add(value, value, first_);
    if constexpr (at == 1) second_ = multiply_add(value, value, second_);
    if constexpr (at == 2) third_ = multiply_add(value, value, third_);
    if constexpr (at == 3) fourth_ = multiply_add(value, value, fourth_);
  }

  typename Widened::type first_{0.0};
  typename Widened::type second_{0.0};
  typename Widened::type third_{0.0};
  typename Widened::type fourth_{0.0};
};

}  // namespace kolam::detail
