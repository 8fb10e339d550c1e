// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <kolam/kernels/element/diagonal.hpp>
#include <kolam/kernels/element/geometry.hpp>
#include <kolam/testing/backends.hpp>
#include <kolam/testing/element_reference.hpp>
#include <string>

namespace kolam::testing {
namespace {

using ::testing::HasSubstr;

template <class Exec>
class ElementGeometry : public ::testing::Test {};
TYPED_TEST_SUITE(ElementGeometry, ExecutionSpaces, ExecutionSpaceNames);

constexpr index_t element_count = 7;  // not a multiple of anything

// Each element has nodes of its own; the very first node has no entry in a field unless `all`.
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
  const std::vector<double> x =
      random_numbers(static_cast<std::size_t>(elements.entries * F::components), 5);
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

// A coefficient that varies inside elements, used alone and as a factor of another coefficient.
struct Wave {
  template <class Point>
  KOKKOS_FUNCTION double operator()(const Point& at) const {
    return 1 + 0.5 * Kokkos::sin(2 * static_cast<double>(at.x[0]) + static_cast<double>(at.x[1]));
  }
};
template <class C>
struct TimesWave {
  C c;
  template <class Point>
  KOKKOS_FUNCTION double operator()(const Point& at) const {
    return Wave{}(at) * static_cast<double>(c(at));
  }
};

// Linear elasticity written out, lambda varying in space: components couple, values are damped.
struct Elasticity {
  static constexpr int components = 2;
  static constexpr auto reads = Evaluation::values_and_gradients;
  static constexpr auto writes = Evaluation::values_and_gradients;
  static constexpr int coefficients = 2;
  using sizes = ElementSizeList<ElementSize<3, 4, false>>;
  double mu;

  template <class Point, class T>
  KOKKOS_FUNCTION void set_coefficients(const Point& at, T (&numbers)[2]) const {
    numbers[0] = static_cast<T>(Wave{}(at));
    numbers[1] = T(0.5);
  }
  template <class Point>
  KOKKOS_FUNCTION void operator()(Point& at) const {
    using V = typename Point::value_type;
    const V trace = at.data[0] * (at.gradient[0][0] + at.gradient[1][1]);
    const V shear = V(mu) * (at.gradient[0][1] + at.gradient[1][0]);
    at.gradient[0][0] = trace + V(2 * mu) * at.gradient[0][0];
    at.gradient[1][1] = trace + V(2 * mu) * at.gradient[1][1];
    at.gradient[0][1] = at.gradient[1][0] = shear;
    for (int c = 0; c < 2; ++c) {
      at.value[c] = at.data[1] * at.value[c];
      for (int d = 2; d < Point::dimensions; ++d) at.gradient[c][d] = V(3) * at.gradient[c][d];
    }
  }
};
// Diffusion not declared isotropic: with the whole Jacobian the result is the same.
struct PlainDiffusion {
  static constexpr int components = 1;
  static constexpr auto reads = Evaluation::gradients;
  static constexpr auto writes = Evaluation::gradients;
  using sizes = ElementSizeList<ElementSize<3, 4, false>>;
  template <class Point>
  KOKKOS_FUNCTION void operator()(Point&) const {}
};

enum class On { stored, affine, trilinear };
template <int Dim, class T, class Exec, class P, class C, class D>
std::vector<double> applied_on(On on, const Elements<Dim, T, Exec>& e, const P& p, const C& c,
                               const D& d) {
  const Exec exec{};
  if (on == On::affine)
    return applied(e, on_affine<Dim>(exec, e.basis, e.nodes, e.coordinates, p, c, d));
  if (on == On::trilinear)
    return applied(e, on_trilinear<Dim>(exec, e.basis, e.nodes, e.coordinates, p, c, d));
  return applied(e, on_stored<Dim>(exec, e.basis, e.nodes, e.coordinates, p, c, d));
}

// Computing the geometry at the points gives the same as storing data for every point.
template <int Dim, class T, class Exec>
void expect_as_stored(const Elements<Dim, T, Exec>& elements, On on) {
  const OfElement c{1.0};
  const OfElement d{0.5};
  SCOPED_TRACE(std::to_string(Dim) + "D, " + std::to_string(elements.basis.d1d()) + " nodes, on " +
               (on == On::affine ? "affine" : "trilinear") + " elements");
  const auto expect = [&](const auto& physics, const char* what) {
    expect_near<T>(applied_on(on, elements, physics, c, d),
                   applied_on(On::stored, elements, physics, c, d), what);
  };
  // (Everything is compiled here for HostTeams; one operator covers both factors.)
  if constexpr (!std::same_as<Exec, HostTeams>) {
    expect(Mass<>{}, "mass");
    expect(Diffusion<>{}, "diffusion");
  }
  expect(Helmholtz<>{}, "Helmholtz");
  if constexpr (std::same_as<T, double>) {
    expect(Elasticity{0.7}, "elasticity");
  }
  if constexpr (std::same_as<T, double> && !std::same_as<Exec, HostTeams>) {
    expect_near<T>(applied_on(on, elements, WithCoefficient{Diffusion<>{}, Wave{}}, c, d),
                   applied_on(On::stored, elements, Diffusion<>{}, TimesWave<OfElement>{c}, d),
                   "diffusion with a coefficient");
    const Constant<double> one{1};
    expect_near<T>(applied_on(on, elements, PlainDiffusion{}, one, one),
                   applied_on(On::stored, elements, Diffusion<>{}, one, one), "plain diffusion");
  }
}

template <int Dim, class T, class Exec>
void expect_all_as_stored() {
  for (const ElementBasis& basis : {gauss_element(2, 4), gauss_element(1, 3), lobatto_element(3)}) {
    for (const Shape shape : {Shape::affine, Shape::trilinear}) {
      const Elements<Dim, T, Exec> elements{basis, shape};
      expect_as_stored(elements, On::trilinear);
      if (shape == Shape::affine) expect_as_stored(elements, On::affine);
    }
  }
}

TYPED_TEST(ElementGeometry, ComputesWhatIsStoredOtherwise) {
  expect_all_as_stored<3, double, TypeParam>();
  if constexpr (!std::same_as<TypeParam, HostTeams>) {
    expect_all_as_stored<2, double, TypeParam>();
    expect_all_as_stored<2, Single, TypeParam>();
    expect_all_as_stored<3, Single, TypeParam>();
  }
}

TEST(ElementGeometryDiagonal, IsThatOfStoredData) {
  using Exec = Kokkos::DefaultExecutionSpace;
  const Elements<3, double, Exec> elements{gauss_element(2, 4), Shape::trilinear};
  const auto diagonal = [&](const auto& f) {
    const auto y = on<double, Exec>(
        std::vector<double>(static_cast<std::size_t>(elements.entries * f.components), 0.0));
    add_element_diagonal<3, double, Exec>(Exec{}, elements.basis, f, elements.field, y);
    const auto there = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), y);
    return std::vector<double>(there.data(), there.data() + there.extent(0));
  };
  const auto expect = [&](const auto& physics) {
    const auto& e = elements;
    expect_near<double>(diagonal(on_trilinear<3>(Exec{}, e.basis, e.nodes, e.coordinates, physics)),
                        diagonal(on_stored<3>(Exec{}, e.basis, e.nodes, e.coordinates, physics)),
                        "diagonal");
  };
  expect(Diffusion<>{});
  expect(Elasticity{0.7});
}

