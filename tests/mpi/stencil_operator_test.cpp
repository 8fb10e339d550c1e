// SPDX-License-Identifier: Apache-2.0
// Stencil operators on a grid distributed over processes.
#include <gmock/gmock.h>

#include <array>
#include <kolam/grid/stencil_operator.hpp>
#include <kolam/linear/conjugate_gradient.hpp>
#include <kolam/testing/backends.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "../grid/operator_cases.hpp"
#include "all_processes.hpp"

namespace kolam::mpi_tests {
namespace {

using namespace stencil_oracle;
using enum Boundary;

template <class Exec>
class StencilOperatorsBetween : public ::testing::Test {
 public:
  Exec exec{};
};
TYPED_TEST_SUITE(StencilOperatorsBetween, testing::KokkosSpaces, testing::ExecutionSpaceNames);

// (A product with another vector comes first, so that stale values of neighbours show.)
template <class S, class Exec>
void expect_matrix(const Exec& exec, const S& stencil, const grid::Grid<S::dimensions>& grid) {
  SCOPED_TRACE(grid.decomposition);
  const auto a = make<double>(exec, stencil, grid);
  auto other = a.vector("other");
  a.fill_random(other.write(exec));
  auto x = test_vector(a);
  auto y = a.vector("y");
  a.apply(other.read(exec), y.write(exec));
  a.apply(x.read(exec), y.write(exec));
  const std::vector<double> product = part_of(a, expected(stencil, grid));
  EXPECT_EQ(values_of(y), product);
  a.apply(other.read(exec), y.write(exec));
  const double dot = a.apply_dot(x.read(exec), y.write(exec));
  EXPECT_EQ(values_of(y), product);
  const std::vector<double> own = values_of(x);
  const double own_dot = std::inner_product(own.begin(), own.end(), product.begin(), 0.0);
  EXPECT_EQ(dot, all_processes().sum(own_dot));  // (exact: all are small integers)
  if constexpr (S::dimensions == 2) {
    const auto direction = test_direction(a, x, 0.5);
    auto p = a.vector("p");
    EXPECT_EQ(a.apply_direction(direction.z.read(exec), 0.5, direction.before.read(exec),
                                p.write(exec), y.write(exec)),
              dot);
    EXPECT_EQ(values_of(p), own);
    EXPECT_EQ(values_of(y), product);
  }
  const std::array<linear::Term<double, Exec>, 1> none{{{0, x.read(exec)}}};
  a.apply(other.read(exec), y.write(exec));
  a.apply_stage(x.read(exec), 0, 1, none, y.write(exec));
  EXPECT_EQ(values_of(y), product);
  a.apply_add(x.read(exec), y.read_write(exec));
  for (std::size_t i = 0; i < product.size(); ++i) ASSERT_EQ(values_of(y)[i], 2 * product[i]);

  const auto nearest = make_nearest<double>(exec, stencil, grid, false);
  nearest.apply(x.read(exec), y.write(exec));
  const std::vector<double> of_functors = values_of(y);
  const auto from_vectors = make_nearest<double>(exec, stencil, grid, true);
  from_vectors.apply(x.read(exec), y.write(exec));
  EXPECT_EQ(values_of(y), of_functors);

  auto b = a.vector("b");
  a.apply_lift(Coefficient{3}, b);
  const auto known = [](int field, index_t i, index_t j, index_t k) {
    if constexpr (stencil_fields<S> > 1) return Coefficient{3}(field, i, j);
    if constexpr (S::dimensions == 2) return Coefficient{3}(i, j);
    if constexpr (S::dimensions == 3) return Coefficient{3}(i, j, k);
  };
  const std::vector<double> lift = part_of(a, expected(stencil, grid, known));
  for (std::size_t i = 0; i < lift.size(); ++i) ASSERT_EQ(values_of(b)[i], -lift[i]);
}

TYPED_TEST(StencilOperatorsBetween, AreTheMatrixOfTheWholeGrid) {
  const Communicator& all = all_processes();
  const std::string n = std::to_string(all.size());
  std::vector<std::string> planes{"auto", n + "x1", "1x" + n};
  std::vector<std::string> spaces{"1x1x" + n, "1x" + n + "x1", n + "x1x1"};
  if (all.size() == 4) {  // neighbours across corners
    planes.emplace_back("2x2");
    spaces.insert(spaces.end(), {"2x2x1", "2x1x2", "1x2x2"});
  }
  for (const comm::Transport transport : {comm::Transport::automatic, comm::Transport::mpi}) {
    for (const std::string& cut : planes) {
      for (const Boundaries<2>& boundaries :
           {Boundaries<2>{{{dirichlet, mirror}, {functor, no_flux}}},
            {{{periodic, periodic}, {mirror, functor}}},
            {{{no_flux, functor}, {periodic, periodic}}},
            grid::all_sides<2>(periodic)}) {
        for (const Extents<2>& extents : {Extents<2>{all.size(), 7}, {17, all.size() + 9}}) {
          const grid::Grid<2> grid{extents, boundaries, all, cut, transport};
          expect_matrix(this->exec, Everything<2>{}, grid);
          expect_matrix(this->exec, Faces<2>{}, grid);
          expect_matrix(this->exec, Coupled<2>{}, grid);
        }
      }
    }
  }
  for (const std::string& cut : spaces) {
    const grid::Grid<3> grid{
        {8, 9, 7}, {{{no_flux, mirror}, {functor, dirichlet}, {periodic, periodic}}}, all, cut};
    expect_matrix(this->exec, Everything<3>{}, grid);
    expect_matrix(this->exec, Faces<3>{}, grid);
  }
}

TYPED_TEST(StencilOperatorsBetween, AreSolvedTogether) {
  const grid::Grid<2> grid{
      {23, 19}, {{{no_flux, dirichlet}, {periodic, periodic}}}, all_processes()};
  const auto a = make<double>(this->exec, Conduction<2>{}, grid);
  auto exact = test_vector(a);
  auto b = a.vector("b");
  a.apply(exact.read(this->exec), b.write(this->exec));
  auto x = a.vector("x");
  const auto result =
      conjugate_gradient(a, linear::Identity{}, b, x, linear::SolveOptions{.rtol = 1e-12});
  EXPECT_EQ(result.status, linear::SolveStatus::converged);
  const std::vector<double> solution = values_of(x);
  const std::vector<double> of = values_of(exact);
  for (std::size_t i = 0; i < of.size(); ++i) ASSERT_NEAR(solution[i], of[i], 1e-9);
}

TYPED_TEST(StencilOperatorsBetween, FillVectorsByThePointOfTheWholeGrid) {
  const grid::Grid<2> grid{{12, 9}, {}, all_processes()};
  const auto a = make<double>(this->exec, Faces<2>{}, grid);
  const auto whole = make<double>(this->exec, Faces<2>{}, grid::Grid<2>{{12, 9}});
  auto x = a.vector("x");
  a.fill_random(x.write(this->exec));
  auto y = whole.vector("y");
  whole.fill_random(y.write(this->exec));
  EXPECT_EQ(values_of(x), part_of(a, values_of(y)));

  const auto several = make<double>(this->exec, Coupled<2>{}, grid);
  const auto all = make<double>(this->exec, Coupled<2>{}, grid::Grid<2>{{12, 9}});
  auto of_several = several.vector("x"), of_all = all.vector("x");
  several.fill_random(of_several.write(this->exec));
  all.fill_random(of_all.write(this->exec));
  EXPECT_EQ(values_of(of_several), part_of(several, values_of(of_all)));
}

}  // namespace
}  // namespace kolam::mpi_tests
