// SPDX-License-Identifier: Apache-2.0
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <kolam/core/runtime.hpp>
#include <kolam/memory/detail/storage.hpp>
#include <kolam/memory/detail/transfer_log.hpp>
#include <kolam/memory/pool.hpp>
#include <kolam/memory/trace.hpp>
#include <kolam/memory/transfer_budget.hpp>
#include <map>
#include <mutex>
#include <sstream>
#include <string_view>
#include <vector>

namespace kolam {
namespace detail {

struct LabelCounts {
  const std::string* label = nullptr;
  std::uint64_t arrays = 0;
  Transfers transfers;
};

namespace {

thread_local int own_copies = 0;

struct Budget {
  const TransferBudget* limit;
  std::uint64_t to_device = 0;
  std::uint64_t to_host = 0;
};

void add_copies(Transfers& sum, Side side, std::uint64_t copies, std::uint64_t bytes) {
  if (side == Side::device) {
    sum.copies_to_device += copies;
    sum.bytes_to_device += bytes;
  } else {
    sum.copies_to_host += copies;
    sum.bytes_to_host += bytes;
  }
}

void add_allocation(Transfers& sum, std::uint64_t bytes) {
  ++sum.allocations;
  sum.allocated_bytes += bytes;
  sum.bytes += bytes;
  sum.peak_bytes = std::max(sum.peak_bytes, sum.bytes);
}

[[maybe_unused]] bool is_host(std::string_view space) {
  return space == Kokkos::HostSpace::name()
#ifdef KOKKOS_HAS_SHARED_HOST_PINNED_SPACE
         || space == Kokkos::SharedHostPinnedSpace::name()
#endif
      ;
}

}  // namespace

OwnCopies::OwnCopies() { ++own_copies; }
OwnCopies::~OwnCopies() { --own_copies; }

// All counts of the process, under one lock, which copies, allocations and new arrays take, but
// never an intent that finds its values.
class TransferLogs {
 public:
  static TransferLogs& get() {
    static auto* const all = new TransferLogs;  // never destroyed: static arrays may outlive it
    return *all;
  }

  std::mutex guard;
  std::map<std::string, LabelCounts, std::less<>> labels;
  std::vector<Budget> budgets;
  Transfers total;
  Transfers foreign;
  Kokkos_Profiling_beginDeepCopyFunction next_tool = nullptr;
  bool watching = false;
  bool tracing = false;
  std::string trace_file;

  // Kokkos accepts hooks only while it runs, and arrays may be made before.
  void prepare() {
    if (prepared_ || !Runtime::running()) return;
    prepared_ = true;
    Kokkos::push_finalize_hook(finish);
    const char* const choice = std::getenv("KOLAM_TRACE");
    const std::string_view text = choice == nullptr ? "" : choice;
    if (!text.empty() && text != "0") trace(text == "1" ? "" : choice);
  }

  void enter(TransferLog& log, const std::string& label) {
    const auto [entry, is_new] = labels.try_emplace(label);
    if (is_new) entry->second.label = &entry->first;  // read without the lock
    ++entry->second.arrays;
    log.label_ = &entry->second;
    log.next_ = newest_;
    if (newest_ != nullptr) newest_->previous_ = &log;
    newest_ = &log;
  }

  void leave(TransferLog& log) {
    const std::uint64_t avoided = log.avoided_.load(std::memory_order_relaxed);
    log.label_->transfers.copies_avoided += avoided;
    total.copies_avoided += avoided;
    (log.previous_ == nullptr ? newest_ : log.previous_->next_) = log.next_;
    if (log.next_ != nullptr) log.next_->previous_ = log.previous_;
  }

  template <class F>
  void for_each_count(TransferLog& log, F f) {
    f(log.counts_);
    f(log.label_->transfers);
    f(total);
  }

  // The avoided copies of existing arrays are only in the arrays' own counts.
  template <class F>
  void for_each_alive(F f) const {
    for (const TransferLog* log = newest_; log != nullptr; log = log->next_) {
      f(log->label_, log->avoided_.load(std::memory_order_relaxed));
    }
  }

