// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <kolam/kernels/element/geometry.hpp>
#include <kolam/testing/backends.hpp>
#include <kolam/testing/element_reference.hpp>

namespace kolam::testing::mapped_points_test {
namespace {

using ::testing::HasSubstr;

template <class Exec>
class MappedPoints : public ::testing::Test {};
TYPED_TEST_SUITE(MappedPoints, ExecutionSpaces, ExecutionSpaceNames);

constexpr index_t element_count = 9;  // not a multiple of anything

// Element e has nodes of its own.
struct OwnNodes {
  int nodes;
  KOKKOS_FUNCTION index_t operator()(index_t e, int i) const { return e * nodes + i; }
};

// Maps xi of the reference element into element e, with derivatives: bilinear or trilinear and then
// bent, a polynomial that order 2 represents exactly.
template <int Dim>
void place(index_t e, const std::array<double, 3>& xi, double (&x)[Dim], double (&j)[Dim][Dim]) {
  const double s = 1 + 0.1 * static_cast<double>(e);
  for (int r = 0; r < Dim; ++r) {
    const auto next = static_cast<std::size_t>((r + 1) % Dim);
    const auto own = static_cast<std::size_t>(r);
    x[r] = s * (r + 1) * xi[own] + 0.2 * xi[next] * xi[own] + 0.1 * xi[next] * xi[next] +
           static_cast<double>(e);
    for (int c = 0; c < Dim; ++c) j[r][c] = 0;
    j[r][r] = s * (r + 1) + 0.2 * xi[next];
    j[r][next] = 0.2 * xi[own] + 0.2 * xi[next];
  }
}

template <int Dim>
double determinant(const double (&j)[Dim][Dim]) {
  if constexpr (Dim == 2) return j[0][0] * j[1][1] - j[0][1] * j[1][0];
  if constexpr (Dim == 3) {
    double sum = 0;
    for (int c = 0; c < 3; ++c) {
      sum +=
          j[0][c] * (j[1][(c + 1) % 3] * j[2][(c + 2) % 3] - j[1][(c + 2) % 3] * j[2][(c + 1) % 3]);
    }
    return sum;
  }
}

// Bent elements with known geometry.
template <int Dim, class T, class Exec>
struct BentElements {
  ElementBasis basis = gauss_element(2, 4);
  int count = kolam::detail::power(3, Dim);
  ElementRestriction<T, Exec> nodes =
      element_restriction<T>(Exec{}, Dim, 3, element_count, element_count* count, OwnNodes{count});
  Kokkos::View<T*, typename Exec::memory_space> coordinates;

  explicit BentElements(double scale_of_x = 1) {
    std::vector<double> all(static_cast<std::size_t>(Dim * nodes.entries));
    for (index_t e = 0; e < element_count; ++e) {
      for (int i = 0; i < count; ++i) {
        double x[Dim], j[Dim][Dim];
        place<Dim>(e, reference(basis.nodes, i), x, j);
        if (e == 5) x[0] *= scale_of_x;
        for (int k = 0; k < Dim; ++k)
          all[static_cast<std::size_t>(e * count + i + k * nodes.entries)] = x[k];
      }
    }
    coordinates = on<T, Exec>(all);
  }

  static std::array<double, 3> reference(const std::vector<double>& along, int n) {
    const auto size = static_cast<int>(along.size());
    std::array<double, 3> xi{};
    for (int k = 0; k < Dim; ++k) {
      xi[static_cast<std::size_t>(k)] = along[static_cast<std::size_t>(n % size)];
      n /= size;
    }
    return xi;
  }

  // Compares number k of the data at every point with expected(e, point, x, jacobian, weight).
  template <int Count, class Expected>
  void expect(const QuadratureData<T, Count, Exec>& data, int k, const Expected& expected) const {
    const auto there = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), data.values);
    const int points = kolam::detail::power(4, Dim);
    const double near = 400 * static_cast<double>(std::numeric_limits<T>::epsilon());
    for (index_t e = 0; e < element_count; ++e) {
      for (int q = 0; q < points; ++q) {
        double x[Dim], j[Dim][Dim];
        place<Dim>(e, reference(basis.quadrature.points, q), x, j);
        double weight = 1;
        for (int d = 0, rest = q; d < Dim; ++d, rest /= 4)
          weight *= basis.quadrature.weights[static_cast<std::size_t>(rest % 4)];
        const double value = expected(e, q, x, j, weight);
        ASSERT_NEAR(static_cast<double>(there(nodes.layout.datum(e, q, k, 4, Count))), value,
                    near * (1 + std::abs(value)))
            << "element " << e << ", point " << q << ", number " << k;
      }
    }
  }
};

// A coefficient that depends on the element, the point and the position.
template <class T, int Dim>
struct SomeCoefficient {
  KOKKOS_FUNCTION T operator()(const MappedPoint<T, Dim>& at) const {
    return T(1) + T(0.1) * T(at.element) + T(0.01) * T(at.point) + at.x[0] * at.x[Dim - 1];
  }
};
template <int Dim>
double some_coefficient(index_t e, int point, const double (&x)[Dim]) {
  return 1 + 0.1 * static_cast<double>(e) + 0.01 * point + x[0] * x[Dim - 1];
}

