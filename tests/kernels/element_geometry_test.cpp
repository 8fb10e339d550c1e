// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <kolam/kernels/element_diagonal.hpp>
#include <kolam/kernels/element_geometry.hpp>
#include <kolam/testing/backends.hpp>
#include <kolam/testing/element_reference.hpp>

namespace kolam::testing {
namespace {

using ::testing::HasSubstr;

template <class Exec>
class ElementGeometry : public ::testing::Test {};
TYPED_TEST_SUITE(ElementGeometry, ExecutionSpaces, ExecutionSpaceNames);

constexpr index_t element_count = 7;  // not a multiple of anything

// Each element has nodes of its own, but for the first of all, which have no entry in a field.
struct OwnNodes {
  int nodes;
  bool all;
  KOKKOS_FUNCTION index_t operator()(index_t e, int i) const {
    return all || e + i > 0 ? e * nodes + i : -1;
  }
};

enum class Shape { affine, trilinear, bent };

// x of element e at xi: linear, and with `shape` products of two and three, and a square.
template <int Dim>
std::array<double, 3> place(Shape shape, index_t e, const std::array<double, 3>& xi) {
  std::array<double, 3> x{};
  const double s = 1 + 0.1 * static_cast<double>(e);
  const double product = Dim == 2 ? xi[0] * xi[1] : xi[0] * xi[1] * xi[2];
  for (std::size_t r = 0; r < Dim; ++r) {
    const std::size_t next = (r + 1) % Dim;
    x[r] = 3 + s * static_cast<double>(r + 1) * xi[r] +
           (0.2 + 0.1 * static_cast<double>(r)) * xi[next];
    if (Dim == 3) x[r] -= 0.15 * xi[(r + 2) % Dim];
    if (shape != Shape::affine)
      x[r] += 0.1 * xi[r] * xi[next] + 0.07 * static_cast<double>(r + 1) * product;
  }
  if (shape == Shape::bent && e == 5) x[1] += 0.01 * xi[0] * xi[0];
  return x;
}

struct OfElement {
  double first;
  template <class Point>
  KOKKOS_FUNCTION double operator()(const Point& at) const {
    return first + 0.3 * static_cast<double>(at.element);
  }
};

template <int Dim, class T, class Exec>
struct Elements {
  ElementBasis basis;
  Shape shape;
  int count = kolam::detail::power(basis.d1d(), Dim);
  index_t entries = element_count * count;
  ElementRestriction<T, Exec> nodes = element_restriction<T>(
      Exec{}, Dim, basis.d1d(), element_count, entries, OwnNodes{count, true});
  ElementRestriction<T, Exec> field = element_restriction<T>(
      Exec{}, Dim, basis.d1d(), element_count, entries, OwnNodes{count, false});
  Kokkos::View<T*, typename Exec::memory_space> coordinates = positions();

  Kokkos::View<T*, typename Exec::memory_space> positions() const {
    std::vector<double> x(static_cast<std::size_t>(entries * Dim));
    for (index_t e = 0; e < element_count; ++e) {
      for (int i = 0; i < count; ++i) {
        std::array<double, 3> xi{};
        for (int k = 0, rest = i; k < Dim; ++k, rest /= basis.d1d())
          xi[static_cast<std::size_t>(k)] =
              basis.nodes[static_cast<std::size_t>(rest % basis.d1d())];
        const auto at = place<Dim>(shape, e, xi);
        for (std::size_t k = 0; k < Dim; ++k)
          x[static_cast<std::size_t>(e * count + i) + k * static_cast<std::size_t>(entries)] =
              at[k];
      }
    }
    return on<T, Exec>(x);
  }
};

template <int Dim, class T, class Exec, class F>
std::vector<double> applied(const Elements<Dim, T, Exec>& elements, const F& f) {
  const std::vector<double> x = random_numbers(static_cast<std::size_t>(elements.entries), 5);
  const auto y = on<T, Exec>(std::vector<double>(x.size(), 0.0));
  apply_elements<Dim, T, Exec>(Exec{}, elements.basis, f, elements.field, on<T, Exec>(x),
                               elements.field, y);
  Exec{}.fence("test");
  const auto there = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), y);
  return {there.data(), there.data() + there.extent(0)};
}

template <class T>
void expect_near(const std::vector<double>& found, const std::vector<double>& expected,
                 const char* what) {
  double largest = 0;
  for (const double value : expected) largest = std::max(largest, std::abs(value));
  for (std::size_t i = 0; i < expected.size(); ++i)
    ASSERT_NEAR(found[i], expected[i], 300 * std::numeric_limits<T>::epsilon() * largest)
        << what << ", entry " << i;
}

// A coefficient inside elements, as numbers of points and as a factor of another.
struct Wave {
  template <class Point, class T>
  KOKKOS_FUNCTION void operator()(const Point& at, T (&numbers)[1]) const {
    numbers[0] = static_cast<T>(1 + 0.5 * Kokkos::sin(2 * at.x[0] + at.x[1]));
  }
};
template <class C>
struct TimesWave {
  C c;
  template <class Point>
  KOKKOS_FUNCTION double operator()(const Point& at) const {
    double wave[1];
    Wave{}(at, wave);
    return wave[0] * static_cast<double>(c(at));
  }
};

