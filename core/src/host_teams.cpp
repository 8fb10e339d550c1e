// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <exception>
#include <kolam/core/error.hpp>
#include <kolam/core/host_teams.hpp>
#include <mutex>
#include <thread>
#include <utility>

namespace kolam::detail {

Turns::Turns(int size, std::string label)
    : size_(size),
      label_(std::move(label)),
      ended_(static_cast<std::size_t>(size), inside_block),
      gone_(static_cast<std::size_t>(size)),
      slots_(static_cast<std::size_t>(size)) {
  for (int rank = 0; rank < size; ++rank)
    gates_.push_back(std::make_unique<std::binary_semaphore>(0));
  gates_.front()->release();
}

// Everything here runs under the turn itself, so it needs no lock.
void Turns::hand_on(int rank) {
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
  gates_[static_cast<std::size_t>(next)]->release();
}

bool Turns::complete() const { return std::find(gone_.begin(), gone_.end(), true) == gone_.end(); }

void Turns::meet(int rank, index_t ended) {
  ended_[static_cast<std::size_t>(rank)] = ended;
  if (rank == (ascending_ ? size_ - 1 : 0)) {  // all the others wait already
    const index_t block = *std::max_element(ended_.begin(), ended_.end());
    if (complete() && std::count(ended_.begin(), ended_.end(), block) != size_) {
      throw Error(
          label_ + ": the threads of block " + std::to_string(block) +
          " met different numbers of barriers; call sync() outside of conditions and foreach");
    }
    flip_ = ended != inside_block;
  }
  hand_on(rank);
  gates_[static_cast<std::size_t>(rank)]->acquire();
}

void Turns::row_barrier(int rank, int lanes) {
  const int first = rank / lanes * lanes;
  const int count = std::min(lanes, size_ - first);
  int next = rank - first;
  do {
    next = (next + (ascending_ ? 1 : count - 1)) % count;
  } while (gone_[static_cast<std::size_t>(first + next)]);
  gates_[static_cast<std::size_t>(first + next)]->release();
  gates_[static_cast<std::size_t>(rank)]->acquire();
}

void Turns::end_block(int rank, index_t block) {
  if (complete()) meet(rank, block);
}

void Turns::leave(int rank) {
  gone_[static_cast<std::size_t>(rank)] = true;
  if (std::find(gone_.begin(), gone_.end(), false) != gone_.end()) hand_on(rank);
}

void run_team(Turns& turns, const std::function<void(int)>& body) {
  std::exception_ptr error;
  std::mutex guard;
  {
    std::vector<std::jthread> threads;
    threads.reserve(static_cast<std::size_t>(turns.size()));
    for (int rank = 0; rank < turns.size(); ++rank) {
      threads.emplace_back([&, rank] {
        turns.wait_for_first(rank);
        try {
          body(rank);
        } catch (...) {
          const std::scoped_lock lock(guard);
          if (!error) error = std::current_exception();
        }
        turns.leave(rank);
      });
    }
  }
  if (error) std::rethrow_exception(error);
}

}  // namespace kolam::detail
