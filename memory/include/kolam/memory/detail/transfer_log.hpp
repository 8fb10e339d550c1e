// SPDX-License-Identifier: Apache-2.0
// Counts of every array's transfers: by array, by label, for the process, and against the budgets
// in force.
#pragma once

#include <atomic>
#include <cstdint>
#include <kolam/core/source_location.hpp>
#include <kolam/memory/side.hpp>
#include <kolam/memory/transfers.hpp>
#include <string>

namespace kolam::detail {

class Storage;
struct LabelCounts;

/// The counts of one storage, registered with the process while it exists. Thread-safe.
class TransferLog {
 public:
  TransferLog(const std::string& label, Storage& storage);
  ~TransferLog();
  TransferLog(const TransferLog&) = delete;
  TransferLog& operator=(const TransferLog&) = delete;
  TransferLog(TransferLog&&) = delete;
  TransferLog& operator=(TransferLog&&) = delete;

  /// Throws BudgetExceeded if a budget forbids a copy of this many bytes to `side`.
  void require_budget(Side side, std::uint64_t bytes, SourceLocation where) const;
  /// Counts copies to `side`, of `bytes` in all, that are about to be made. Throws BudgetExceeded,
  /// and counts nothing, if a budget forbids them.
  void copy(Side side, std::uint64_t copies, std::uint64_t bytes, SourceLocation where);
  void allocated(std::uint64_t bytes);
  void freed(std::uint64_t bytes) noexcept;
  // Not an atomic increment, which would cost more than the intent: two simultaneous reads may
  // count as one.
  void avoided() {
    avoided_.store(avoided_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }

  const std::string& label() const;
  Transfers counts() const;

 private:
  friend class TransferLogs;
  std::atomic<std::uint64_t> avoided_{0};
  Transfers counts_;
  LabelCounts* label_;
  Storage* storage_;
  TransferLog* next_ = nullptr;
  TransferLog* previous_ = nullptr;
};

/// A scope in which copies that Kokkos::deep_copy makes in this thread are kolam's own.
class OwnCopies {
 public:
  OwnCopies();
  ~OwnCopies();
  OwnCopies(const OwnCopies&) = delete;
  OwnCopies& operator=(const OwnCopies&) = delete;
  OwnCopies(OwnCopies&&) = delete;
  OwnCopies& operator=(OwnCopies&&) = delete;
};

}  // namespace kolam::detail
