// SPDX-License-Identifier: Apache-2.0
// StencilSolver as a SteppedField, whose users do not know the stencil.
#include <gmock/gmock.h>

#include <kolam/core/error.hpp>
#include <kolam/grid/stencil_solver.hpp>
#include <kolam/kernels/stencil/common_stencils.hpp>
#include <kolam/testing/backends.hpp>
#include <kolam/testing/instances.hpp>
#include <kolam/testing/matchers.hpp>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

namespace kolam::stepped_field_test {

template <class T, int N>
struct Start {
  template <class Point>
  KOKKOS_FUNCTION T operator()(const Point& p) const {
    index_t mixed = 17 * p[0] + 101 * p[1];
    if constexpr (N == 3) mixed += 29 * p[2];
    return static_cast<T>((mixed % 61 + 61) % 61) / 32 - 1;
  }
};

template <int N>
struct Cut {
  Extents<N> extents;
  comm::Parts<N> parts;
  typename comm::Decomposition<N>::Flags periodic;
  int steps_per_pass = 1;
};

template <class Exec, class T, int N>
std::unique_ptr<grid::SteppedField<T>> make(const Cut<N>& cut) {
  const comm::Decomposition<N> decomposition(cut.extents, cut.parts, cut.periodic);
  DiffusionStencil<T, N> stencil;
  for (std::size_t d = 0; d < N; ++d) stencil.rates[d] = static_cast<T>(0.1 + 0.01 * double(d));
  auto solver = std::make_unique<grid::StencilSolver<DiffusionStencil<T, N>, T, Exec>>(
      testing::instances_for<Exec>(decomposition.subdomains()), stencil, decomposition,
      grid::StencilSetup{.steps_per_pass = cut.steps_per_pass});
  solver->initialise(Start<T, N>{});
  solver->set_coefficient(0, Start<T, N>{});
  return solver;
}

template <class T>
std::vector<T> values(const grid::SteppedField<T>& field) {
  return comm::gather(Communicator(), field.extents(), field.on_host().blocks);
}

template <class T>
void copy(const std::vector<T>& grid, const Extents<3>& extents, const Box<3>& box, T* to,
          const comm::Pitches<3>& pitches) {
  for (index_t z = box[2].begin; z < box[2].end; ++z)
    for (index_t y = box[1].begin; y < box[1].end; ++y)
      for (index_t x = box[0].begin; x < box[0].end; ++x)
        to[(x - box[0].begin) + pitches[0] * (y - box[1].begin) + pitches[1] * (z - box[2].begin)] =
            grid[static_cast<std::size_t>(x + extents[0] * (y + extents[1] * z))];
}

template <class Exec>
class SteppedFields : public ::testing::Test {
 public:
  // A field takes some steps, and a field with another decomposition continues. Anything that is
  // not carried over would show: ghosts, and values across a periodic end.
  template <class T, int N>
  static void expect_continued(const Cut<N>& first, const Cut<N>& second) {
    constexpr int before = 5;
    constexpr int after = 7;
    auto whole = make<Exec, T>(first);
    const grid::StencilResult all = whole->run({.niter = before + after});
    auto half = make<Exec, T>(first);
    static_cast<void>(half->run({.niter = before}));
    const std::vector<T> state = values(*half);

    auto other = make<Exec, T>(second);
    static_cast<void>(other->run({.niter = 2}));  // no longer at its start
    other->load([&](const Box<3>& box, T* to, const comm::Pitches<3>& pitches) {
      copy(state, other->extents(), box, to, pitches);
    });
    EXPECT_EQ(values(*other), state);
    const grid::StencilResult rest = other->run({.niter = before + after, .first_step = before});
    EXPECT_EQ(rest.iterations, before + after);
    EXPECT_EQ(rest.first_step, before);
    EXPECT_EQ(values(*other), values(*whole));
    ASSERT_EQ(rest.norm_history.size(), static_cast<std::size_t>(after));
    for (std::size_t i = 0; i < rest.norm_history.size(); ++i) {
      const grid::NormRecord& expected = all.norm_history[before + i];
      EXPECT_EQ(rest.norm_history[i].iteration, expected.iteration);
      EXPECT_NEAR(rest.norm_history[i].norm, expected.norm, 1e-13 * expected.norm);
    }
  }
};
TYPED_TEST_SUITE(SteppedFields, testing::ExecutionSpaces, testing::ExecutionSpaceNames);

TYPED_TEST(SteppedFields, GoOnWhereAnotherWas) {
  using Fields = SteppedFields<TypeParam>;
  for (const bool periodic : {false, true}) {
    const Extents<2> plane{13, 16};
    const comm::Decomposition<2>::Flags flags{periodic, true};
    Fields::template expect_continued<double, 2>({plane, {1, 1}, flags}, {plane, {1, 1}, flags});
    Fields::template expect_continued<double, 2>({plane, {1, 1}, flags}, {plane, {3, 2}, flags});
    if (std::is_same_v<TypeParam, HostTeams>) continue;  // one thread at a time
    Fields::template expect_continued<float, 2>({plane, {1, 4}, flags}, {plane, {1, 1}, flags, 3});
    Fields::template expect_continued<double, 2>({plane, {1, 1}, {false, true}},
                                                 {plane, {1, 1}, {false, true}});
    const Extents<3> space{9, 5, 6};
    Fields::template expect_continued<double, 3>({space, {1, 1, 1}, {periodic, false, true}},
                                                 {space, {2, 1, 3}, {periodic, false, true}});
  }
}

TYPED_TEST(SteppedFields, GiveTheirValuesAsACopyOrAsTheyLie) {
  using Values = typename grid::SteppedField<double>::Values;
  auto field = make<TypeParam, double, 2>({{13, 16}, {2, 2}, {}});
  EXPECT_EQ(field->extents(), (Extents<3>{13, 16, 1}));
  const auto take = [&](const grid::HostField<double>& host) {
    EXPECT_EQ(host.extents, field->extents());
    comm::require_blocks<double, 3>({"u", host.blocks});
    return comm::gather(field->communicator(), host.extents, host.blocks);
  };
  const grid::HostField<double> copied = field->on_host(Values::copied);
  const std::vector<double> before = take(copied);
  EXPECT_EQ(take(field->on_host(Values::borrowed)), before);
  static_cast<void>(field->run({.niter = 4}));
  EXPECT_EQ(take(copied), before) << "a copy stays as it is";
  EXPECT_NE(take(field->on_host(Values::borrowed)), before);
  EXPECT_EQ(take(field->on_host(Values::borrowed)), take(field->on_host()));
}

TYPED_TEST(SteppedFields, SayWhatTheReaderThrows) {
  auto field = make<TypeParam, double, 2>({{13, 16}, {2, 2}, {}});
  EXPECT_THROW(
      field->load([](const Box<3>&, double*, const comm::Pitches<3>&) { throw FileError("torn"); }),
      FileError);
}

// The points around the grid: the given boundary, or the points across a periodic end.
TYPED_TEST(SteppedFields, HaveTheirBoundaryAroundThem) {
  for (const comm::Parts<2>& parts : {comm::Parts<2>{1, 1}, comm::Parts<2>{3, 2}}) {
    for (const bool across : {false, true}) {
      const Extents<2> extents{7, 8};
      const comm::Decomposition<2> decomposition(extents, parts, {false, across});
      grid::StencilSolver<LaplaceStencil, double, TypeParam> solver(
          testing::instances_for<TypeParam>(decomposition.subdomains()), LaplaceStencil{},
          decomposition);
      solver.initialise(Start<double, 2>{});
      static_cast<void>(solver.run({.niter = 3}));
      const std::vector<double> inside = solver.gather();
      const grid::HostField<double> all = solver.with_boundary(Start<double, 2>{});
      ASSERT_EQ(all.extents, (Extents<3>{9, 10, 1}));
      std::vector<double> expected;
      for (index_t y = -1; y <= extents[1]; ++y) {
        for (index_t x = -1; x <= extents[0]; ++x) {
          const bool given = x < 0 || x == extents[0] || (!across && (y < 0 || y == extents[1]));
          const index_t row = (y + extents[1]) % extents[1];
          expected.push_back(given ? Start<double, 2>{}(grid::GridPoint<2>{x, y})
                                   : inside[static_cast<std::size_t>(x + extents[0] * row)]);
        }
      }
      EXPECT_EQ(comm::gather(Communicator(), all.extents, all.blocks), expected);
    }
  }
}

// Values are checked more often than norms are recorded.
TYPED_TEST(SteppedFields, FindWhatIsNotFiniteBetweenTheNorms) {
  for (const int steps_per_pass : {1, 4}) {
    if (std::is_same_v<TypeParam, HostTeams> && steps_per_pass > 1) continue;
    grid::StencilSolver<LaplaceStencil, double, TypeParam> solver(
        std::vector<TypeParam>(1), LaplaceStencil{}, comm::Decomposition<2>({12, 16}, {1, 1}),
        {.steps_per_pass = steps_per_pass});
    solver.initialise(Start<double, 2>{});
    const auto iterations = [](const grid::StencilResult& result) {
      std::vector<std::int64_t> all;
      for (const grid::NormRecord& record : result.norm_history) all.push_back(record.iteration);
      return all;
    };
    EXPECT_EQ(iterations(solver.run({.niter = 24, .nccheck = 10, .check_every = 3})),
              (std::vector<std::int64_t>{0, 10, 20}));
    const std::vector<double> bad(12 * 16, std::numeric_limits<double>::infinity());
    solver.load([&](const Box<3>& box, double* to, const comm::Pitches<3>& pitches) {
      copy(bad, solver.extents(), box, to, pitches);
    });
    const grid::StencilResult result =
        solver.run({.niter = 1000, .nccheck = 500, .check_every = 3, .first_step = 24});
    EXPECT_EQ(result.status, grid::StencilStatus::not_finite);
    EXPECT_EQ(iterations(result), (std::vector<std::int64_t>{24}));
  }
}

}  // namespace kolam::stepped_field_test
