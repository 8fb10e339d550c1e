// SPDX-License-Identifier: Apache-2.0
// Tests that both forms of conjugate gradients must pass.
#include <gmock/gmock.h>

#include <algorithm>
#include <kolam/linear/conjugate_gradient.hpp>
#include <kolam/linear/merged_conjugate_gradient.hpp>
#include <kolam/linear/preconditioners.hpp>
#include <kolam/memory/access_error.hpp>
#include <kolam/memory/emulation.hpp>
#include <kolam/memory/transfer_budget.hpp>
#include <kolam/testing/backends.hpp>
#include <kolam/testing/two_sides.hpp>
#include <limits>
#include <vector>

#include "dense_operator.hpp"

namespace kolam::testing {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

using Right = linear::ReadVectorOf<DenseOperator>;
using Solution = linear::WriteVectorOf<DenseOperator>;

struct Plain {
  static linear::SolveResult solve(const DenseOperator& a, const Right& b, const Solution& x,
                                   const linear::SolveOptions& options = {}) {
    return conjugate_gradient(a, linear::Identity{}, b, x, options);
  }
};
struct PlainJacobi {
  static linear::SolveResult solve(const DenseOperator& a, const Right& b, const Solution& x,
                                   const linear::SolveOptions& options = {}) {
    const linear::Jacobi<double, DenseExec> m{a.exec(), linear::inverse_diagonal(a)};
    return conjugate_gradient(a, m, b, x, options);
  }
};
struct Merged {
  static linear::SolveResult solve(const DenseOperator& a, const Right& b, const Solution& x,
                                   const linear::SolveOptions& options = {}) {
    return merged_conjugate_gradient(a, {}, b, x, options);
  }
};
struct MergedJacobi {
  static linear::SolveResult solve(const DenseOperator& a, const Right& b, const Solution& x,
                                   const linear::SolveOptions& options = {}) {
    return merged_conjugate_gradient(a, linear::inverse_diagonal(a), b, x, options);
  }
};

// The operator on HostTeams, for which solvers keep their numbers in memory as on a GPU. (A template
// so that it is compiled for hosts alone.)
template <class Operator>
struct OnTeams {
  using value_type = double;
  using execution_space = HostTeams;
  const Operator& a;

  HostTeams exec() const { return {}; }
  index_t rows() const { return a.rows(); }
  template <class X, class Y>
  void apply(const X& x, const Y& y) const {
    a.apply(x, y);
  }
  template <class X, class Y>
  void apply_add(const X& x, const Y& y) const {
    a.apply_add(x, y);
  }
  template <class Y>
  void diagonal(const Y& d) const {
    a.diagonal(d);
  }
};
template <class Operator>
struct PlainOnTeams {
  static constexpr bool on_teams = true;
  static linear::SolveResult solve(const Operator& a, const Right& b, const Solution& x,
                                   const linear::SolveOptions& options = {}) {
    return conjugate_gradient(OnTeams<Operator>{a}, linear::Identity{}, b.read(a.exec()),
                              x.read_write(a.exec()), options);
  }
};
template <class Operator>
struct JacobiOnTeams {
  static constexpr bool on_teams = true;
  static linear::SolveResult solve(const Operator& a, const Right& b, const Solution& x,
                                   const linear::SolveOptions& options = {}) {
    const linear::Jacobi<double, HostTeams> m{{}, linear::inverse_diagonal(a)};
    return conjugate_gradient(OnTeams<Operator>{a}, m, b.read(a.exec()), x.read_write(a.exec()),
                              options);
  }
};

// (In strict mode HostTeams and the operator's own loops are on different sides.)
bool is_strict() { return emulation() == Emulation::strict; }

template <class Form>
class ConjugateGradient : public ::testing::Test {
 protected:
  void SetUp() override {
    if constexpr (requires { Form::on_teams; }) {
      if (is_strict()) GTEST_SKIP() << "HostTeams is on the host's side";
    }
  }
};
// (The thread sanitizer does not know HostTeams' fibers.)
constexpr bool with_teams = !has_block_threads<DenseExec> && !thread_sanitized;
using Forms =
    std::conditional_t<with_teams,
                       ::testing::Types<Plain, PlainJacobi, Merged, MergedJacobi,
                                        PlainOnTeams<DenseOperator>, JacobiOnTeams<DenseOperator>>,
                       ::testing::Types<Plain, PlainJacobi, Merged, MergedJacobi>>;
TYPED_TEST_SUITE(ConjugateGradient, Forms);

std::vector<double> zeros(int n) { return std::vector<double>(static_cast<std::size_t>(n), 0.0); }

// No data moves between host and device during the iterations.
TYPED_TEST(ConjugateGradient, SolvesForArrays) {
  const TwoSides two;
  const DenseOperator a = differences(50);
  const std::vector<double> wanted = random_values(50);
  const std::vector<double> right = numbers_of(right_hand_side(a, wanted));
  Array<double> b("b", 50);
  std::copy(right.begin(), right.end(), b.write(host).data());
  Array<double> x("x", 50);
  EXPECT_THROW(static_cast<void>(TypeParam::solve(a, b, x)), AccessError) << "x begins nowhere";
  x = linear::zeros<double>(a.exec(), "x", 50);
  b.sync(device);
  {
    const TransferBudget budget{.host_to_device = 0, .device_to_host = 0};
    EXPECT_EQ(TypeParam::solve(a, b, x, {.rtol = 1e-12}).status, linear::SolveStatus::converged);
  }
  EXPECT_FALSE(x.valid(host));
  const std::vector<double> found = numbers_of(x);
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], wanted[i], 1e-9);
}

