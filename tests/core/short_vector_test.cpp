// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cstdint>
#include <kolam/core/forall.hpp>
#include <kolam/core/short_vector.hpp>
#include <kolam/testing/matchers.hpp>

namespace kolam::short_vector_test {

using testing::all_equal;

static_assert(ShortVector<float>::size == 4 && ShortVector<double>::size == 2 &&
              ShortVector<std::int8_t>::size == 16);
static_assert(sizeof(ShortVector<float>) == 16 && alignof(ShortVector<float>) == 16);
static_assert(sizeof(ShortVector<double>) == 16 && alignof(ShortVector<double>) == 16);
static_assert(sizeof(ShortVector<float, 2>) == 8 && alignof(ShortVector<float, 2>) == 8);
static_assert(ShortVector<int>{{1, 2, 3, 4}}[2] == 3);

// to = from with the values of each vector reversed.
template <class T, class Exec>
struct Reverse {
  Kokkos::View<const T*, typename Exec::memory_space> from;
  Kokkos::View<T*, typename Exec::memory_space> to;
  KOKKOS_FUNCTION void operator()(index_t p) const {
    constexpr int n = ShortVector<T>::size;
    const auto in = load_short_vector(&from(n * p));
    ShortVector<T> out{};
    for (int i = 0; i < n; ++i) out[i] = in[n - 1 - i];
    store_short_vector(&to(n * p), out);
  }
};

template <class T, class Exec>
void packs_are_reversed() {
  constexpr int n = ShortVector<T>::size;
  constexpr int vectors = 7;
  const Kokkos::View<T*, typename Exec::memory_space> from("from", n * vectors),
      to("to", n * (vectors + 1));
  const auto values = Kokkos::create_mirror_view(from);
  for (int i = 0; i < n * vectors; ++i) values(i) = static_cast<T>(i + 1);
  Kokkos::deep_copy(from, values);

  forall(Exec{}, "reverse", vectors, Reverse<T, Exec>{from, to});

  EXPECT_TRUE(all_equal(to, [](std::size_t i) {
    const int position = static_cast<int>(i);
    return static_cast<T>(position < n * vectors ? position / n * n + n - position % n : 0);
  }));
}

template <class Exec>
class PackOn : public ::testing::Test {};
TYPED_TEST_SUITE(PackOn, testing::ExecutionSpaces, testing::ExecutionSpaceNames);

TYPED_TEST(PackOn, LoadsAndStoresItsValuesAlone) {
  packs_are_reversed<float, TypeParam>();
  packs_are_reversed<double, TypeParam>();
  packs_are_reversed<std::int8_t, TypeParam>();
}

}  // namespace kolam::short_vector_test
