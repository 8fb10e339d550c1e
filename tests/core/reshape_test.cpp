// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <kolam/core/forall.hpp>
#include <kolam/core/reshape.hpp>
#include <kolam/testing/matchers.hpp>
#include <string>
#include <utility>

namespace kolam::reshape_test {

using testing::all_equal;
using ::testing::AllOf;
using testing::error_of;
using ::testing::HasSubstr;

template <class Exec>
using Values = Kokkos::View<int*, typename Exec::memory_space>;

Kokkos::View<double*, Kokkos::HostSpace> host_values(const std::string& label, int n) {
  return Kokkos::View<double*, Kokkos::HostSpace>(label, n);
}

// The extents 2, 2, ..., 2: bit d of a flat index is index d.
template <std::size_t... Dimension>
void first_index_is_fastest(std::index_sequence<Dimension...>) {
  constexpr int rank = sizeof...(Dimension);
  const auto x = host_values("x", 1 << rank);
  const auto run_time = reshape(x, (static_cast<void>(Dimension), 2)...);
  const auto of_pointer = reshape(x.data(), (static_cast<void>(Dimension), index_t{2})...);
  const auto compile_time = reshape(x, (static_cast<void>(Dimension), fixed<2>)...);
  for (int flat = 0; flat < 1 << rank; ++flat) {
    const auto* const expected = x.data() + flat;
    EXPECT_EQ(&run_time(((flat >> Dimension) & 1)...), expected) << "rank " << rank;
    EXPECT_EQ(&of_pointer(((flat >> Dimension) & 1)...), expected) << "rank " << rank;
    EXPECT_EQ(&compile_time(((flat >> Dimension) & 1)...), expected) << "rank " << rank;
  }
}

// Writes p + 10 q + 100 r through every form of reshape, each into a piece of its own.
template <class Exec>
void fill_every_form(const Exec& exec, const Values<Exec>& x, int p, int q, int r) {
  const int piece = p * q * r;
  const auto of_view = reshape(x, p, q, r);
  const auto captured_mixed = reshape(x.data() + 4 * piece, p, fixed<5>, r);
  const auto captured_compile_time = reshape(x.data() + 5 * piece, fixed<3>, fixed<5>, fixed<7>);
  forall(
      exec, "fill", r, KOKKOS_LAMBDA(index_t k) {
        const auto of_pointer = reshape(x.data() + piece, p, q, r);
        const auto mixed = reshape(x.data() + 2 * piece, fixed<3>, q, r);
        const auto compile_time = reshape(x.data() + 3 * piece, fixed<3>, fixed<5>, fixed<7>);
        for (int j = 0; j < q; ++j) {
          for (int i = 0; i < p; ++i) {
            const int value = i + 10 * j + 100 * static_cast<int>(k);
            of_view(i, j, k) = value;
            of_pointer(i, j, k) = value;
            mixed(i, j, k) = value;
            compile_time(i, j, k) = value;
            captured_mixed(i, j, k) = value;
            captured_compile_time(i, j, k) = value;
          }
        }
      });
}

template <class Exec>
class ReshapeOn : public ::testing::Test {};
TYPED_TEST_SUITE(ReshapeOn, testing::ExecutionSpaces, testing::ExecutionSpaceNames);

TYPED_TEST(ReshapeOn, AllFormsAgreeInKernels) {
  const Values<TypeParam> x("x", 6 * 105);
  fill_every_form(TypeParam{}, x, 3, 5, 7);
  EXPECT_TRUE(
      all_equal(x, [](std::size_t i) { return i % 3 + 10 * (i / 3 % 5) + 100 * (i / 15 % 7); }));
}

TEST(Reshape, MakesTheFirstIndexTheFastestInEveryRank) {
  first_index_is_fastest(std::make_index_sequence<1>{});
  first_index_is_fastest(std::make_index_sequence<2>{});
  first_index_is_fastest(std::make_index_sequence<3>{});
  first_index_is_fastest(std::make_index_sequence<4>{});
  first_index_is_fastest(std::make_index_sequence<5>{});
  first_index_is_fastest(std::make_index_sequence<6>{});
  first_index_is_fastest(std::make_index_sequence<7>{});
  first_index_is_fastest(std::make_index_sequence<8>{});
}

TEST(Reshape, GivesStandardTypesThatOwnNothing) {
  const auto x = host_values("x", 24);
  const Kokkos::View<const double*, Kokkos::HostSpace> constant = x;
  const auto view = reshape(constant, 2, 3, 4);
  const auto span = reshape(x, fixed<2>, 3, fixed<4>);

  static_assert(decltype(view)::rank == 3 && decltype(span)::rank() == 3);
  static_assert(std::is_same_v<decltype(view(0, 0, 0)), const double&>);
  static_assert(std::is_same_v<decltype(span(0, 0, 0)), double&>);
  static_assert(std::is_same_v<decltype(view)::memory_space, Kokkos::HostSpace>);
  static_assert(decltype(span)::static_extent(0) == 2 && decltype(span)::static_extent(2) == 4);
  EXPECT_EQ(span.extent(1), 3);
  EXPECT_EQ(x.use_count(), 2);  // x and constant
}

TEST(Reshape, ConvertsFixedExtentsToAnMdspan) {
  const auto x = host_values("x", 24);
  const auto fixed_view = reshape(x, fixed<2>, 3, fixed<4>);
  using Extents = decltype(fixed_view)::extents_type;
  const Kokkos::mdspan<double, Extents, Kokkos::layout_left> span = fixed_view;
  EXPECT_EQ(span.data_handle(), x.data());
  EXPECT_EQ(span.extent(1), 3);
  EXPECT_EQ(fixed_view.size(), 24);
}

TEST(Reshape, TakesLessThanThereIsAndNothing) {
  const auto x = host_values("x", 10);
  EXPECT_EQ(reshape(x, 3, 3).size(), 9U);
  EXPECT_EQ(reshape(x, 3, 0, 5).size(), 0U);
  EXPECT_EQ(reshape(host_values("none", 0), 0).size(), 0U);
  EXPECT_EQ(reshape(x, fixed<0>, 5).size(), 0U);
  EXPECT_EQ(reshape(static_cast<double*>(nullptr), 0, 4).size(), 0U);
}

TEST(Reshape, RefusesMoreThanThereIsByLabelAndSizes) {
  const auto x = host_values("u", 10);
  for (const auto& text :
       {error_of<InvalidArgument>([&] { static_cast<void>(reshape(x, 11)); }),
        error_of<InvalidArgument>([&] { static_cast<void>(reshape(x, fixed<1>, 11)); })}) {
    EXPECT_THAT(text,
                AllOf(HasSubstr("reshape of u"), HasSubstr("11 values"), HasSubstr("are 10")));
  }
  constexpr index_t big = index_t{1} << 40;
  EXPECT_THROW(static_cast<void>(reshape(x, big, big)), InvalidArgument);
  EXPECT_THROW(static_cast<void>(reshape(x, 2, -3)), InvalidArgument);
  EXPECT_THROW(static_cast<void>(reshape(x, -2, -3)), InvalidArgument);
}

TEST(Reshape, RefusesValuesThatAreNotAdjacent) {
  const Kokkos::View<double**, Kokkos::LayoutLeft, Kokkos::HostSpace> table("table", 3, 4);
  const Kokkos::View<double*, Kokkos::LayoutStride, Kokkos::HostSpace> row =
      Kokkos::subview(table, 1, Kokkos::ALL);
  EXPECT_THAT(error_of<InvalidArgument>([&] { static_cast<void>(reshape(row, 2, 2)); }),
              AllOf(HasSubstr("reshape of table"), HasSubstr("3 apart")));
  const Kokkos::View<double*, Kokkos::LayoutStride, Kokkos::HostSpace> column =
      Kokkos::subview(table, Kokkos::ALL, 1);
  EXPECT_EQ(&reshape(column, 3)(2), &table(2, 1));
}

#ifdef KOKKOS_ENABLE_DEBUG_BOUNDS_CHECK
template <class Exec>
void write_at(const Exec& exec, int i, int j) {
  const Kokkos::View<double*, Kokkos::HostSpace> x("pressure", 12);
  const auto view = reshape(x, 3, 4);
  const auto span = reshape(x, fixed<3>, fixed<4>);
  forall(exec, "write", 1, [=](index_t) { view(i, j) = span(i, j); });
}

TEST(ReshapeDeathTest, StopsAtAnIndexOutOfItsExtentOnTheHost) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  write_at(HostTeams{}, 2, 3);
  EXPECT_DEATH(write_at(HostTeams{}, 3, 0),
               "index 3 of dimension 0 of 'pressure' is out of its extent 3");
  EXPECT_DEATH(write_at(HostTeams{}, -1, 0), "index -1 of dimension 0 of 'pressure'");
  EXPECT_DEATH(write_at(Kokkos::DefaultHostExecutionSpace{}, 0, 4),
               "index 4 of dimension 1 of 'pressure' is out of its extent 4");
  double y[4] = {};
  EXPECT_DEATH(reshape(y, 2, 2)(0, 2) = 1, "index 2 of dimension 1 of 'reshape'");
}
#endif

}  // namespace kolam::reshape_test
