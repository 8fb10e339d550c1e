// SPDX-License-Identifier: Apache-2.0
// Signal handlers of strict emulation.
#include <kolam/memory/detail/strict_memory.hpp>

#ifdef __linux__

#include <ucontext.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <mutex>

namespace kolam::detail {
namespace {

struct sigaction before_segv;
struct sigaction before_trap;

// An allowed access in a page that is closed for others: the page is open until the instruction is
// done. It may touch bytes of two pages.
constexpr int most_pages = 8;
thread_local const void* opened[most_pages];
thread_local int opened_count = 0;

// What would have happened without us.
void hand_on(const struct sigaction& before, int signal, siginfo_t* info, void* context) {
  if ((before.sa_flags & SA_SIGINFO) != 0) {
    before.sa_sigaction(signal, info, context);
  } else if (before.sa_handler == SIG_IGN) {
    return;
  } else if (before.sa_handler == SIG_DFL) {
    sigaction(signal, &before, nullptr);  // the instruction is tried again, and dies of it
  } else {
    before.sa_handler(signal);
  }
}

#ifdef __x86_64__

constexpr greg_t trap_flag = 0x100;  // one instruction, then SIGTRAP

bool is_write(const ucontext_t& context) { return (context.uc_mcontext.gregs[REG_ERR] & 2) != 0; }
const void* instruction(const ucontext_t& context) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): a register is a number
  return reinterpret_cast<const void*>(context.uc_mcontext.gregs[REG_RIP]);
}

bool let_through(const void* address, ucontext_t& context) {
  if (opened_count == most_pages) return false;
  opened[opened_count++] = address;
  StrictMemory::open_page(address);
  context.uc_mcontext.gregs[REG_EFL] |= trap_flag;
  return true;
}

void on_trap(int signal, siginfo_t* info, void* raw) {
  auto& context = *static_cast<ucontext_t*>(raw);
  if (opened_count == 0) {
    hand_on(before_trap, signal, info, raw);
    return;
  }
  while (opened_count > 0) StrictMemory::close_page(opened[--opened_count]);
  context.uc_mcontext.gregs[REG_EFL] &= ~trap_flag;
}

#else

// Without the kind of access every page is one thing to all its bytes (see protection).
bool is_write(const ucontext_t&) { return false; }
const void* instruction(const ucontext_t&) { return nullptr; }
bool let_through(const void*, ucontext_t&) { return false; }
void on_trap(int signal, siginfo_t* info, void* raw) { hand_on(before_trap, signal, info, raw); }

#endif

void on_segv(int signal, siginfo_t* info, void* raw) {
  auto& context = *static_cast<ucontext_t*>(raw);
  const StrictMemory::Place place = info->si_code == SEGV_ACCERR
                                        ? StrictMemory::find(info->si_addr)
                                        : StrictMemory::Place{nullptr, Side::host, nullptr};
  if (place.memory != nullptr) {
    bool writes = is_write(context);
    if (StrictMemory::allows(place, info->si_addr, writes)) {
      if (let_through(info->si_addr, context)) return;
      writes = true;  // it may read, and other systems do not say what it tried
    }
    const std::string text =
        StrictMemory::report(place, info->si_addr, writes, CallStack::from(instruction(context)));
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
  }
  hand_on(before_segv, signal, info, raw);
}

void install(int signal, void (*handler)(int, siginfo_t*, void*), struct sigaction& before) {
  struct sigaction action {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, &before);
}

}  // namespace

void watch_faults() {
  static std::once_flag once;
  std::call_once(once, [] {
    static_cast<void>(CallStack::here());  // loads what unwinding needs, outside of a handler
    install(SIGSEGV, on_segv, before_segv);
    install(SIGTRAP, on_trap, before_trap);
  });
}

}  // namespace kolam::detail

#endif
