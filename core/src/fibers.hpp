// SPDX-License-Identifier: Apache-2.0
// Threads of control that take turns in one thread, each on a stack of its own.
#pragma once

#include <ucontext.h>

#include <functional>
#include <memory>
#include <vector>

namespace kolam::detail {

class Fibers {
 public:
  /// Fiber `i` of `count` runs body(i), which must not throw, and returns the fiber that runs next;
  /// less than 0: what called run(). Throws std::bad_alloc.
  Fibers(int count, std::function<int(int)> body);
  ~Fibers();
  Fibers(const Fibers&) = delete;
  Fibers& operator=(const Fibers&) = delete;

  /// Runs fiber `first`; returns when a fiber has ended that named no next one.
  void run(int first);
  /// From the fiber that runs now: runs `next`, and returns when this one is its turn again.
  void switch_to(int next);

 private:
  struct Fiber;
  static void enter(unsigned high, unsigned low);
  void switch_between(Fiber& from, Fiber& to, bool last);
  void arrived(Fiber& here);
  Fiber& at(int i) { return *fibers_[static_cast<std::size_t>(i)]; }

  std::function<int(int)> body_;
  std::vector<std::unique_ptr<Fiber>> fibers_;
  std::unique_ptr<Fiber> caller_;
  int now_ = -1;
};

}  // namespace kolam::detail
