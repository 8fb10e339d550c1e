// SPDX-License-Identifier: Apache-2.0
// Which stencils are rows of matrices, and which points are next to a side. (Products with vectors:
// tests of StencilOperator in grid.)
#include <gmock/gmock.h>

#include <kolam/kernels/stencil/detail/stencil_matrix.hpp>
#include <kolam/kernels/stencil/linear_stencil.hpp>
#include <map>
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

}  // namespace
}  // namespace kolam::linear_stencil_test
