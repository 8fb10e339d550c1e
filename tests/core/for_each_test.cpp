// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <kolam/core/for_each.hpp>
#include <kolam/testing/backends.hpp>
#include <kolam/testing/matchers.hpp>
#include <limits>
#include <vector>

namespace kolam::for_each_test {

using testing::all_equal;

// Boxes of prime and round sizes, narrow ones, single rows, columns and points, and empty ones; not
// all start at zero.
const Box<2> planes[] = {
    {{{0, 1}, {0, 1}}},     {{{0, 7}, {0, 1}}},    {{{0, 1}, {0, 7}}},   {{{3, 16}, {2, 19}}},
    {{{5, 6}, {1, 1000}}},  {{{1, 1000}, {4, 5}}}, {{{0, 64}, {0, 33}}}, {{{2, 133}, {9, 66}}},
    {{{0, 2}, {0, 20000}}}, {{{4, 4}, {0, 5}}},    {{{0, 5}, {3, 3}}},   {{{0, 5}, {7, 3}}},
};
const Box<3> solids[] = {
    {{{0, 1}, {0, 1}, {0, 1}}},   {{{2, 9}, {1, 6}, {3, 14}}},   {{{1, 2}, {0, 40}, {5, 30}}},
    {{{0, 40}, {3, 4}, {1, 37}}}, {{{0, 31}, {2, 19}, {6, 7}}},  {{{4, 68}, {0, 8}, {1, 17}}},
    {{{0, 1}, {0, 1}, {3, 200}}}, {{{0, 0}, {0, 4}, {0, 4}}},    {{{0, 4}, {2, 2}, {0, 4}}},
    {{{0, 4}, {0, 4}, {9, 1}}},   {{{0, 3}, {0, 3}, {0, 3000}}},
};

// Numbers the points of a grid around a box; dimensions that the box lacks have extent 1.
struct Numbers {
  index_t x, y, z;
  KOKKOS_FUNCTION index_t of(index_t i, index_t j, index_t k = 0) const {
    return i + x * (j + y * k);
  }
  index_t count() const { return x * y * z; }
};
template <int N>
Numbers around(const Box<N>& box) {
  const auto size = [&](std::size_t d) {
    return d < N ? std::max(box[d].begin, box[d].end) + 2 : index_t{1};
  };
  return {size(0), size(1), size(2)};
}
template <int N>
bool has(const Box<N>& box, const Numbers& numbers, index_t n) {
  const index_t at[] = {n % numbers.x, n / numbers.x % numbers.y, n / numbers.x / numbers.y};
  for (std::size_t d = 0; d < N; ++d)
    if (at[d] < box[d].begin || at[d] >= box[d].end) return false;
  return true;
}

template <class Exec>
using Counts = Kokkos::View<int*, typename Exec::memory_space>;

template <class Exec>
struct CountVisits {
  Numbers numbers;
  Counts<Exec> counts;
  KOKKOS_FUNCTION void operator()(index_t i, index_t j) const {
    Kokkos::atomic_inc(&counts(numbers.of(i, j)));
  }
  KOKKOS_FUNCTION void operator()(index_t i, index_t j, index_t k) const {
    Kokkos::atomic_inc(&counts(numbers.of(i, j, k)));
  }
};

template <class Exec>
class ForEach : public ::testing::Test {};
TYPED_TEST_SUITE(ForEach, testing::ExecutionSpaces, testing::ExecutionSpaceNames);

template <class Exec, class Boxes>
void expect_every_point_once(const Exec& exec, const Boxes& boxes) {
  for (const auto& box : boxes) {
    const Numbers numbers = around(box);
    const Counts<Exec> counts("counts", numbers.count());
    for_each(exec, "count visits", box, CountVisits<Exec>{numbers, counts});
    exec.fence();
    EXPECT_TRUE(all_equal(
        counts, [&](std::size_t n) { return has(box, numbers, static_cast<index_t>(n)) ? 1 : 0; }))
        << numbers.x << " x " << numbers.y << " x " << numbers.z;
  }
}

TYPED_TEST(ForEach, VisitsEveryPointOfAPlaneOnceAndNothingElse) {
  expect_every_point_once(TypeParam{}, planes);
}
TYPED_TEST(ForEach, VisitsEveryPointOfASolidOnceAndNothingElse) {
  expect_every_point_once(TypeParam{}, solids);
}

TYPED_TEST(ForEach, VisitsEveryPointOnceWithMoreOfThemThanThreads) {
  const TypeParam exec;
  index_t rows = 1000;
  if constexpr (has_block_threads<TypeParam> && requires { exec.concurrency(); })
    rows = exec.concurrency() / 64 + 7;
  expect_every_point_once(exec, std::vector<Box<2>>{{{{1, 258}, {3, rows}}}});
  expect_every_point_once(exec, std::vector<Box<3>>{{{{1, 258}, {3, 34}, {1, rows / 29}}}});
}

// (Runs the loops of a device and of host threads serially, one thread after the other.)
template <int N>
void expect_every_point_once_by_hand(const Box<N>& box) {
  const Numbers numbers = around(box);
  using Exec = Kokkos::DefaultHostExecutionSpace;
  const detail::BoxRows<N> rows(box);
  const auto expect = [&](const Counts<Exec>& counts, index_t threads) {
    EXPECT_TRUE(all_equal(counts, [&](std::size_t n) {
      return has(box, numbers, static_cast<index_t>(n)) ? 1 : 0;
    })) << threads;
  };
  const auto expect_tiles = [&]<std::uint32_t Width>(std::integral_constant<std::uint32_t, Width>) {
    using Tiles = detail::DeviceTiles<N, CountVisits<Exec>, Width>;
    for (const index_t steps : {1, 2, 3, 8, 1 << 30}) {
      const Counts<Exec> counts("counts", numbers.count());
      const Tiles tiles(box, steps, {numbers, counts});
      const index_t layers = N == 3 ? std::max<index_t>(box[N - 1].end - box[N - 1].begin, 0) : 1;
      EXPECT_LE(
          tiles.tiles() * index_t{detail::tile_threads},
          (rows.row_size + Width) * (rows.plane_rows + detail::tile_threads / Width) * layers);
      for (std::uint32_t tile = 0; tile < tiles.tiles(); ++tile)
        for (std::uint32_t thread = 0; thread < detail::tile_threads; ++thread)
          tiles.visit(tile, thread);
      expect(counts, steps);
    }
  };
  expect_tiles(std::integral_constant<std::uint32_t, 32>{});
  expect_tiles(std::integral_constant<std::uint32_t, 128>{});
  if (rows.points() > 0) {
    const Counts<Exec> counts("counts", numbers.count());
    const detail::DevicePoints<N, CountVisits<Exec>> points(box, {numbers, counts});
    for (index_t point = 0; point < rows.points(); ++point) points(point);
    expect(counts, rows.points());
  }
  for (const index_t threads : {1, 2, 3, 5, 16, 61}) {
    if (threads > rows.points()) break;
    const Counts<Exec> counts("counts", numbers.count());
    const detail::HostLoop<N, CountVisits<Exec>> loop{{rows, threads}, {numbers, counts}};
    for (index_t thread = 0; thread < threads; ++thread) loop(thread);
    expect(counts, threads);
  }
}
TEST(Quotient, IsThatOfADivision) {
  constexpr std::uint32_t most = (1U << 31U) - 1;
  for (std::uint32_t divisor = 1; divisor < 3000; ++divisor) {
    const detail::Quotient quotient(divisor);
    for (std::uint32_t times : {0U, 1U, 2U, 77U, most / divisor}) {
      const std::uint32_t n = times * divisor;
      EXPECT_EQ(quotient.of(n), times) << n << " / " << divisor;
      if (times > 0) {
        EXPECT_EQ(quotient.of(n - 1), times - 1) << n - 1 << " / " << divisor;
      }
    }
    EXPECT_EQ(quotient.of(most), most / divisor);
  }
  for (const std::uint32_t divisor : {65'535U, 65'536U, 1'000'003U, 1U << 30U, most - 1, most}) {
    const detail::Quotient quotient(divisor);
    for (const std::uint32_t n : {0U, 1U, divisor - 1, divisor, most - 1, most})
      EXPECT_EQ(quotient.of(n), n / divisor) << n << " / " << divisor;
  }
}

TEST(Threads, OfDevicesAndHostsShareOutAllPoints) {
  for (const Box<2>& box : planes) expect_every_point_once_by_hand(box);
  for (const Box<3>& box : solids) expect_every_point_once_by_hand(box);
}

struct AddNumber {
  Numbers numbers;
  template <class T>
  KOKKOS_FUNCTION void operator()(index_t i, index_t j, T& sum) const {
    sum += static_cast<T>(numbers.of(i, j));
  }
  template <class T>
  KOKKOS_FUNCTION void operator()(index_t i, index_t j, index_t k, T& sum) const {
    sum += static_cast<T>(numbers.of(i, j, k));
  }
};
struct LeastNumber {
  Numbers numbers;
  KOKKOS_FUNCTION void operator()(index_t i, index_t j, index_t& least) const {
    least = Kokkos::min(least, numbers.of(i, j));
  }
  KOKKOS_FUNCTION void operator()(index_t i, index_t j, index_t k, index_t& least) const {
    least = Kokkos::min(least, numbers.of(i, j, k));
  }
};
struct GreatestNumber {
  Numbers numbers;
  KOKKOS_FUNCTION void operator()(index_t i, index_t j, double& most) const {
    most = Kokkos::max(most, static_cast<double>(numbers.of(i, j)));
  }
  KOKKOS_FUNCTION void operator()(index_t i, index_t j, index_t k, double& most) const {
    most = Kokkos::max(most, static_cast<double>(numbers.of(i, j, k)));
  }
};

template <class Exec, class Boxes>
void expect_reductions(const Exec& exec, const Boxes& boxes) {
  for (const auto& box : boxes) {
    const Numbers numbers = around(box);
    index_t sum_of_all = 0;
    index_t least = std::numeric_limits<index_t>::max();
    index_t most = -1;
    for (index_t n = 0; n < numbers.count(); ++n) {
      if (!has(box, numbers, n)) continue;
      sum_of_all += n;
      least = std::min(least, n);
      most = std::max(most, n);
    }
    EXPECT_EQ(sum<index_t>(exec, "sum", box, AddNumber{numbers}), sum_of_all);
    // (Exact in double precision.)
    EXPECT_EQ(sum<double>(exec, "sum", box, AddNumber{numbers}), static_cast<double>(sum_of_all));
    EXPECT_EQ(min<index_t>(exec, "least", box, LeastNumber{numbers}), least);
    EXPECT_EQ(max<double>(exec, "most", box, GreatestNumber{numbers}),
              most < 0 ? std::numeric_limits<double>::lowest() : static_cast<double>(most));
    EXPECT_EQ(reduce<Kokkos::Sum<index_t>>(exec, "sum", box, 5, AddNumber{numbers}),
              sum_of_all + 5);
  }
}
TYPED_TEST(ForEach, ReducesOverPlanes) { expect_reductions(TypeParam{}, planes); }
TYPED_TEST(ForEach, ReducesOverSolids) { expect_reductions(TypeParam{}, solids); }

// y = 4 x - neighbours, as in the documentation.
void apply_five_points(const Kokkos::DefaultExecutionSpace& exec,
                       const Kokkos::View<double**, Kokkos::LayoutLeft>& x,
                       const Kokkos::View<double**, Kokkos::LayoutLeft>& y) {
  const auto nx = static_cast<index_t>(x.extent(0));
  const auto ny = static_cast<index_t>(x.extent(1));
  for_each(
      exec, "five points", Box<2>{{{1, nx - 1}, {1, ny - 1}}}, KOKKOS_LAMBDA(index_t i, index_t j) {
        y(i, j) = 4 * x(i, j) - x(i - 1, j) - x(i + 1, j) - x(i, j - 1) - x(i, j + 1);
      });
}
void fill_by_default(const Kokkos::View<double**, Kokkos::LayoutLeft>& x) {
  const auto nx = static_cast<index_t>(x.extent(0));
  const auto ny = static_cast<index_t>(x.extent(1));
  for_each(
      "fill", Box<2>{{{0, nx}, {0, ny}}},
      KOKKOS_LAMBDA(index_t i, index_t j) { x(i, j) = static_cast<double>(i * i + 3 * j * j); });
}
TEST(ForEachByDefault, AppliesFivePoints) {
  const Kokkos::View<double**, Kokkos::LayoutLeft> x("x", 130, 67);
  const Kokkos::View<double**, Kokkos::LayoutLeft> y("y", 130, 67);
  fill_by_default(x);
  apply_five_points({}, x, y);
  const auto there = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, y);
  for (std::size_t j = 0; j < 67; ++j)
    for (std::size_t i = 0; i < 130; ++i)
      EXPECT_EQ(there(i, j), i == 0 || i == 129 || j == 0 || j == 66 ? 0 : -8);
}

}  // namespace kolam::for_each_test
