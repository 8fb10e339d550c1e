// SPDX-License-Identifier: Apache-2.0
// Limits on transfers: a hot loop that must not copy anything fails at its first copy.
#pragma once

#include <cstdint>
#include <kolam/core/error.hpp>
#include <kolam/core/source_location.hpp>
#include <limits>

namespace kolam {

/// A transfer that would exceed a TransferBudget. The message names the array, the bytes, and the
/// source lines of the intent and the budget. Nothing was copied and the array is unchanged.
class BudgetExceeded : public Error {
  using Error::Error;
};

struct TransferBudget;

namespace detail {

class [[nodiscard]] BudgetScope {
 public:
  explicit BudgetScope(const TransferBudget& budget);
  ~BudgetScope();
  BudgetScope(const BudgetScope&) = delete;
  BudgetScope& operator=(const BudgetScope&) = delete;
  BudgetScope(BudgetScope&&) = delete;
  BudgetScope& operator=(BudgetScope&&) = delete;

 private:
  const TransferBudget* budget_;
};

}  // namespace detail

/// A scope in which arrays and Kokkos::deep_copy may copy at most this many bytes each way, in all
/// threads together. A copy that would exceed the budget throws BudgetExceeded instead:
/// \code
///   const kolam::TransferBudget budget{.host_to_device = 0, .device_to_host = 8 * steps};
/// \endcode
/// Budgets nest: all existing budgets apply. Copies within one side cost nothing.
struct TransferBudget {
  /// No limit.
  static constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

  std::uint64_t host_to_device = unlimited;          ///< bytes
  std::uint64_t device_to_host = unlimited;          ///< bytes
  SourceLocation where = SourceLocation::current();  ///< line of the budget, for error messages
  /// \cond
  detail::BudgetScope scope{*this};  // registers the budget; never named by users
  /// \endcond
};

}  // namespace kolam
