// SPDX-License-Identifier: Apache-2.0
// Threads of control that take turns in one thread, each on its own stack.
#pragma once

#include <ucontext.h>

#include <functional>
#include <memory>
#include <vector>

namespace kolam::detail {

class Fibers {
 public:
  /// Creates `count` fibers. Fiber i runs body(i), which must not throw and returns the fiber to
  /// run next, or a negative number to return from run(). Throws std::bad_alloc.
  Fibers(int count, std::function<int(int)> body);
  ~Fibers();
  Fibers(const Fibers&) = delete;
  Fibers& operator=(const Fibers&) = delete;

  /// Runs fiber `first`; returns when a fiber ends without naming a next one.
  void run(int first);
  /// Switches from the running fiber to `next`; returns when another fiber switches back.
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