template <int Dim, class T, class Exec>
void expect_data() {
  const BentElements<Dim, T, Exec> bent;
  const Exec exec{};
  require_positive_jacobian<Dim>(exec, bent.basis, bent.nodes, bent.coordinates);
  const auto stored = [&](const auto& physics, const auto& c, const auto& d) {
    return on_stored<Dim>(exec, bent.basis, bent.nodes, bent.coordinates, physics, c, d).data;
  };
  const Constant<T> one{1};
  bent.expect(stored(Mass<>{}, one, Constant<T>{3}), 0,
              [](index_t, int, const double(&)[Dim], const double(&j)[Dim][Dim], double weight) {
                return 3 * weight * determinant<Dim>(j);
              });
  const SomeCoefficient<T, Dim> c;
  const auto helmholtz = stored(Helmholtz<>{}, Constant<T>{2}, c);
  bent.expect(
      helmholtz, symmetric_size<Dim>,
      [](index_t e, int q, const double(&x)[Dim], const double(&j)[Dim][Dim], double weight) {
        return some_coefficient<Dim>(e, q, x) * weight * determinant<Dim>(j);
      });
  // J S J^T = c weight det for the stored S, checked without a formula for the inverse.
  const auto diffusion = stored(Diffusion<>{}, c, one);
  const auto there = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), diffusion.values);
  int k = 0;
  int number[Dim][Dim];
  for (int r = 0; r < Dim; ++r)
    for (int s = r; s < Dim; ++s) number[r][s] = number[s][r] = k++;
  for (int r = 0; r < Dim; ++r) {
    for (int s = 0; s < Dim; ++s) {
      for (index_t e = 0; e < element_count; ++e) {
        for (int q = 0; q < kolam::detail::power(4, Dim); ++q) {
          double x[Dim], j[Dim][Dim];
          place<Dim>(e, bent.reference(bent.basis.quadrature.points, q), x, j);
          double weight = 1;
          for (int d = 0, rest = q; d < Dim; ++d, rest /= 4)
            weight *= bent.basis.quadrature.weights[static_cast<std::size_t>(rest % 4)];
          double sum = 0;
          for (int a = 0; a < Dim; ++a)
            for (int b = 0; b < Dim; ++b)
              sum += j[r][a] * j[s][b] *
                     static_cast<double>(there(
                         bent.nodes.layout.datum(e, q, number[a][b], 4, symmetric_size<Dim>)));
          const double expected =
              r == s ? some_coefficient<Dim>(e, q, x) * weight * determinant<Dim>(j) : 0.0;
          ASSERT_NEAR(sum, expected,
                      1e4 * static_cast<double>(std::numeric_limits<T>::epsilon()) *
                          (1 + weight * some_coefficient<Dim>(e, q, x)))
              << "element " << e << ", point " << q << ", " << r << ", " << s;
        }
      }
    }
  }
}

TYPED_TEST(MappedPoints, GivesTheDataOfBentElements) {
  expect_data<2, double, TypeParam>();
  expect_data<3, double, TypeParam>();
  expect_data<2, Single, TypeParam>();
}

TYPED_TEST(MappedPoints, NamesAnInvertedElement) {
  const BentElements<3, double, TypeParam> inverted(-1);
  const auto error = [&](const auto& bent) {
    try {
      require_positive_jacobian<3>(TypeParam{}, bent.basis, bent.nodes, bent.coordinates);
    } catch (const InvalidArgument& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_THAT(error(inverted), HasSubstr("element 5 is inverted: the determinant of its map is -"));
  EXPECT_THAT(error(inverted), HasSubstr("at quadrature point 0"));
  EXPECT_THAT(error(BentElements<3, double, TypeParam>(0)), HasSubstr("element 5 is flat"));
  EXPECT_THAT(error(BentElements<3, double, TypeParam>(std::nan(""))),
              HasSubstr("element 5 is not a number"));
  EXPECT_EQ(error(BentElements<3, double, TypeParam>()), "");
}

template <class Exec>
double sum_of(const Exec& exec, const Kokkos::View<double*, typename Exec::memory_space>& y) {
  return sum<double>(
      exec, "sum", static_cast<index_t>(y.extent(0)),
      KOKKOS_LAMBDA(index_t i, double& s) { s += y(i); });
}

TYPED_TEST(MappedPoints, MakesTheSumOfTheMassMatrixTheVolume) {
  // y = M 1 sums up to the integral of 1.
  const BentElements<3, double, TypeParam> bent;
  const TypeParam exec{};
  using View = Kokkos::View<double*, typename TypeParam::memory_space>;
  const auto mass = on_stored<3>(exec, bent.basis, bent.nodes, bent.coordinates, Mass<>{});
  const auto size = static_cast<std::size_t>(bent.nodes.entries);
  const View one = on<double, TypeParam>(std::vector<double>(size, 1.0));
  const View y = on<double, TypeParam>(std::vector<double>(size, 0.0));
  apply_elements<3, double, TypeParam>(exec, bent.basis, mass, bent.nodes, one, bent.nodes, y);
  const double sum = sum_of(exec, y);
  double volume = 0;
  for (index_t e = 0; e < element_count; ++e) {
    for (int q = 0; q < 64; ++q) {
      double x[3], j[3][3];
      place<3>(e, bent.reference(bent.basis.quadrature.points, q), x, j);
      double weight = determinant<3>(j);
      for (int d = 0, rest = q; d < 3; ++d, rest /= 4)
        weight *= bent.basis.quadrature.weights[static_cast<std::size_t>(rest % 4)];
      volume += weight;
    }
  }
  EXPECT_NEAR(sum, volume, 1e-12 * volume);
}

}  // namespace
}  // namespace kolam::testing::mapped_points_test