  std::vector<LabelTransfers> by_label() const {
    std::map<const LabelCounts*, std::uint64_t> avoided;
    for_each_alive([&](const LabelCounts* label, std::uint64_t count) { avoided[label] += count; });
    std::vector<LabelTransfers> result;
    for (const auto& [label, counts] : labels) {
      result.push_back({label, counts.arrays, counts.transfers});
      result.back().transfers.copies_avoided += avoided[&counts];
    }
    std::erase_if(result, [](const LabelTransfers& l) { return l.transfers == Transfers{}; });
    std::stable_sort(result.begin(), result.end(),
                     [](const LabelTransfers& a, const LabelTransfers& b) {
                       return a.transfers.bytes_to_device + a.transfers.bytes_to_host >
                              b.transfers.bytes_to_device + b.transfers.bytes_to_host;
                     });
    return result;
  }

  Transfers sum() const {
    Transfers result = total;
    for_each_alive(
        [&](const LabelCounts*, std::uint64_t count) { result.copies_avoided += count; });
    return result;
  }

  // Throws BudgetExceeded if one of the budgets does not allow the copy.
  void require_budget(Side side, std::uint64_t bytes, const std::string& what,
                      const std::string& where) const {
    for (const Budget& budget : budgets) {
      const std::uint64_t spent = side == Side::device ? budget.to_device : budget.to_host;
      const std::uint64_t limit =
          side == Side::device ? budget.limit->host_to_device : budget.limit->device_to_host;
      if (bytes <= limit && spent <= limit - bytes) continue;
      std::ostringstream text;
      text << what << " would be copied from the "
           << (side == Side::device ? "host to the device (" : "device to the host (") << bytes
           << " bytes)" << where << ", but the TransferBudget at " << to_string(budget.limit->where)
           << " allows " << limit << " bytes that way and " << spent
           << " are spent; keep the values where they are used, or raise the budget";
      throw BudgetExceeded(text.str());
    }
  }
  // Does the same, and charges the copy to all budgets.
  void charge(Side side, std::uint64_t bytes, const std::string& what, const std::string& where) {
    require_budget(side, bytes, what, where);
    for (Budget& budget : budgets) {
      (side == Side::device ? budget.to_device : budget.to_host) += bytes;
    }
  }

  // Observes copies of other code from now on. The caller holds the guard.
  void watch() {
    if (watching || !Runtime::running()) return;
    namespace Tools = Kokkos::Tools::Experimental;
    next_tool = Tools::get_callbacks().begin_deep_copy;
    Tools::set_begin_deep_copy_callback(see_deep_copy);
    watching = true;
  }

  void trace(const std::string& json_file) {
    if (!tracing) Kokkos::push_finalize_hook(write_at_exit);
    tracing = true;
    trace_file = json_file;
    watch();
  }

  // Makes existing arrays release their memory before Kokkos ends.
  static void finish() {
    std::vector<Storage*> alive;
    {
      const std::scoped_lock lock(get().guard);
      for (TransferLog* log = get().newest_; log != nullptr; log = log->next_) {
        alive.push_back(log->storage_);
      }
    }
    for (Storage* storage : alive) storage->close();
    trim_pools();
  }

 private:
  static void see_deep_copy(Kokkos::Tools::SpaceHandle to, const char* to_label,
                            const void* to_data, Kokkos::Tools::SpaceHandle from,
                            const char* from_label, const void* from_data, std::uint64_t bytes) {
    if constexpr (!one_memory) {
      const std::string_view device = DeviceSide::memory_space::name();
      // (Kokkos also reports fills, with their one value as a source of one of two names.)
      const std::string_view source = from_label;
      const bool fill = source == "Scalar" || source == "(none)";
      const bool to_device = is_host(from.name) && to.name == device && !fill;
      const bool to_host = from.name == device && is_host(to.name);
      if (own_copies == 0 && (to_device || to_host)) {
        const std::scoped_lock lock(get().guard);
        const Side side = to_device ? Side::device : Side::host;
        get().charge(
            side, bytes,
            "View '" + std::string(to_label) + "', by Kokkos::deep_copy from '" + from_label + "',",
            "");
        add_copies(get().foreign, side, 1, bytes);
      }
    }
    if (get().next_tool != nullptr) {
      get().next_tool(to, to_label, to_data, from, from_label, from_data, bytes);
    }
  }

