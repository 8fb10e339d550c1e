// SPDX-License-Identifier: Apache-2.0
// Error handling for several outputs of one run.
#pragma once

#include <exception>

namespace kolam::app {

/// Keeps the first error of several outputs; one failed output does not prevent the others.
class FirstError {
 public:
  template <class F>
  bool operator()(const F& f) {
    try {
      f();
      return true;
    } catch (...) {
      note(std::current_exception());
      return false;
    }
  }
  void note(const std::exception_ptr& error) {
    if (!failure_) failure_ = error;
  }
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::exception_ptr failure_;
};

}  // namespace kolam::app
