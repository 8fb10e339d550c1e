// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <kolam/core/error.hpp>
#include <kolam/core/stop_request.hpp>

namespace kolam {
namespace {

// A signal handler can access only globals.
std::atomic<int> first_signal{0};
std::atomic<bool> exists{false};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler must not wait for a lock");

// Does only what POSIX allows in a handler. (A signal that was ignored stays so.)
extern "C" void note_stop_request(int signal) {
  int none = 0;
  first_signal.compare_exchange_strong(none, signal);
  for (const int each : {SIGTERM, SIGINT}) {
    struct sigaction now{};
    ::sigaction(each, nullptr, &now);
    if (now.sa_handler == note_stop_request) std::signal(each, SIG_DFL);
  }
}

void install(int signal, struct sigaction& before) {
  ::sigaction(signal, nullptr, &before);
  if (before.sa_handler == SIG_IGN) return;
  struct sigaction action{};
  action.sa_handler = note_stop_request;
  action.sa_flags = SA_RESTART;  // a write in progress continues
  sigemptyset(&action.sa_mask);
  sigaddset(&action.sa_mask, SIGTERM);
  sigaddset(&action.sa_mask, SIGINT);
  ::sigaction(signal, &action, nullptr);
}

}  // namespace

StopRequest::StopRequest() {
  if (exists.exchange(true)) {
    throw InvalidArgument(
        "there is a StopRequest already; pass that one on, for signals belong to the whole "
        "program");
  }
  first_signal = 0;
  install(SIGTERM, terminate_before_);
  install(SIGINT, interrupt_before_);
}

StopRequest::~StopRequest() {
  ::sigaction(SIGTERM, &terminate_before_, nullptr);
  ::sigaction(SIGINT, &interrupt_before_, nullptr);
  exists = false;
}

int StopRequest::signal() const noexcept { return first_signal.load(std::memory_order_relaxed); }

std::string_view StopRequest::name() const noexcept {
  switch (signal()) {
    case SIGTERM:
      return "SIGTERM";
    case SIGINT:
      return "SIGINT";
    default:
      return "";
  }
}

}  // namespace kolam
