// SPDX-License-Identifier: Apache-2.0
// What an iterative solver is asked, and what came of it.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace kolam::linear {

/// When a solver ends.
struct SolveOptions {
  double rtol = 1e-8;                  ///< end at a residual of rtol times the first; at least 0
  double atol = 0;                     ///< or at this one; at least 0
  std::int64_t max_iterations = 1000;  ///< at least 0
  /// End as stagnated after so many iterations without a residual below the smallest; at least 1.
  std::int64_t patience = 500;
};

/// Throws InvalidArgument, naming the option, its value and the values allowed.
void validate(const SolveOptions& options);

/// Why a solver ended.
enum class SolveStatus {
  converged,                  ///< a residual met a tolerance
  iteration_limit,            ///< max_iterations iterations, tolerance not met
  indefinite,                 ///< a direction p with p A p <= 0: A is not positive definite
  indefinite_preconditioner,  ///< a residual r with r M r < 0
  stagnated,                  ///< no smaller residual for long: see SolveOptions::patience
  not_finite                  ///< NaN or Inf
};

/// The enumerator's name.
std::string_view name(SolveStatus status);
/// A sentence on why it ended.
std::string_view reason(SolveStatus status);

/// What came of a solve. Residuals are Euclidean norms.
struct [[nodiscard]] SolveResult {
  SolveStatus status = SolveStatus::converged;  ///< why it ended
  std::int64_t iterations = 0;                  ///< steps that changed x
  /// |r| of the recurrence, before the first iteration and after each (of chebyshev_iteration: whenever it looks).
  std::vector<double> residual_history = {};
  /// sqrt(r M r) at the same places: the residual that the preconditioner sees.
  std::vector<double> preconditioned_history = {};
  double true_residual = 0;  ///< |b - A x| at the end
  ///@{
  /// Of each iteration: x += alpha p, and p = z + beta p (0 in the first).
  std::vector<double> alphas = {};
  std::vector<double> betas = {};
  ///@}
};

/// What eigenvalue_estimate gives.
struct EigenvalueEstimate {
  double smallest;  ///< at least the smallest that there is
  double largest;   ///< at most the largest that there is
};
/// The outermost eigenvalues of M A as far as these iterations have met them: at least the smallest
/// and at most the largest there are, both after few iterations. (The Lanczos matrix that conjugate
/// gradients carry along: Golub and Van Loan, 10.3.) Throws InvalidArgument for no iteration.
EigenvalueEstimate eigenvalue_estimate(const SolveResult& result);

namespace detail {

// Histories, and when to end.
class SolveProgress {
 public:
  explicit SolveProgress(const SolveOptions& options) : options_(options) {}

  void start(double residual, double rz);
  // Whether A may have a direction p with p A p = pq.
  bool admits(double pq);
  // Notes the coefficients of a step.
  void lanczos(double alpha, double beta);
  void step(double residual, double rz, std::int64_t iterations = 1);
  bool ended() const { return ended_; }
  SolveResult finish(double true_residual);

 private:
  void note(double residual, double rz);
  void end(SolveStatus status);

  SolveOptions options_;
  SolveResult result_;
  double smallest_ = 0;
  std::int64_t smallest_at_ = 0;
  bool ended_ = false;
};

}  // namespace detail
}  // namespace kolam::linear
