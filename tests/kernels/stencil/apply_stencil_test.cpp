// SPDX-License-Identifier: Apache-2.0
// Products of stencils with vectors, as their callers in grid launch them, against the product that
// asks the sides for each neighbour. With HostTeams this is what devices do.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <kolam/kernels/stencil/detail/apply_stencil.hpp>
#include <kolam/testing/backends.hpp>
#include <utility>
#include <vector>

namespace kolam::apply_stencil_test {
namespace {

using detail::StencilProduct;
using detail::StencilRows;
using enum Boundary;

// All neighbours with weights that differ, and a coefficient.
template <int N>
struct Everything {
  static constexpr int dimensions = N;
  static constexpr int coefficients = 1;
  static constexpr bool coefficient_neighbours = true;
  static constexpr bool corners = true;
  template <class U, class K>
  KOKKOS_FUNCTION auto operator()(const U& u, const K& k) const {
    auto sum = (k.left() - k.right()) * u.center();
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx) {
        if constexpr (N == 2) {
          sum += (7 + dx + 3 * dy) * u(dx, dy);
        } else {
          for (int dz = -1; dz <= 1; ++dz) sum += (20 + dx + 3 * dy + 9 * dz) * u(dx, dy, dz);
        }
      }
    return sum;
  }
};

template <int N>
struct Case {
  PerDimension<index_t, N> own;
  Boundaries<N> boundaries;
};

template <class Exec, int N>
class Products {
 public:
  using Matrix = detail::StencilMatrix<Everything<N>, double, NoBoundaryFunctor>;
  using Values = Kokkos::View<double*, typename Exec::memory_space>;

  explicit Products(const Case<N>& c) : case_(c), layout_(layout_of(c.own)) {
    const auto rows = static_cast<std::size_t>(layout_.points());
    host_x = numbers(rows, 1);
    host_z = numbers(rows, 5);
    host_ghosts = numbers(static_cast<std::size_t>(layout_.size), 3);
    host_k = numbers(static_cast<std::size_t>(layout_.size), 7);
    const std::vector<double> zeros(static_cast<std::size_t>(c.own[0] + 2));
    for (auto [view, host] :
         {std::pair{&x, &host_x}, {&z, &host_z}, {&ghosts, &host_ghosts}, {&k, &host_k}})
      *view = on_device(*host);
    zero_row = on_device(zeros);
    matrix = {Everything<N>{}, {c.own, {}, {}, c.boundaries, {}}, layout_};
    host_matrix = matrix;
    matrix.coefficients[0] = k.data();
    matrix.ghosts = ghosts.data();
    matrix.zeros = zero_row.data() + 1;
    host_matrix.coefficients[0] = host_k.data();
    host_matrix.ghosts = host_ghosts.data();
  }

  // The values of A of, by the sides.
  std::vector<double> expected(const std::vector<double>& of) const {
    std::vector<double> result;
    for (index_t n = 0; n < layout_.points(); ++n) {
      PerDimension<index_t, N> point{n % case_.own[0], n / case_.own[0] % case_.own[1]};
      if constexpr (N == 3) point[2] = n / case_.own[0] / case_.own[1];
      const double* const values = of.data();
      result.push_back(
          detail::product_at(host_matrix, point, detail::vector_values(host_matrix, values, 0)));
    }
    return result;
  }

  void expect_all() const {
    const double* const of_x = x.data();
    for (const bool at_once : {true, false}) {
      SCOPED_TRACE(at_once ? "at once" : "inside, then rim");
      const std::vector<double> product = expected(host_x);
      EXPECT_EQ(multiply<StencilProduct::set>(of_x, at_once), product);

      std::vector<double> sum = product;
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += host_z[i];
      EXPECT_EQ(multiply<StencilProduct::add>(of_x, at_once), sum);

      double dot = 0;
      EXPECT_EQ(multiply<StencilProduct::set_and_dot>(of_x, at_once, &dot), product);
      EXPECT_NEAR(dot, dot_of(host_x, product), 1e-12 * size_of(host_x, product));

      if constexpr (N == 2) {
        std::vector<double> direction = host_x;
        for (std::size_t i = 0; i < direction.size(); ++i)
          direction[i] = host_z[i] + 0.5 * host_x[i];
        const auto of_direction = expected(direction);
        Values p("p", host_x.size());
        EXPECT_EQ(multiply<StencilProduct::direction>(
                      detail::Combination<double>{z.data(), x.data(), 0.5}, at_once, &dot, p),
                  of_direction);
        EXPECT_EQ(on_host(p), direction);
        EXPECT_NEAR(dot, dot_of(direction, of_direction), 1e-12 * size_of(direction, of_direction));
      }
    }
  }

