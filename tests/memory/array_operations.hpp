// SPDX-License-Identifier: Apache-2.0
// Operations on arrays for tests, written as in the rest of kolam: intent -> view -> loop.
#pragma once

#include <gmock/gmock.h>

#include <kolam/core/forall.hpp>
#include <kolam/memory/array.hpp>
#include <kolam/memory/emulation.hpp>
#include <kolam/testing/backends.hpp>
#include <kolam/testing/matchers.hpp>
#include <kolam/testing/two_sides.hpp>
#include <type_traits>
#include <vector>

namespace kolam::array_test {

using testing::all_equal;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using testing::error_of;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::TwoSides;
using Exec = Kokkos::DefaultExecutionSpace;

/// Returns value i of a View of rank 1 to 3, first index fastest.
template <class View>
KOKKOS_FUNCTION auto& at(const View& x, index_t i) {
  const auto nx = static_cast<index_t>(x.extent(0));
  if constexpr (View::rank() == 1) {
    return x(i);
  } else if constexpr (View::rank() == 2) {
    return x(i % nx, i / nx);
  } else {
    const auto ny = static_cast<index_t>(x.extent(1));
    return x(i % nx, i / nx % ny, i / nx / ny);
  }
}

template <class View, class T>
struct Set {
  View x;
  T value;
  KOKKOS_FUNCTION void operator()(index_t i) const { at(x, i) = value; }
};
template <class View>
struct Number {
  View x;
  KOKKOS_FUNCTION void operator()(index_t i) const {
    at(x, i) = static_cast<typename View::non_const_value_type>(i);
  }
};
template <class View>
struct Increment {
  View x;
  KOKKOS_FUNCTION void operator()(index_t i) const { at(x, i) += 1; }
};
template <class View>
struct Square {
  View x;
  KOKKOS_FUNCTION void operator()(index_t i, double& sum) const {
    sum += static_cast<double>(at(x, i)) * static_cast<double>(at(x, i));
  }
};
template <class View, class Packed>
struct Pack {
  View x;
  Packed packed;
  KOKKOS_FUNCTION void operator()(index_t i) const { packed(i) = at(x, i); }
};

template <class Exec, class T, int N, class L>
void fill(Array<T, N, L>& a, T value) {
  const auto x = a.write(Exec{});
  forall(Exec{}, "fill", a.size(), Set<decltype(x), T>{x, value});
}
/// Sets value i to i.
template <class Exec, class T, int N, class L>
void number(Array<T, N, L>& a) {
  const auto x = a.write(Exec{});
  forall(Exec{}, "number", a.size(), Number<decltype(x)>{x});
}
template <class Exec, class T, int N, class L>
void add_one(Array<T, N, L>& a) {
  const auto x = a.read_write(Exec{});
  forall(Exec{}, "add_one", a.size(), Increment<decltype(x)>{x});
}
template <class Exec, class T, int N, class L>
double dot(const Array<T, N, L>& a) {
  const auto x = a.read(Exec{});
  return sum<double>(Exec{}, "dot", a.size(), Square<decltype(x)>{x});
}
/// Returns the values that Exec reads.
template <class Exec, class T, int N, class L>
std::vector<T> values_on(const Array<T, N, L>& a) {
  const auto x = a.read(Exec{});
  const Kokkos::View<T*, typename Exec::memory_space> packed("packed",
                                                             static_cast<std::size_t>(a.size()));
  // HostTeams if the host can read the values: many threads are slow for a few values.
  using Runs = std::conditional_t<testing::is_gpu<Exec>, Exec, HostTeams>;
  const BothSides scope;
  forall(Runs{}, "pack", a.size(), Pack<decltype(x), decltype(packed)>{x, packed});
  return testing::to_host(packed);
}
/// Returns the values; fails the test if the two sides differ.
template <class T, int N, class L>
std::vector<T> values_of(const Array<T, N, L>& a) {
  const auto there = values_on<Kokkos::DefaultExecutionSpace>(a);
  EXPECT_EQ(values_on<HostTeams>(a), there) << a.label();
  return there;
}

// Compares the numbers of copies, bytes and allocations at once.
inline void expect_counts(const Transfers& t, std::uint64_t to_device, std::uint64_t to_host,
                          std::uint64_t avoided, std::uint64_t allocations, std::uint64_t bytes) {
  EXPECT_EQ(t.copies_to_device, to_device);
  EXPECT_EQ(t.bytes_to_device, to_device * bytes);
  EXPECT_EQ(t.copies_to_host, to_host);
  EXPECT_EQ(t.bytes_to_host, to_host * bytes);
  EXPECT_EQ(t.copies_avoided, avoided);
  EXPECT_EQ(t.allocations, allocations);
  EXPECT_EQ(t.allocated_bytes, allocations * bytes);
}

template <class Exec>
class ArrayOn : public ::testing::Test {
 public:
  // Whether Exec's memory is separate from the host's.
  static bool apart_from_host() {
    return detail::side_of<Exec> == detail::Side::device && (!one_memory || detail::emulating());
  }
  const bool apart = apart_from_host();
};

}  // namespace kolam::array_test