TYPED_TEST(ConjugateGradient, Solves) {
  for (const int n : {1, 2, 50, 250}) {
    const DenseOperator a = differences(n);
    const std::vector<double> wanted = random_values(n);
    const DenseVector b = right_hand_side(a, wanted);
    const DenseVector x = dense_vector(zeros(n));
    const linear::SolveResult result = TypeParam::solve(a, b, x, {.rtol = 1e-12});
    EXPECT_EQ(result.status, linear::SolveStatus::converged);
    const std::vector<double> found = numbers_of(x);
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], wanted[i], 1e-9) << n;
    ASSERT_EQ(result.residual_history.size(), static_cast<std::size_t>(result.iterations) + 1);
    EXPECT_EQ(result.preconditioned_history.size(), result.residual_history.size());
    EXPECT_LE(result.residual_history.back(), 1e-12 * result.residual_history.front());
    EXPECT_LT(result.true_residual, 1e-11 * result.residual_history.front());
    if (n > 2) {
      EXPECT_GT(*(result.residual_history.end() - 2), 1e-12 * result.residual_history.front())
          << "it went on past the tolerance";
    }
  }
}

TYPED_TEST(ConjugateGradient, EndsAtTheIterationThatMeetsTheTolerance) {
  // x is the iterate of the last residual in the history, not one step further.
  const DenseOperator a = differences(60);
  const DenseVector b = dense_vector(random_values(60));
  const DenseVector x = dense_vector(zeros(60));
  const linear::SolveResult result = TypeParam::solve(a, b, x, {.rtol = 1e-3});
  EXPECT_EQ(result.status, linear::SolveStatus::converged);
  EXPECT_NEAR(result.true_residual, result.residual_history.back(),
              1e-9 * result.residual_history.front());
}

TYPED_TEST(ConjugateGradient, EndsAtTheIterationLimit) {
  const DenseOperator a = differences(60);
  const DenseVector b = dense_vector(random_values(60));
  for (const int limit : {0, 1, 2, 3, 7}) {
    const DenseVector x = dense_vector(zeros(60));
    const linear::SolveResult result =
        TypeParam::solve(a, b, x, {.rtol = 1e-14, .max_iterations = limit});
    EXPECT_EQ(result.status, linear::SolveStatus::iteration_limit);
    EXPECT_EQ(result.iterations, limit);
    EXPECT_NEAR(result.true_residual, result.residual_history.back(),
                1e-9 * result.residual_history.front());
  }
}

