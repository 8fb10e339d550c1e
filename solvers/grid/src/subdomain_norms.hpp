// SPDX-License-Identifier: Apache-2.0
// The combined norms of several subdomains, including those of other processes.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <kolam/comm/communicator.hpp>
#include <kolam/grid/norm_log.hpp>
#include <limits>
#include <optional>
#include <vector>

namespace kolam::grid::detail {

template <class Exec>
class SubdomainNorms {
 public:
  explicit SubdomainNorms(const Communicator& communicator) : communicator_(communicator) {}

  void add(const Exec& exec, index_t sums_per_step, std::optional<double> tol, int together) {
    logs_.emplace_back(exec, sums_per_step, tol, together);
  }
  NormLog<Exec>& operator[](std::size_t subdomain) { return logs_[subdomain]; }

  // Records `together` steps from `iteration` on.
  void record(std::int64_t iteration, int together = 1) {
    for (NormLog<Exec>& log : logs_) log.record(iteration);
    for (int step = 0; step < together; ++step) iterations_.push_back(iteration + step);
  }
  // Takes the norms that have arrived, see NormLog::update. With several processes, the combined
  // norms are known only after finish().
  void update() {
    bool any = false;
    for (NormLog<Exec>& log : logs_) any = log.update() || any;
    if (any && communicator_.size() == 1) combine();
  }
  // All processes call it together.
  void finish() {
    for (NormLog<Exec>& log : logs_) log.finish();
    combine();
  }

  // Returns the combined norms since the last call.
  std::vector<NormRecord> take() {
    const auto first = records_.begin() + static_cast<std::ptrdiff_t>(taken_);
    taken_ = records_.size();
    return {first, records_.end()};
  }

 private:
  // Returns the squares of the next norms. A log ends with the first norm that is not finite.
  std::vector<double> squares() const {
    std::size_t count = iterations_.size();
    for (const NormLog<Exec>& log : logs_) {
      if (!log.ended()) count = std::min(count, log.records().size());
    }
    std::vector<double> result(count - std::min(count, records_.size()));
    for (std::size_t i = 0; i < result.size(); ++i) {
      for (const NormLog<Exec>& log : logs_) {
        const std::size_t at = records_.size() + i;
        const double norm = at < log.records().size() ? log.records()[at].norm
                                                      : std::numeric_limits<double>::quiet_NaN();
        result[i] += norm * norm;
      }
    }
    return result;
  }

  void combine() {
    if (logs_.size() == 1 && communicator_.size() == 1) {
      const auto& all = logs_.front().records();
      records_.insert(records_.end(), all.begin() + static_cast<std::ptrdiff_t>(records_.size()),
                      all.end());
      return;
    }
    std::vector<double> sums = squares();
    if (communicator_.size() > 1) communicator_.sum(sums);
    for (const double sum : sums)
      records_.push_back({iterations_[records_.size()], std::sqrt(sum)});
  }

  Communicator communicator_;
  std::vector<NormLog<Exec>> logs_;
  std::vector<std::int64_t> iterations_;
  std::vector<NormRecord> records_;
  std::size_t taken_ = 0;
};

}  // namespace kolam::grid::detail
