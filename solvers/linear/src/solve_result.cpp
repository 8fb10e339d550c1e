// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <kolam/core/error.hpp>
#include <kolam/linear/solve_result.hpp>
#include <limits>
#include <utility>

namespace kolam::linear {

void validate(const SolveOptions& options) {
  for (const auto& [option, value] : {std::pair("rtol", options.rtol), {"atol", options.atol}}) {
    if (!(value >= 0) || !std::isfinite(value))
      throw InvalidArgument(fmt::format("{} is {}; it must be at least 0", option, value));
  }
  if (options.max_iterations < 0) {
    throw InvalidArgument(
        fmt::format("max_iterations is {}; it must be at least 0", options.max_iterations));
  }
  if (options.patience < 1) {
    throw InvalidArgument(fmt::format("patience is {}; it must be at least 1", options.patience));
  }
}

std::string_view name(SolveStatus status) {
  switch (status) {
    case SolveStatus::converged:
      return "converged";
    case SolveStatus::iteration_limit:
      return "iteration_limit";
    case SolveStatus::indefinite:
      return "indefinite";
    case SolveStatus::indefinite_preconditioner:
      return "indefinite_preconditioner";
    case SolveStatus::stagnated:
      return "stagnated";
    case SolveStatus::not_finite:
      break;
  }
  return "not_finite";
}

std::string_view reason(SolveStatus status) {
  switch (status) {
    case SolveStatus::converged:
      return "the residual met the tolerance";
    case SolveStatus::iteration_limit:
      return "the tolerance was not met in max-iter iterations";
    case SolveStatus::indefinite:
      return "the operator is not positive definite";
    case SolveStatus::indefinite_preconditioner:
      return "the preconditioner is not positive definite";
    case SolveStatus::stagnated:
      return "the residual stopped falling";
    case SolveStatus::not_finite:
      break;
  }
  return "the residual is not a finite number";
}

namespace {

// A symmetric tridiagonal matrix.
struct Tridiagonal {
  std::vector<double> diagonal;
  std::vector<double> beside;  // beside[k]: entry of rows k - 1 and k; beside[0] is not used

  // Returns the number of eigenvalues below x (Sturm's sequence).
  std::size_t count_below(double x) const {
    std::size_t count = 0;
    double d = 1;
    for (std::size_t k = 0; k < diagonal.size(); ++k) {
      d = diagonal[k] - x - (k > 0 ? beside[k] * beside[k] / d : 0);
      if (d == 0) d = std::numeric_limits<double>::min();
      if (d < 0) ++count;
    }
    return count;
  }

  // Returns eigenvalue number n, ascending, by bisection between Gershgorin's bounds.
  double eigenvalue(std::size_t n) const {
    double low = diagonal[0];
    double high = diagonal[0];
    for (std::size_t k = 0; k < diagonal.size(); ++k) {
      const double radius = (k > 0 ? std::abs(beside[k]) : 0) +
                            (k + 1 < diagonal.size() ? std::abs(beside[k + 1]) : 0);
      low = std::min(low, diagonal[k] - radius);
      high = std::max(high, diagonal[k] + radius);
    }
    for (int i = 0; i < 100; ++i) {
      const double middle = 0.5 * (low + high);
      (count_below(middle) > n ? high : low) = middle;
    }
    return 0.5 * (low + high);
  }
};

}  // namespace

EigenvalueEstimate eigenvalue_estimate(const SolveResult& result) {
  const std::size_t n = result.alphas.size();
  if (n == 0) throw InvalidArgument("eigenvalue_estimate: the solver made no iteration");
  Tridiagonal t;
  for (std::size_t k = 0; k < n; ++k) {
    const double before = k > 0 ? result.betas[k] / result.alphas[k - 1] : 0;
    t.diagonal.push_back(1 / result.alphas[k] + before);
    t.beside.push_back(k > 0 ? std::sqrt(result.betas[k]) / result.alphas[k - 1] : 0);
  }
  return {t.eigenvalue(0), t.eigenvalue(n - 1)};
}

namespace detail {

void SolveProgress::end(SolveStatus status) {
  result_.status = status;
  ended_ = true;
}

void SolveProgress::note(double residual, double rz) {
  result_.residual_history.push_back(residual);
  result_.preconditioned_history.push_back(rz >= 0 ? std::sqrt(rz)
                                                   : std::numeric_limits<double>::quiet_NaN());
  if (!std::isfinite(residual) || !std::isfinite(rz)) return end(SolveStatus::not_finite);
  if (residual <= options_.atol || residual <= options_.rtol * result_.residual_history.front())
    return end(SolveStatus::converged);
  if (rz < 0) return end(SolveStatus::indefinite_preconditioner);
  if (rz == 0) return end(SolveStatus::stagnated);  // underflow
  if (result_.iterations == 0 || residual < smallest_) {
    smallest_ = residual;
    smallest_at_ = result_.iterations;
  }
  if (result_.iterations >= options_.max_iterations) return end(SolveStatus::iteration_limit);
  if (result_.iterations - smallest_at_ >= options_.patience) end(SolveStatus::stagnated);
}

void SolveProgress::start(double residual, double rz) { note(residual, rz); }

void SolveProgress::lanczos(double alpha, double beta) {
  result_.alphas.push_back(alpha);
  result_.betas.push_back(beta);
}

bool SolveProgress::admits(double pq) {
  if (!std::isfinite(pq)) {
    end(SolveStatus::not_finite);
  } else if (pq <= 0) {
    end(SolveStatus::indefinite);
  }
  return !ended_;
}

void SolveProgress::step(double residual, double rz, std::int64_t iterations) {
  result_.iterations += iterations;
  note(residual, rz);
}

SolveResult SolveProgress::finish(double true_residual) {
  result_.true_residual = true_residual;
  return std::move(result_);
}

}  // namespace detail
}  // namespace kolam::linear