// What is computed at the points does what the data of every point do.
template <int Dim, class T, class Exec, class Shaped>
void expect_as_stored(const Elements<Dim, T, Exec>& elements, const Shaped& computed) {
  const Exec exec{};
  const OfElement c{1.0};
  const OfElement d{0.5};
  const auto& [basis, shape, count, entries, nodes, field, coordinates] = elements;
  // (Of HostTeams all is compiled here: one operator has both factors.)
  if constexpr (!std::same_as<Exec, HostTeams>) {
    expect_near<T>(
        applied(elements, MassOn<1, Shaped>{computed}),
        applied(elements, Mass<T, 1, Exec>{mass_data<Dim>(exec, basis, nodes, coordinates, d)}),
        "mass");
    expect_near<T>(applied(elements, DiffusionOn<1, Shaped>{computed}),
                   applied(elements, Diffusion<T, Dim, 1, Exec>{diffusion_data<Dim>(
                                         exec, basis, nodes, coordinates, c)}),
                   "diffusion");
  }
  if constexpr (std::same_as<T, double>) {
    const auto wave = mapped_data<Dim, 1>(exec, basis, nodes, coordinates, Wave{});
    const TimesWave<OfElement> product{c};
    expect_near<T>(
        applied(elements, WithCoefficient<DiffusionOn<1, Shaped>, T, Exec>{{computed}, wave}),
        applied(elements, Diffusion<T, Dim, 1, Exec>{diffusion_data<Dim>(exec, basis, nodes,
                                                                         coordinates, product)}),
        "diffusion with a coefficient");
  }
  expect_near<T>(applied(elements, HelmholtzOn<1, Shaped>{computed}),
                 applied(elements, Helmholtz<T, Dim, 1, Exec>{helmholtz_data<Dim>(
                                       exec, basis, nodes, coordinates, c, d)}),
                 "Helmholtz");
}

template <int Dim, class T, class Exec>
void expect_all_as_stored() {
  const OfElement c{1.0};
  const OfElement d{0.5};
  for (const ElementBasis& basis : {gauss_element(2, 4), gauss_element(1, 3), lobatto_element(3)}) {
    for (const Shape shape : {Shape::affine, Shape::trilinear}) {
      const Elements<Dim, T, Exec> elements{basis, shape};
      expect_as_stored(elements, trilinear_elements<Dim>(Exec{}, basis, elements.nodes,
                                                         elements.coordinates, c, d));
      if (shape == Shape::affine) {
        expect_as_stored(elements, affine_elements<Dim>(Exec{}, basis, elements.nodes,
                                                        elements.coordinates, c, d));
      }
    }
  }
}

TYPED_TEST(ElementGeometry, ComputesWhatIsStoredOtherwise) {
  expect_all_as_stored<3, double, TypeParam>();
  if constexpr (!std::same_as<TypeParam, HostTeams>) {
    expect_all_as_stored<2, double, TypeParam>();
    expect_all_as_stored<2, float, TypeParam>();
    expect_all_as_stored<3, float, TypeParam>();
  }
}

TEST(ElementGeometryDiagonal, IsThatOfStoredData) {
  using Exec = Kokkos::DefaultExecutionSpace;
  const Constant<double> one{1};
  const Elements<3, double, Exec> elements{gauss_element(2, 4), Shape::trilinear};
  const auto computed =
      trilinear_elements<3>(Exec{}, elements.basis, elements.nodes, elements.coordinates, one, one);
  const auto diagonal = [&](const auto& f) {
    const auto y =
        on<double, Exec>(std::vector<double>(static_cast<std::size_t>(elements.entries), 0.0));
    add_element_diagonal<3, double, Exec>(Exec{}, elements.basis, f, elements.field, y);
    const auto there = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), y);
    return std::vector<double>(there.data(), there.data() + there.extent(0));
  };
  expect_near<double>(diagonal(DiffusionOn<1, TrilinearElements<double, 3, Exec>>{computed}),
                      diagonal(Diffusion<double, 3, 1, Exec>{diffusion_data<3>(
                          Exec{}, elements.basis, elements.nodes, elements.coordinates, one)}),
                      "diagonal");
}

TYPED_TEST(ElementGeometry, NamesTheElementThatHasAnotherShape) {
  using Exec = TypeParam;
  const Constant<double> one{1};
  const auto make = [&](Shape shape, bool affine) {
    const Elements<2, double, Exec> elements{gauss_element(2, 4), shape};
    try {
      if (affine) {
        static_cast<void>(affine_elements<2>(Exec{}, elements.basis, elements.nodes,
                                             elements.coordinates, one, one));
      } else {
        static_cast<void>(trilinear_elements<2>(Exec{}, elements.basis, elements.nodes,
                                                elements.coordinates, one, one));
      }
    } catch (const InvalidArgument& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_THAT(make(Shape::bent, false), HasSubstr("element 5 is not trilinear: a node lies 0.00"));
  EXPECT_THAT(make(Shape::trilinear, true), HasSubstr("element 0 is not affine"));
  EXPECT_THAT(make(Shape::trilinear, true), HasSubstr("or try trilinear_elements"));
  EXPECT_EQ(make(Shape::trilinear, false), "no error");
}

TYPED_TEST(ElementGeometry, IsOfNoElementAsWell) {
  using Exec = TypeParam;
  const ElementBasis basis = gauss_element(2, 4);
  const auto nodes = element_restriction<double>(Exec{}, 2, 3, 0, 0, OwnNodes{9, true});
  const auto computed =
      affine_elements<2>(Exec{}, basis, nodes, {}, Constant<double>{1}, Constant<double>{1});
  EXPECT_EQ(computed.numbers.values.extent(0), 0U);
}

}  // namespace
}  // namespace kolam::testing