TYPED_TEST(ConjugateGradient, GoesOnFromWhereItStarts) {
  const DenseOperator a = differences(40);
  const std::vector<double> wanted = random_values(40);
  const DenseVector b = right_hand_side(a, wanted);
  const DenseVector x = dense_vector(wanted);
  const linear::SolveResult there = TypeParam::solve(a, b, x, {.atol = 1e-12});
  EXPECT_EQ(there.iterations, 0);
  EXPECT_EQ(there.status, linear::SolveStatus::converged);
  EXPECT_EQ(numbers_of(x), wanted);
}

TYPED_TEST(ConjugateGradient, HasNothingToDoForZero) {
  const DenseVector x = dense_vector(zeros(9));
  const linear::SolveResult result = TypeParam::solve(differences(9), dense_vector(zeros(9)), x);
  EXPECT_EQ(result.status, linear::SolveStatus::converged);
  EXPECT_EQ(result.iterations, 0);
  EXPECT_EQ(numbers_of(x), zeros(9));
}

TYPED_TEST(ConjugateGradient, SaysThatAnOperatorIsIndefinite) {
  // (The diagonal is positive, so that Jacobi is positive.)
  const DenseOperator a(2, [](int i, int j) { return i == j ? 1.0 : -3.0; });
  const DenseVector x = dense_vector(zeros(2));
  const linear::SolveResult result = TypeParam::solve(a, dense_vector({1, 1}), x);
  EXPECT_EQ(result.status, linear::SolveStatus::indefinite);
  for (const double value : numbers_of(x)) EXPECT_EQ(value, 0);
}

TYPED_TEST(ConjugateGradient, SaysThatASingularSystemHasNoSolution) {
  // Constants are in the null space, and b is not orthogonal to them.
  const int n = 30;
  const DenseOperator a(n, [](int i, int j) {
    return i == j ? (i == 0 || i == n - 1 ? 1.0 : 2.0) : (i - j == 1 || j - i == 1) ? -1.0 : 0.0;
  });
  const DenseVector x = dense_vector(zeros(n));
  std::vector<double> b(static_cast<std::size_t>(n), 1.0);
  b[3] = 2;
  const linear::SolveResult result =
      TypeParam::solve(a, dense_vector(b), x, {.max_iterations = 5000, .patience = 100});
  EXPECT_TRUE(result.status == linear::SolveStatus::stagnated ||
              result.status == linear::SolveStatus::indefinite ||
              result.status == linear::SolveStatus::not_finite)
      << name(result.status);
}

TYPED_TEST(ConjugateGradient, SolvesASingularSystemThatHasASolution) {
  const int n = 30;
  const DenseOperator a(n, [](int i, int j) {
    return i == j ? (i == 0 || i == n - 1 ? 1.0 : 2.0) : (i - j == 1 || j - i == 1) ? -1.0 : 0.0;
  });
  const DenseVector x = dense_vector(zeros(n));
  std::vector<double> b(static_cast<std::size_t>(n), 0.0);
  b[3] = 2;
  b[20] = -2;
  const linear::SolveResult result = TypeParam::solve(a, dense_vector(b), x);
  EXPECT_EQ(result.status, linear::SolveStatus::converged);
  EXPECT_LT(result.true_residual, 1e-7);
}

TYPED_TEST(ConjugateGradient, SaysThatValuesAreNotFinite) {
  const DenseVector x = dense_vector(zeros(5));
  const linear::SolveResult b_is =
      TypeParam::solve(differences(5), dense_vector({1, nan, 0, 0, 0}), x);
  EXPECT_EQ(b_is.status, linear::SolveStatus::not_finite);
  const DenseOperator a(3, [](int i, int j) { return i == j ? (i == 1 ? nan : 1.0) : 0.0; });
  const DenseVector y = dense_vector(zeros(3));
  EXPECT_EQ(TypeParam::solve(a, dense_vector({1, 1, 1}), y).status,
            linear::SolveStatus::not_finite);
}

