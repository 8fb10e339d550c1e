// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <kolam/core/error.hpp>
#include <kolam/io/file.hpp>
#include <kolam/io/heat_deck.hpp>
#include <random>
#include <string>
#include <utility>

namespace kolam::heat_deck_test {
namespace {

using grid::HeatRegion;
using grid::HeatSolver;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

HeatDeck deck_of(const std::string& text) {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("kolam deck " + std::to_string(::getpid()));
  write_file(path, text);
  struct Remove {
    std::filesystem::path path;
    ~Remove() { std::filesystem::remove(path); }
  } remove{path};
  return read_heat_deck(path);
}

// In the style of TeaLeaf's own decks.
const std::string deck =
    "*tea\n"
    "state 1 density=100.0 energy=0.0001\n"
    "state 2 density=0.1 energy=25.0 geometry=rectangle xmin=0.0 xmax=1.0 ymin=1.0 ymax=2.0\n"
    "state 3 density=0.5 energy=-1e-1 geometry=circular xmin=5 ymin=7.5 radius=2 ! a ball\n"
    "state 4 density=0.1 energy=0 geometry=point xmin=1 ymin=2 xmax=0 ymax=0\r\n"
    "x_cells=512\n"
    "  y_cells = 256\n"
    "xmin=0.0\nymin=0.0\nxmax=10.0\nymax=20\n"
    "initial_timestep=0.004\n"
    "end_step=20\n"
    "max_iters=500\n"
    "#use_chebyshev\n"
    "tl_use_ppcg\n"
    "tl_ppcg_inner_steps 25\n"
    "eps 1.0e-15\n"
    "test_problem 5\n"
    "profiler_on\n"
    "*endtea\n"
    "anything\n";

TEST(HeatDeck, IsWhatTheFileStates) {
  const HeatDeck read = deck_of(deck);
  const grid::HeatOptions& o = read.options;
  EXPECT_EQ(o.nx, 512);
  EXPECT_EQ(o.ny, 256);
  EXPECT_EQ(o.nz, 0);
  EXPECT_EQ(o.to[0], 10);
  EXPECT_EQ(o.to[1], 20);
  EXPECT_EQ(o.dt, 0.004);
  EXPECT_EQ(o.niter, 20);
  EXPECT_EQ(o.solver, HeatSolver::ppcg);
  EXPECT_EQ(o.inner_steps, 25);
  EXPECT_EQ(o.tolerance.atol, 1e-15);
  EXPECT_EQ(o.tolerance.rtol, 0);
  EXPECT_EQ(o.tolerance.max_iterations, 500);
  EXPECT_EQ(o.conductivity, grid::Conductivity::inverse_density);
  EXPECT_EQ(o.scheme, grid::TimeScheme::backward_euler);
  EXPECT_THAT(read.unused, ElementsAre("test_problem", "profiler_on"));
  ASSERT_EQ(o.regions.size(), 4U);
  EXPECT_EQ(o.regions[0].shape, HeatRegion::Shape::all);
  EXPECT_EQ(o.regions[0].density, 100);
  EXPECT_EQ(o.regions[0].energy, 0.0001);
  EXPECT_EQ(o.regions[1].shape, HeatRegion::Shape::box);
  EXPECT_EQ(o.regions[1].from[1], 1);
  EXPECT_EQ(o.regions[1].to[1], 2);
  EXPECT_EQ(o.regions[2].shape, HeatRegion::Shape::ball);
  EXPECT_EQ(o.regions[2].from[1], 7.5);
  EXPECT_EQ(o.regions[2].radius, 2);
  EXPECT_EQ(o.regions[2].energy, -0.1);
  EXPECT_EQ(o.regions[3].shape, HeatRegion::Shape::point);
  validate(o);
}

TEST(HeatDeck, HasTheDefaultsOfTeaLeaf) {
  const grid::HeatOptions o = deck_of("state 1 density=1 energy=2\n").options;
  EXPECT_EQ(o.nx, 10);
  EXPECT_EQ(o.ny, 10);
  EXPECT_EQ(o.to[0], 100);
  EXPECT_EQ(o.solver, HeatSolver::cg);
  EXPECT_EQ(o.dt, 0.1);
  EXPECT_EQ(o.niter, 100);  // up to time 10
  EXPECT_EQ(o.tolerance.max_iterations, 10000);
}

TEST(HeatDeck, EndsAtItsTimeOrStep) {
  const auto steps = [](const std::string& lines) {
    return deck_of("state 1 density=1 energy=2\ninitial_timestep=0.3\n" + lines).options.niter;
  };
  EXPECT_EQ(steps("end_time=0.9"), 3);
  EXPECT_EQ(steps("end_time=1"), 4);
  EXPECT_EQ(steps("end_time=100\nend_step=7"), 7);
}

TEST(HeatDeck, TakesSolidsAndOtherConductivities) {
  const grid::HeatOptions o =
      deck_of(
          "state 1 density=1 "
          "energy=2\nz_cells=7\nzmax=5\ncoefficient_inverse_density\nuse_chebyshev\n"
          "state 2 density=1 energy=2 geometry=rectangle xmin=0 xmax=1 ymin=1 ymax=2 zmin=3 "
          "zmax=4\n")
          .options;
  EXPECT_EQ(o.nz, 7);
  EXPECT_EQ(o.to[2], 5);
  EXPECT_EQ(o.conductivity, grid::Conductivity::density);
  EXPECT_EQ(o.solver, HeatSolver::chebyshev);
  EXPECT_EQ(o.regions[1].from[2], 3);
  EXPECT_EQ(o.regions[1].to[2], 4);
}

void expect_refusal(const std::string& text, const char* says) {
  try {
    static_cast<void>(deck_of(text));
    FAIL() << text << "\n" << says;
  } catch (const FileError& error) {
    EXPECT_THAT(error.what(), HasSubstr("cannot read '"));
    EXPECT_THAT(error.what(), HasSubstr(says));
  }
}

TEST(HeatDeck, NamesLineAndKeyOfWhatIsWrong) {
  const std::string state = "state 1 density=1 energy=2\n";
  expect_refusal("", "it has no state");
  expect_refusal("x_cells=10\n", "it has no state");
  expect_refusal(state + "x_cells=1e3\n", "line 2: x_cells is '1e3'; it must be a whole number");
  expect_refusal(state + "x_cells=0\n", "line 2: x_cells is '0'");
  expect_refusal(state + "x_cells=99999999999999999999\n", "x_cells is '9999");
  expect_refusal(state + "x_cells=\n", "line 2: x_cells has 0 values");
  expect_refusal(state + "x_cells=1 2\n", "x_cells has 2 values");
  expect_refusal(state + "eps=nan\n", "eps is 'nan'; it must be a finite number");
  expect_refusal(state + "eps=-1\n", "eps is -1; it must be above 0");
  expect_refusal(state + "initial_timestep=0\n", "initial_timestep is 0; it must be above 0");
  expect_refusal(state + "\n\nx_cell=10\n", "line 4: 'x_cell' is no key");
  expect_refusal(state + "x_cells=1\nx_cells=1\n", "line 3: x_cells was given in line 2");
  expect_refusal(state + "use_cg\nuse_ppcg\n", "line 3: use_ppcg after use_cg");
  expect_refusal(state + "use_jacobi\n", "write use_cg, use_chebyshev or use_ppcg");
  expect_refusal(state + "use_cg 1\n", "use_cg takes no value, but '1' follows");
  expect_refusal(state + "coefficient_density\ncoefficient_inverse_density\n", "give one of both");
  expect_refusal(state + "xmin=100\n", "xmin is 100 and xmax 100");
  expect_refusal("state 1 density=-1 energy=2\n", "line 1: density is -1; it must be above 0");
  expect_refusal("state 1 density=1\n", "state 1 has no energy");
  expect_refusal("state 1 density=1 energy=\n", "energy has no value");
  expect_refusal("state 1 density=1 energy=2 radius=3\n", "radius says nothing here");
  expect_refusal("state 1 density=1 density=1 energy=2\n", "density is given twice");
  expect_refusal("state\n", "state has no number");
  expect_refusal(state + state, "line 2: state 1 was given in line 1");
  expect_refusal("state 2 density=1 energy=2 geometry=point xmin=0 ymin=0\n", "but no state 1");
  const std::string two = "\nstate 2 density=1 energy=2 ";
  expect_refusal(state + two, "line 3: state 2 has no geometry");
  expect_refusal(state + two + "geometry=oval", "geometry is 'oval'; it must be rectangle");
  expect_refusal(state + two + "geometry=circular xmin=0 ymin=0", "state 2 has no radius");
  expect_refusal(state + two + "geometry=rectangle xmin=0 xmax=1 ymin=0", "state 2 has no ymax");
  expect_refusal(state + two + "geometry=rectangle xmin=1 xmax=1 ymin=0 ymax=1", "from 1 to 1");
  EXPECT_THROW(static_cast<void>(read_heat_deck("/no/such/deck")), FileError);
}

// Any damage gives an error or another problem, and never a crash.
TEST(HeatDeck, SurvivesDamage) {
  std::mt19937 random(7);
  int refused = 0;
  for (int again = 0; again < 300; ++again) {
    std::string text = deck;
    for (int byte = 0; byte < 3; ++byte) text[random() % text.size()] = static_cast<char>(random());
    if (again % 3 == 0) text.resize(random() % text.size());
    try {
      validate(deck_of(text).options);
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace kolam::heat_deck_test
