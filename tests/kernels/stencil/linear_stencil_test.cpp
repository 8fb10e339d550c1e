// SPDX-License-Identifier: Apache-2.0
// Which stencils are rows of matrices, and which points are next to a side. (Products with vectors:
// tests of StencilOperator in grid.)
#include <gmock/gmock.h>

#include <kolam/kernels/stencil/detail/stencil_matrix.hpp>
#include <kolam/kernels/stencil/linear_stencil.hpp>
#include <map>
#include <numeric>
#include <string>
#include <vector>

namespace kolam::linear_stencil_test {
namespace {

struct Plain {
  static constexpr int dimensions = 2;
  template <class U>
  KOKKOS_FUNCTION auto operator()(const U& u) const {
    return u.center() - u.left();
  }
};
struct WithValue : Plain {
  static constexpr int coefficients = 1;
  template <class U>
  KOKKOS_FUNCTION auto operator()(const U& u, double k) const {
    return k * u.right();
  }
};
struct WithNeighbours : Plain {
  static constexpr int coefficients = 2;
  static constexpr bool coefficient_neighbours = true;
  template <class U, class K>
  KOKKOS_FUNCTION auto operator()(const U& u, const K& a, const K& b) const {
    return (a.right() + b.above()) * u.right();
  }
};
struct WithTooFew : Plain {
  static constexpr int coefficients = 2;
  template <class U>
  KOKKOS_FUNCTION auto operator()(const U& u, double k) const {
    return k * u.right();
  }
};
struct OfTwoFields : Plain {
  static constexpr int fields = 2;
  static constexpr int coefficients = 1;
  template <class U>
  KOKKOS_FUNCTION Kokkos::Array<double, 2> operator()(const U& u, const U& v, double k) const {
    return {u.left() + k * v.center(), v.right()};
  }
};
struct OfTwoFieldsForOne : OfTwoFields {
  template <class U>
  KOKKOS_FUNCTION double operator()(const U& u, const U& v, double k) const {
    return u.left() + k * v.center();
  }
};
struct OfTwoFieldsForThree : OfTwoFields {
  template <class U>
  KOKKOS_FUNCTION Kokkos::Array<double, 3> operator()(const U& u, const U&, double k) const {
    return {u.left(), u.left(), k};
  }
};
struct WithText : Plain {
  template <class U>
  std::string operator()(const U&) const {
    return "";
  }
};

static_assert(LinearStencilOf<Plain, double> && LinearStencilOf<Plain, float>);
static_assert(LinearStencilOf<WithValue, double> && !stencil_coefficient_neighbours<WithValue>);
static_assert(LinearStencilOf<WithNeighbours, double> &&
              stencil_coefficient_neighbours<WithNeighbours>);
static_assert(!LinearStencilOf<WithTooFew, double>);
static_assert(!LinearStencilOf<WithText, double>);
static_assert(stencil_fields<Plain> == 1 && stencil_fields<OfTwoFields> == 2);
static_assert(LinearStencilOf<OfTwoFields, double> && LinearStencilOf<OfTwoFields, float>);
static_assert(!LinearStencilOf<OfTwoFieldsForOne, double>);
static_assert(!LinearStencilOf<OfTwoFieldsForThree, double>);

template <int N>
void expect_rim_once(const PerDimension<index_t, N>& own) {
  std::map<std::vector<index_t>, int> times;
  const detail::RimPoints<N> rim(own);
  for (index_t i = 0; i < rim.count(); ++i) {
    const auto point = rim.point(i);
    std::vector<index_t> key;
    bool next_to_side = false;
    for (std::size_t d = 0; d < N; ++d) {
      ASSERT_TRUE(point[d] >= 0 && point[d] < own[d]);
      next_to_side = next_to_side || point[d] == 0 || point[d] == own[d] - 1;
      key.push_back(point[d]);
    }
    EXPECT_TRUE(next_to_side);
    EXPECT_EQ(++times[key], 1);
  }
  index_t all = 1;
  index_t inside = 1;
  for (std::size_t d = 0; d < N; ++d) {
    all *= own[d];
    inside *= Kokkos::max(own[d] - 2, index_t{0});
  }
  EXPECT_EQ(rim.count(), all - inside);
}

TEST(RimPoints, AreEachPointNextToASideOnce) {
  for (index_t x = 0; x < 5; ++x)
    for (index_t y = 0; y < 5; ++y) {
      if (x * y > 0) expect_rim_once<2>({x, y});
      for (index_t z = 1; z < 5; ++z)
        if (x * y > 0) expect_rim_once<3>({x, y, z});
    }
}

// Values that differ at all own points; none is a ghost.
template <int N>
struct Numbered {
  PerDimension<index_t, N> own_points;
  int field = 0;
  double own(const PerDimension<index_t, N>& at) const {
    return 1 + static_cast<double>(detail::vector_place<N>(own_points, at));
  }
  double ghost(const PerDimension<index_t, N>&) const { return -1; }
  double dirichlet(const PerDimension<index_t, N>&) const { return 0; }
};

template <int N>
void expect_values_beyond_folded_sides(const PerDimension<index_t, N>& own,
                                       const Boundaries<N>& boundaries) {
  const detail::FoldedSides<N> folded(own, boundaries);
  const detail::GridSides<N, NoBoundaryFunctor> sides{own, {}, {}, boundaries, {}};
  const Numbered<N> values{own};
  std::vector<double> x(100);
  std::iota(x.begin(), x.end(), 1);
  index_t points = 0;
  for (index_t n = 0; n < own[0] * own[1] * (N == 3 ? own[N - 1] : 1); ++n) {
    PerDimension<index_t, N> point{n % own[0], n / own[0] % own[1]};
    if constexpr (N == 3) point[2] = n / own[0] / own[1];
    bool inside = true;
    for (std::size_t d = 0; d < N; ++d)
      inside = inside && point[d] >= folded.inside[d].begin && point[d] < folded.inside[d].end;
    if (!inside) continue;
    ++points;
    const detail::FoldedNeighbours<const double*, N> neighbours(x.data() + n, folded, own, point);
    for (int dz = N == 3 ? -1 : 0; dz <= (N == 3 ? 1 : 0); ++dz)
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) {
          auto at = point;
          at[0] += dx;
          at[1] += dy;
          if constexpr (N == 3) at[2] += dz;
          EXPECT_EQ(neighbours(dx, dy, dz), (sides.template value<N>(at, values)));
        }
  }
  const detail::RimPoints<N> rim(own, folded.inside);
  EXPECT_EQ(points + rim.count(), own[0] * own[1] * (N == 3 ? own[N - 1] : 1));
  for (index_t i = 0; i < rim.count(); ++i) {
    const auto point = rim.point(i);
    bool inside = true;
    for (std::size_t d = 0; d < N; ++d)
      inside = inside && point[d] >= folded.inside[d].begin && point[d] < folded.inside[d].end;
    EXPECT_FALSE(inside);
  }
}

// All pairs of boundaries of a dimension.
std::vector<PerDimension<Boundary, 2>> pairs_of_boundaries() {
  using enum Boundary;
  std::vector<PerDimension<Boundary, 2>> pairs{{periodic, periodic}};
  for (const Boundary first : {dirichlet, no_flux, mirror, functor, neighbour})
    for (const Boundary last : {dirichlet, no_flux, mirror, functor, neighbour})
      pairs.push_back({first, last});
  return pairs;
}

TEST(FoldedSides, HaveTheValuesOfTheirBoundaries) {
  for (const auto& in_x : pairs_of_boundaries())
    for (const auto& in_y : pairs_of_boundaries())
      for (index_t x = 1; x < 5; ++x)
        for (index_t y = 1; y < 5; ++y) {
          expect_values_beyond_folded_sides<2>({x, y}, {in_x, in_y});
          expect_values_beyond_folded_sides<3>({x, y, 3}, {in_x, in_y, in_y});
        }
}

// Only a folded side takes its points from the rim.
TEST(FoldedSides, LeaveGhostsAndFunctorsToTheRim) {
  using enum Boundary;
  const auto inside = [](Boundary first, Boundary last) {
    const Box<2> box = detail::FoldedSides<2>({5, 4}, {{{first, last}, {no_flux, no_flux}}}).inside;
    EXPECT_EQ(box[1], (Range{0, 4}));
    return box[0];
  };
  EXPECT_EQ(inside(dirichlet, mirror), (Range{0, 5}));
  EXPECT_EQ(inside(periodic, periodic), (Range{0, 5}));
  EXPECT_EQ(inside(functor, no_flux), (Range{1, 5}));
  EXPECT_EQ(inside(mirror, neighbour), (Range{0, 4}));
  const Box<3> solid =
      detail::FoldedSides<3>({5, 4, 3}, {{{no_flux, neighbour}, {no_flux, no_flux}, {}}}).inside;
  EXPECT_EQ(solid[0], (Range{0, 4}));
  EXPECT_EQ(solid[1], (Range{1, 3}));
  EXPECT_EQ(solid[2], (Range{1, 2}));
}

}  // namespace
}  // namespace kolam::linear_stencil_test
