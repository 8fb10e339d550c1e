// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <csignal>
#include <cstring>
#include <kolam/core/error.hpp>
#include <kolam/core/instances.hpp>
#include <kolam/grid/stencil_solver.hpp>
#include <kolam/io/checkpointed_run.hpp>
#include <kolam/kernels/stencil/common_stencils.hpp>
#include <kolam/testing/matchers.hpp>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "failing_fsync.hpp"
#include "temporary_folder.hpp"

namespace kolam::checkpointed_run_test {

namespace fs = std::filesystem;
using Exec = Kokkos::DefaultExecutionSpace;
using Solver = grid::StencilSolver<LaplaceStencil, double, Exec>;
using testing::error_of;
using testing::fsyncs_until_failure;
using ::testing::HasSubstr;
using testing::TemporaryFolder;

constexpr index_t nx = 30;
constexpr index_t ny = 24;

struct Start {
  KOKKOS_FUNCTION double operator()(const grid::GridPoint<2>& p) const {
    return p[0] < 0 || p[0] == nx ? 1.0 / static_cast<double>(p[1] + 3) : 0.0;
  }
};

Solver solver(const comm::Parts<2>& parts, int steps_per_pass = 1) {
  const comm::Decomposition<2> decomposition({nx, ny}, parts, {false, true});
  Solver result(make_instances<Exec>(decomposition.subdomains()), LaplaceStencil{}, decomposition,
                {.steps_per_pass = steps_per_pass});
  result.initialise(Start{});
  return result;
}

CheckpointPlan plan_for(const fs::path& file, std::int64_t every_steps = 0) {
  return {.program = "test", .file = file, .every_steps = every_steps};
}

std::int64_t step_of(const fs::path& file) { return CheckpointReader(file).header().step; }

void expect_same_norms(const grid::StencilResult& a, const grid::StencilResult& b,
                       double tolerance) {
  ASSERT_EQ(a.norm_history.size(), b.norm_history.size());
  for (std::size_t i = 0; i < a.norm_history.size(); ++i) {
    const grid::NormRecord& left = a.norm_history[i];
    const grid::NormRecord& right = b.norm_history[i];
    ASSERT_EQ(left.iteration, right.iteration);
    ASSERT_NEAR(left.norm, right.norm, tolerance * left.norm) << left.iteration;
  }
}

TEST(CheckpointedRun, IsThatOfARunWithoutCheckpoints) {
  const TemporaryFolder folder;
  for (const int steps_per_pass : {1, 3}) {
    Solver plain = solver({2, 2}, steps_per_pass);
    const grid::StencilResult expected = plain.run({.niter = 100});
    Solver saved = solver({2, 2}, steps_per_pass);
    const grid::StencilResult result =
        run_with_checkpoints(saved, {.niter = 100}, plan_for(folder / "c", 7));
    EXPECT_EQ(result.status, grid::StencilStatus::completed);
    EXPECT_EQ(result.iterations, 100);
    EXPECT_GT(result.seconds, 0);
    expect_same_norms(expected, result, 0);
    EXPECT_EQ(saved.gather(), plain.gather());
    EXPECT_EQ(step_of(folder / "c"), 100);
    EXPECT_EQ(step_of(folder / "c.previous"), steps_per_pass == 1 ? 98 : 99) << "the end of a pass";
    EXPECT_EQ(folder.count(), 2);
  }
}

TEST(CheckpointedRun, GoesOnBitForBitOnAnyPartition) {
  const TemporaryFolder folder;
  for (const int steps_per_pass : {1, 4}) {
    Solver plain = solver({2, 2}, steps_per_pass);
    const grid::StencilResult expected = plain.run({.niter = 100, .nccheck = 3});
    Solver first = solver({2, 2}, steps_per_pass);
    static_cast<void>(
        run_with_checkpoints(first, {.niter = 40, .nccheck = 3}, plan_for(folder / "c")));
    for (const auto& [parts, steps] : {std::pair{comm::Parts<2>{2, 2}, steps_per_pass},
                                       {comm::Parts<2>{1, 1}, 1},
                                       {comm::Parts<2>{3, 1}, 2},
                                       {comm::Parts<2>{1, 3}, 5}}) {
      Solver second = solver(parts, steps);
      CheckpointPlan plan = plan_for({});
      plan.restart = folder / "c";
      const grid::StencilResult result =
          run_with_checkpoints(second, {.niter = 100, .nccheck = 3}, plan);
      EXPECT_EQ(result.first_step, 40);
      EXPECT_EQ(result.iterations, 100);
      const bool same = parts == comm::Parts<2>{2, 2} && steps == steps_per_pass;
      expect_same_norms(expected, result, same ? 0 : 1e-13);
      EXPECT_EQ(second.gather(), plain.gather());
    }
  }
}

TEST(CheckpointedRun, KnowsWhenItHadConverged) {
  const TemporaryFolder folder;
  Solver first = solver({1, 1});
  const grid::StencilRun run{.niter = 1000, .tol = 0.05};
  const grid::StencilResult result = run_with_checkpoints(first, run, plan_for(folder / "c", 2));
  EXPECT_EQ(result.status, grid::StencilStatus::converged);
  EXPECT_EQ(step_of(folder / "c"), result.iterations);
  Solver second = solver({1, 2});
  CheckpointPlan plan = plan_for({});
  plan.restart = folder / "c";
  const grid::StencilResult again = run_with_checkpoints(second, run, plan);
  EXPECT_EQ(again.status, grid::StencilStatus::converged);
  EXPECT_EQ(again.iterations, result.iterations);
  EXPECT_EQ(second.gather(), first.gather());
}

TEST(CheckpointedRun, SavesByTheClock) {
  const TemporaryFolder folder;
  Solver field = solver({1, 1});
  CheckpointPlan plan = plan_for(folder / "c");
  plan.every_seconds = 1e-9;
  static_cast<void>(run_with_checkpoints(field, {.niter = 50}, plan));
  EXPECT_EQ(step_of(folder / "c"), 50);
  EXPECT_LT(step_of(folder / "c.previous"), 50);
}

TEST(CheckpointedRun, IsSavedWhenASignalStopsIt) {
  const TemporaryFolder folder;
  Solver field = solver({2, 1});
  const StopRequest stop;
  CheckpointPlan plan = plan_for(folder / "c");
  plan.stop = &stop;
  grid::StencilRun run{.niter = 100000000};
  bool raised = false;
  run.progress = [&](const grid::NormRecord&) {
    if (!std::exchange(raised, true)) std::raise(SIGTERM);
  };
  const grid::StencilResult result = run_with_checkpoints(field, run, plan);
  EXPECT_EQ(result.status, grid::StencilStatus::interrupted);
  EXPECT_LT(result.iterations, run.niter);
  EXPECT_EQ(step_of(folder / "c"), result.iterations);
  Solver plain = solver({1, 1});
  static_cast<void>(plain.run({.niter = result.iterations}));
  EXPECT_EQ(field.gather(), plain.gather());
}

TEST(CheckpointedRun, NeverSavesWhatIsNotFinite) {
  const TemporaryFolder folder;
  Solver field = solver({1, 2});
  static_cast<void>(run_with_checkpoints(field, {.niter = 10}, plan_for(folder / "c")));
  field.load([](const Box<3>&, double* to, const comm::Pitches<3>&) {
    *to = std::numeric_limits<double>::quiet_NaN();
  });
  // No norm is computed before the field is due to be saved.
  const grid::StencilResult result = run_with_checkpoints(
      field, {.niter = 1000, .nccheck = 999, .first_step = 1}, plan_for(folder / "c", 10));
  EXPECT_EQ(result.status, grid::StencilStatus::not_finite);
  EXPECT_EQ(result.iterations, 10);
  EXPECT_EQ(step_of(folder / "c"), 10);
  EXPECT_EQ(folder.count(), 1);
  EXPECT_FALSE(std::isnan(CheckpointReader(folder / "c").header().norm_history.back().norm));
}

TEST(CheckpointedRun, GoesOnWhereItCannotBeSavedAndTriesAgain) {
  const TemporaryFolder folder;
  Solver field = solver({1, 1});
  CheckpointPlan plan = plan_for(folder / "c", 20);
  std::vector<std::string> errors;
  plan.on_error = [&](const FileError& error) { errors.emplace_back(error.what()); };
  fsyncs_until_failure = 1;
  const grid::StencilResult result = run_with_checkpoints(field, {.niter = 100}, plan);
  EXPECT_EQ(result.iterations, 100);
  ASSERT_EQ(errors.size(), 1);
  EXPECT_THAT(errors[0], HasSubstr((folder / "c").string()));
  EXPECT_EQ(step_of(folder / "c"), 100);
  EXPECT_EQ(step_of(folder / "c.previous"), 80);

  plan.on_error = {};
  fsyncs_until_failure = 1;
  EXPECT_THROW(static_cast<void>(run_with_checkpoints(field, {.niter = 200}, plan)), FileError);
  fsyncs_until_failure = 0;
}

TEST(CheckpointedRun, RefusesWhatItCannotGoOnFrom) {
  const TemporaryFolder folder;
  Solver field = solver({1, 1});
  CheckpointPlan plan = plan_for(folder / "c");
  plan.parameters["weight"] = 0.25;
  static_cast<void>(run_with_checkpoints(field, {.niter = 40}, plan));
  plan.restart = plan.file;
  plan.file.clear();
  const auto go_on = [&](const CheckpointPlan& from, std::int64_t niter) {
    static_cast<void>(run_with_checkpoints(field, {.niter = niter}, from));
  };
  EXPECT_NO_THROW(go_on(plan, 40));
  EXPECT_THAT(error_of<InvalidArgument>([&] { go_on(plan, 39); }),
              HasSubstr("is of step 40, and the run is to end at step 39"));
  CheckpointPlan other = plan;
  other.program = "another";
  EXPECT_THAT(error_of<FileError>([&] { go_on(other, 50); }), HasSubstr("another"));
  other = plan;
  other.parameters["weight"] = 0.5;
  EXPECT_THAT(error_of<FileError>([&] { go_on(other, 50); }), HasSubstr("weight"));
  other = plan;
  other.restart = folder / "none";
  EXPECT_THROW(go_on(other, 50), FileError);
  other = plan;
  other.every_steps = -1;
  EXPECT_THROW(go_on(other, 50), InvalidArgument);
  other.every_steps = 0;
  other.every_seconds = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(go_on(other, 50), InvalidArgument);
}

}  // namespace kolam::checkpointed_run_test
