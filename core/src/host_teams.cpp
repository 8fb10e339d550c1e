// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <exception>
#include <kolam/core/error.hpp>
#include <kolam/core/host_teams.hpp>
#include <utility>

#include "fibers.hpp"

namespace kolam::detail {

Turns::Turns(int size, std::string label)
    : size_(size),
      label_(std::move(label)),
      ended_(static_cast<std::size_t>(size), inside_block),
      gone_(static_cast<std::size_t>(size)),
      slots_(static_cast<std::size_t>(size)) {}
Turns::~Turns() = default;

// Returns the rank that runs after `rank`.
int Turns::next_after(int rank) {
  const int step = ascending_ ? 1 : -1;
  int next = rank;
  do {
    next += step;
    if (next < 0 || next == size_) {  // the round is over
      if (flip_) ascending_ = !ascending_;
      flip_ = false;
      next = ascending_ ? 0 : size_ - 1;
      while (gone_[static_cast<std::size_t>(next)]) next += ascending_ ? 1 : -1;
      break;
    }
  } while (gone_[static_cast<std::size_t>(next)]);
  return next;
}

bool Turns::complete() const { return std::find(gone_.begin(), gone_.end(), true) == gone_.end(); }

void Turns::meet(int rank, index_t ended) {
  ended_[static_cast<std::size_t>(rank)] = ended;
  if (rank == (ascending_ ? size_ - 1 : 0)) {  // all others are already waiting
    const index_t block = *std::max_element(ended_.begin(), ended_.end());
    if (complete() && std::count(ended_.begin(), ended_.end(), block) != size_) {
      throw Error(
          label_ + ": the threads of block " + std::to_string(block) +
          " met different numbers of barriers; call sync() outside of conditions and foreach");
    }
    flip_ = ended != inside_block;
  }
  fibers_->switch_to(next_after(rank));
}

void Turns::row_barrier(int rank, int lanes) {
  const int first = rank / lanes * lanes;
  const int count = std::min(lanes, size_ - first);
  int next = rank - first;
  do {
    next = (next + (ascending_ ? 1 : count - 1)) % count;
  } while (gone_[static_cast<std::size_t>(first + next)]);
  fibers_->switch_to(first + next);
}

void Turns::end_block(int rank, index_t block) {
  if (complete()) meet(rank, block);
}

void Turns::run(const std::function<void(int)>& body) {
  std::exception_ptr error;
  fibers_ = std::make_unique<Fibers>(size_, [&](int rank) {
    try {
      body(rank);
    } catch (...) {
      if (!error) error = std::current_exception();
    }
    // (The others continue without this thread, even if it threw.)
    gone_[static_cast<std::size_t>(rank)] = true;
    const bool last = std::find(gone_.begin(), gone_.end(), false) == gone_.end();
    return last ? -1 : next_after(rank);
  });
  fibers_->run(0);
  if (error) std::rethrow_exception(error);
}

}  // namespace kolam::detail
