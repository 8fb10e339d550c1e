// SPDX-License-Identifier: Apache-2.0
// Values beyond the sides of a row of points.
#include <gmock/gmock.h>

#include <kolam/kernels/stencil/boundary.hpp>

namespace kolam::boundary_test {
namespace {

using enum Boundary;

struct Twice {
  template <class Point, class Inside>
  KOKKOS_FUNCTION double operator()(const Point& at, const Inside& inside) const {
    return 1000 * at.direction * (1 + at.dimension) + 2 * inside(0) + inside(1) / 8 +
           static_cast<double>(at.index[0]);
  }
};

// 10 for the first point, 20 for the second; the value of a ghost gives its index.
struct Numbered {
  int field = 0;
  using At = PerDimension<index_t, 2>;
  double own(const At& at) const { return 10.0 * static_cast<double>(at[0] + 1); }
  double ghost(const At& at) const { return 500 + static_cast<double>(at[0]); }
  double dirichlet(const At& at) const { return -7 - static_cast<double>(at[0]); }
};

double at(index_t i, index_t points, Boundary low, Boundary high) {
  const detail::GridSides<2, Twice> sides{
      {points, 1}, {100, 0}, {}, {{{low, high}, {dirichlet, dirichlet}}}, {}};
  return sides.value<2>({i, 0}, Numbered{});
}

TEST(Boundary, GivesTheValueBeyondASide) {
  for (const index_t i : {0, 1, 2})
    EXPECT_EQ(at(i, 3, no_flux, mirror), 10.0 * static_cast<double>(i + 1));
  EXPECT_EQ(at(-1, 3, no_flux, mirror), 10);
  EXPECT_EQ(at(3, 3, mirror, no_flux), 30);
  EXPECT_EQ(at(-1, 3, mirror, no_flux), 20);
  EXPECT_EQ(at(3, 3, no_flux, mirror), 20);
  EXPECT_EQ(at(-1, 3, periodic, periodic), 30);
  EXPECT_EQ(at(3, 3, periodic, periodic), 10);
  EXPECT_EQ(at(-1, 3, neighbour, mirror), 499);
  EXPECT_EQ(at(3, 3, mirror, neighbour), 503);
  EXPECT_EQ(at(-1, 3, dirichlet, mirror), -7 - 99);  // by its index in the whole grid
  EXPECT_EQ(at(3, 3, mirror, dirichlet), -7 - 103);
  EXPECT_EQ(at(-1, 3, functor, mirror), -1000 + 2 * 10 + 20 / 8.0 + 99);
  EXPECT_EQ(at(3, 3, mirror, functor), 1000 + 2 * 30 + 20 / 8.0 + 103);
}

TEST(Boundary, HasOnePointOnly) {
  EXPECT_EQ(at(-1, 1, mirror, mirror), 10);
  EXPECT_EQ(at(1, 1, periodic, periodic), 10);
  EXPECT_EQ(at(-1, 1, mirror, neighbour), 501);  // the neighbour's second point
  EXPECT_EQ(at(1, 1, neighbour, mirror), 499);
}

struct Robin {  // du/dn = -h u, points at distance dx
  double h, dx;
  template <class P, class Inside>
  KOKKOS_FUNCTION double operator()(const P&, const Inside& inside) const {
    return inside(1) - 2 * dx * h * inside(0);
  }
};

// u = 3 + 3 h x + 5 x^2, for which du/dn = -h u at x = 0.
struct Parabola {
  double h, dx;
  int field = 0;
  double at(index_t i) const {
    const double x = dx * static_cast<double>(i);
    return 3 + 3 * h * x + 5 * x * x;
  }
  double own(const PerDimension<index_t, 2>& point) const { return at(point[0]); }
  double ghost(const PerDimension<index_t, 2>&) const { return 0; }
  double dirichlet(const PerDimension<index_t, 2>&) const { return 0; }
};

TEST(Boundary, OfAFunctorIsARobinCondition) {
  constexpr double h = 0.75;
  constexpr double dx = 0.5;
  const detail::GridSides<2, Robin> sides{
      {4, 1}, {}, {}, {{{functor, dirichlet}, {dirichlet, dirichlet}}}, {h, dx}};
  const Parabola u{h, dx};
  EXPECT_DOUBLE_EQ(sides.value<2>({-1, 0}, u), u.at(-1));
}

}  // namespace
}  // namespace kolam::boundary_test