TYPED_TEST(ConjugateGradient, SaysThatItStagnates) {
  // No residual of double precision is 1e-30 of the first.
  const DenseVector x = dense_vector(zeros(60));
  const linear::SolveResult result =
      TypeParam::solve(differences(60), dense_vector(random_values(60)), x,
                       {.rtol = 1e-300, .max_iterations = 100000, .patience = 50});
  EXPECT_TRUE(result.status == linear::SolveStatus::stagnated ||
              result.status == linear::SolveStatus::converged ||
              result.status == linear::SolveStatus::indefinite ||
              result.status == linear::SolveStatus::not_finite)
      << name(result.status);
  EXPECT_LT(result.iterations, 100000);
}

TYPED_TEST(ConjugateGradient, RefusesWrongOptions) {
  const DenseVector x = dense_vector(zeros(3));
  EXPECT_THROW(static_cast<void>(TypeParam::solve(differences(3), x, x, {.rtol = -1})),
               InvalidArgument);
}

TEST(ConjugateGradients, SayThatAPreconditionerIsNotPositive) {
  const DenseOperator a = differences(10);
  const DenseVector negative = dense_vector(std::vector<double>(10, -1.0));
  const DenseVector b = dense_vector(random_values(10));
  const DenseVector x = dense_vector(zeros(10));
  EXPECT_EQ((merged_conjugate_gradient(a, negative, b, x).status),
            linear::SolveStatus::indefinite_preconditioner);
  const linear::Jacobi<double, DenseExec> m{a.exec(), negative};
  EXPECT_EQ((conjugate_gradient(a, m, b, x).status),
            linear::SolveStatus::indefinite_preconditioner);
}

// An operator with apply_dot alone: solvers call it on devices too.
struct WithDot : OnTeams<DenseOperator> {
  int* calls;
  template <class X, class Y>
  double apply_dot(const X& x, const Y& y) const {
    ++*calls;
    apply(x, y);
    double dot = 0;
    for (std::size_t i = 0; i < x.extent(0); ++i) dot += x(i) * y(i);
    return dot;
  }
};
template <class Operator>
void expect_calls_of_apply_dot(const DenseOperator& dense) {
  if constexpr (with_teams) {
    int calls = 0;
    const Operator a{{dense}, &calls};
    const DenseVector b = dense_vector(random_values(30));
    const DenseVector x = dense_vector(zeros(30));
    const linear::SolveResult result = conjugate_gradient(a, linear::Identity{}, b, x);
    EXPECT_EQ(result.status, linear::SolveStatus::converged);
    EXPECT_EQ(calls, result.iterations);
  }
}
TEST(ConjugateGradients, AskAnOperatorForTheProductIfItHasIt) {
  if (is_strict()) GTEST_SKIP() << "HostTeams is on the host's side";
  expect_calls_of_apply_dot<WithDot>(differences(30));
}

// As on devices: x takes three steps at once, and the remaining ones in the end.
TEST(DirectionsOfConjugateGradients, AreTakenSeveralAtOnce) {
  using Exec = Kokkos::DefaultHostExecutionSpace;
  linear::detail::Directions<double, Exec, 3> directions(Exec{}, 2);
  const linear::Vector<double, Exec> x("x", 2);
  std::vector<double> seen;
  const double* before = directions.before().data();
  for (int step = 1; step <= 5; ++step) {
    EXPECT_EQ(directions.before().data(), before);
    before = directions.next().data();
    Kokkos::deep_copy(directions.next(), step);
    directions.defer(10 * step, x);
    seen.push_back(x(0));
  }
  directions.finish(x);
  seen.push_back(x(0));
  directions.finish(x);
  seen.push_back(x(0));
  EXPECT_EQ(seen, (std::vector<double>{0, 0, 140, 140, 140, 550, 550}));
  EXPECT_EQ(x(1), x(0));
}

}  // namespace
}  // namespace kolam::testing
