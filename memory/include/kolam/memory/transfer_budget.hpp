// SPDX-License-Identifier: Apache-2.0
// Limits on transfers: a hot loop that must not move anything fails where it does.
#pragma once

#include <cstdint>
#include <kolam/core/error.hpp>
#include <kolam/core/source_location.hpp>
#include <limits>

namespace kolam {

/// A transfer would pass a TransferBudget. The text names the array, the bytes, the place of the
/// intent and that of the budget. Nothing was copied and the array is as it was.
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

/// While it lives, arrays and Kokkos::deep_copy may move this many bytes each way, whatever thread
/// they are used in; the copy that would pass it throws BudgetExceeded instead:
/// \code
///   const kolam::TransferBudget budget{.host_to_device = 0, .device_to_host = 8 * steps};
/// \endcode
/// Budgets nest: all those alive hold. Copies within one side cost nothing.
struct TransferBudget {
  /// No limit.
  static constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

  std::uint64_t host_to_device = unlimited;          ///< bytes
  std::uint64_t device_to_host = unlimited;          ///< bytes
  SourceLocation where = SourceLocation::current();  ///< of the budget, for the error's text
  /// \cond
  detail::BudgetScope scope{*this};  // what begins and ends it; never named by users
  /// \endcond
};

}  // namespace kolam
