// SPDX-License-Identifier: Apache-2.0
// Options and results of iterative solvers.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace kolam::linear {

/// Stopping criteria of a solver. One of the tolerances suffices.
struct SolveOptions {
  double rtol = 1e-8;                  ///< tolerance relative to the first residual; at least 0
  double atol = 0;                     ///< absolute tolerance of the residual; at least 0
  std::int64_t max_iterations = 1000;  ///< largest number of iterations; at least 0
  /// Number of iterations without a new smallest residual after which a solve ends as stagnated; >=
  /// 1.
  std::int64_t patience = 500;
};

/// Throws InvalidArgument for a wrong option, naming the option, its value and the allowed values.
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

/// Returns the enumerator's name.
std::string_view name(SolveStatus status);
/// Returns the reason in words.
std::string_view reason(SolveStatus status);

/// The result of a solve. Residuals are Euclidean norms.
struct [[nodiscard]] SolveResult {
  SolveStatus status = SolveStatus::converged;  ///< why it ended
  std::int64_t iterations = 0;                  ///< number of steps that changed x
  /// |r| of the recurrence, before the first iteration and after each (in chebyshev_iteration:
  /// at each check).
  std::vector<double> residual_history = {};
  /// sqrt(r M r) at the same times: the preconditioned residual.
  std::vector<double> preconditioned_history = {};
  double true_residual = 0;  ///< |b - A x| at the end
  ///@{
  /// Coefficients of each iteration: x += alpha p, and p = z + beta p (beta is 0 in the first).
  std::vector<double> alphas = {};
  std::vector<double> betas = {};
  ///@}
};

/// Estimates of the outermost eigenvalues.
struct EigenvalueEstimate {
  double smallest;  ///< at least the smallest eigenvalue
  double largest;   ///< at most the largest eigenvalue
};
/// Returns estimates of the outermost eigenvalues of M A from the iterations of a solve: at least
/// the smallest and at most the largest eigenvalue, even after few iterations. (From the Lanczos
/// matrix of conjugate gradients: Golub and Van Loan, 10.3.) Throws InvalidArgument for no
/// iteration.
EigenvalueEstimate eigenvalue_estimate(const SolveResult& result);

namespace detail {

// The histories of a solve, and its stopping criteria.
class SolveProgress {
 public:
  explicit SolveProgress(const SolveOptions& options) : options_(options) {}

  void start(double residual, double rz);
  // Returns whether p A p = pq is positive and finite; if not, ends the solve.
  bool admits(double pq);
  // Records the coefficients of a step.
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