  static void write_at_exit() {
    if (get().trace_file.empty()) {
      write_trace(std::cerr);
      return;
    }
    std::ofstream out(get().trace_file);
    write_trace_json(out);
    if (!out.flush()) {
      std::cerr << "kolam: the trace cannot be written to '" << get().trace_file << "'\n";
    }
  }

  bool prepared_ = false;
  TransferLog* newest_ = nullptr;
};

TransferLog::TransferLog(const std::string& label, Storage& storage) : storage_(&storage) {
  auto& logs = TransferLogs::get();
  const std::scoped_lock lock(logs.guard);
  logs.prepare();
  logs.enter(*this, label);
}

TransferLog::~TransferLog() {
  auto& logs = TransferLogs::get();
  const std::scoped_lock lock(logs.guard);
  logs.leave(*this);
}

void TransferLog::require_budget(Side side, std::uint64_t bytes, SourceLocation where) const {
  auto& logs = TransferLogs::get();
  const std::scoped_lock lock(logs.guard);
  if (logs.budgets.empty()) return;
  logs.require_budget(side, bytes, "array '" + label() + "'", " at " + to_string(where));
}

void TransferLog::copy(Side side, std::uint64_t copies, std::uint64_t bytes, SourceLocation where) {
  auto& logs = TransferLogs::get();
  const std::scoped_lock lock(logs.guard);
  if (!logs.budgets.empty()) {
    logs.charge(side, bytes, "array '" + label() + "'", " at " + to_string(where));
  }
  logs.for_each_count(*this, [&](Transfers& sum) { add_copies(sum, side, copies, bytes); });
}

void TransferLog::allocated(std::uint64_t bytes) {
  auto& logs = TransferLogs::get();
  const std::scoped_lock lock(logs.guard);
  logs.prepare();
  logs.for_each_count(*this, [&](Transfers& sum) { add_allocation(sum, bytes); });
}

void TransferLog::freed(std::uint64_t bytes) noexcept {
  auto& logs = TransferLogs::get();
  const std::scoped_lock lock(logs.guard);
  logs.for_each_count(*this, [&](Transfers& sum) { sum.bytes -= bytes; });
}

const std::string& TransferLog::label() const { return *label_->label; }

Transfers TransferLog::counts() const {
  const std::scoped_lock lock(TransferLogs::get().guard);
  Transfers result = counts_;
  result.copies_avoided = avoided_.load(std::memory_order_relaxed);
  return result;
}

BudgetScope::BudgetScope(const TransferBudget& budget) : budget_(&budget) {
  auto& logs = TransferLogs::get();
  const std::scoped_lock lock(logs.guard);
  logs.watch();
  logs.budgets.push_back({&budget});
}

BudgetScope::~BudgetScope() {
  auto& logs = TransferLogs::get();
  const std::scoped_lock lock(logs.guard);
  std::erase_if(logs.budgets, [&](const Budget& b) { return b.limit == budget_; });
}

}  // namespace detail

using detail::TransferLogs;

Transfers total_transfers() {
  const std::scoped_lock lock(TransferLogs::get().guard);
  return TransferLogs::get().sum();
}

std::vector<LabelTransfers> transfers_by_label() {
  const std::scoped_lock lock(TransferLogs::get().guard);
  return TransferLogs::get().by_label();
}

Transfers foreign_transfers() {
  const std::scoped_lock lock(TransferLogs::get().guard);
  TransferLogs::get().watch();
  return TransferLogs::get().foreign;
}

void trace_at_exit(const std::string& json_file) {
  const std::scoped_lock lock(TransferLogs::get().guard);
  TransferLogs::get().trace(json_file);
}

}  // namespace kolam