TYPED_TEST(ElementGeometry, NamesTheElementThatHasAnotherShape) {
  using Exec = TypeParam;
  const auto make = [&](Shape shape, bool affine) {
    const Elements<2, double, Exec> elements{gauss_element(2, 4), shape};
    try {
      if (affine) {
        static_cast<void>(on_affine<2>(Exec{}, elements.basis, elements.nodes, elements.coordinates,
                                       Diffusion<>{}));
      } else {
        static_cast<void>(on_trilinear<2>(Exec{}, elements.basis, elements.nodes,
                                          elements.coordinates, Diffusion<>{}));
      }
    } catch (const InvalidArgument& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_THAT(make(Shape::bent, false), HasSubstr("element 5 is not trilinear: a node lies 0.00"));
  EXPECT_THAT(make(Shape::trilinear, true), HasSubstr("element 0 is not affine"));
  EXPECT_THAT(make(Shape::trilinear, true), HasSubstr("or try trilinear geometry"));
  EXPECT_EQ(make(Shape::trilinear, false), "no error");
}

TYPED_TEST(ElementGeometry, KnowsWhetherElementsAreAffine) {
  const auto affine = [](Shape shape) {
    const Elements<3, double, TypeParam> e{gauss_element(2, 4), shape};
    return are_affine<3>(TypeParam{}, e.basis, e.nodes, e.coordinates);
  };
  EXPECT_TRUE(affine(Shape::affine));
  EXPECT_FALSE(affine(Shape::trilinear));
  EXPECT_FALSE(affine(Shape::bent));
}

TYPED_TEST(ElementGeometry, IsOfNoElementAsWell) {
  using Exec = TypeParam;
  const ElementBasis basis = gauss_element(2, 4);
  const auto nodes = element_restriction<double>(Exec{}, 2, 3, 0, 0, OwnNodes{9, true});
  const auto computed = on_affine<2>(Exec{}, basis, nodes, {}, Diffusion<>{});
  EXPECT_EQ(computed.numbers.values.extent(0), 0U);
}

}  // namespace
}  // namespace kolam::testing