 private:
  static FieldLayout<N> layout_of(const PerDimension<index_t, N>& own) {
    std::array<index_t, N> extents{};
    std::copy(own.data(), own.data() + N, extents.begin());
    return field_layout<N>(extents, 1, sizeof(double));
  }
  // Numbers that differ, exact in every sum here.
  static std::vector<double> numbers(std::size_t n, int start) {
    std::vector<double> result(n);
    for (std::size_t i = 0; i < n; ++i)
      result[i] = static_cast<double>((static_cast<int>(i) * 37 + start) % 64) / 8;
    return result;
  }
  static Values on_device(const std::vector<double>& from) {
    const Values to("values", from.size());
    Kokkos::deep_copy(to, Kokkos::View<const double*, Kokkos::HostSpace>(from.data(), from.size()));
    return to;
  }
  static std::vector<double> on_host(const Values& from) {
    std::vector<double> to(from.extent(0));
    Kokkos::deep_copy(Kokkos::View<double*, Kokkos::HostSpace>(to.data(), to.size()), from);
    return to;
  }
  static double dot_of(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
  }
  static double size_of(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 1;
    for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] * b[i]);
    return sum;
  }

  template <StencilProduct Product, class X>
  std::vector<double> multiply(const X& of, bool at_once, double* dot = nullptr,
                               const Values& p = {}) const {
    const Exec exec{};
    const Values y = on_device(host_z);
    const detail::ProductTarget<Product, double> target{y.data(), p.data()};
    const detail::StencilDot<N, Exec> sums(exec, case_.own, case_.boundaries);
    const auto apply = [&](StencilRows rows) {
      detail::apply_stencil(exec, matrix, of, target, rows, &sums, sums.store());
    };
    if (at_once) {
      apply(StencilRows::all);
    } else {
      apply(StencilRows::inside);
      apply(StencilRows::rim);
    }
    if (dot != nullptr) *dot = sums.wait();
    exec.fence();
    return on_host(y);
  }

  Case<N> case_;
  FieldLayout<N> layout_;
  std::vector<double> host_x, host_z, host_ghosts, host_k;
  Values x, z, ghosts, k, zero_row;
  Matrix matrix, host_matrix;
};

template <class Exec>
class ApplyStencil : public ::testing::Test {};
TYPED_TEST_SUITE(ApplyStencil, testing::ExecutionSpaces, testing::ExecutionSpaceNames);

const std::vector<PerDimension<Boundary, 2>> sides{{dirichlet, no_flux}, {mirror, dirichlet},
                                                   {periodic, periodic}, {no_flux, neighbour},
                                                   {neighbour, mirror},  {no_flux, no_flux}};

TYPED_TEST(ApplyStencil, MultipliesInThePlane) {
  for (const auto& in_x : sides)
    for (const auto& in_y : sides)
      for (const index_t x : {1, 2, 5, 150})
        for (const index_t y : {1, 3, 6}) {
          SCOPED_TRACE(::testing::Message()
                       << x << " x " << y << " points, sides " << static_cast<int>(in_x[0])
                       << static_cast<int>(in_x[1]) << static_cast<int>(in_y[0])
                       << static_cast<int>(in_y[1]));
          Products<TypeParam, 2>({{x, y}, {in_x, in_y}}).expect_all();
        }
}

TYPED_TEST(ApplyStencil, MultipliesInSpace) {
  for (const auto& in_x : sides)
    for (const auto& in_z : sides)
      for (const index_t x : {1, 4, 37})
        for (const index_t y : {1, 5})
          for (const index_t z : {2, 3}) {
            SCOPED_TRACE(::testing::Message()
                         << x << " x " << y << " x " << z << " points, sides "
                         << static_cast<int>(in_x[0]) << static_cast<int>(in_x[1])
                         << static_cast<int>(in_z[0]) << static_cast<int>(in_z[1]));
            Products<TypeParam, 3>({{x, y, z}, {in_x, in_x, in_z}}).expect_all();
          }
}

}  // namespace
}  // namespace kolam::apply_stencil_test
