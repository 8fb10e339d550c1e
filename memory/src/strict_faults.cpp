// SPDX-License-Identifier: Apache-2.0
// Signal handlers of strict emulation.
#include <kolam/memory/detail/strict_keys.hpp>
#include <kolam/memory/detail/strict_memory.hpp>

#ifdef __linux__

#include <ucontext.h>
#ifdef __x86_64__
#include <cpuid.h>
#endif

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "strict_pages.hpp"
#include "strict_windows.hpp"

namespace kolam::detail {
namespace {

struct sigaction before_segv;
struct sigaction before_trap;

// An allowed access to a page that is closed to others. With protection keys, only this thread has
// the page's key until the instruction is done; without them, the page is open to all threads for
// that time. There may be several pages, because an instruction may touch bytes of two.
struct OpenedPage {
  const char* address;  // of the access
  bool open;            // without a key
  bool writes;
  StrictStep* step;  // owned; to detect other writes there
};
constexpr int most_pages = 8;
thread_local OpenedPage opened[most_pages];
thread_local int opened_count = 0;
thread_local std::uint32_t opened_keys = 0;  // bits of the rights

// Does what would have happened without this handler.
void hand_on(const struct sigaction& before, int signal, siginfo_t* info, void* context) {
  if ((before.sa_flags & SA_SIGINFO) != 0) {
    before.sa_sigaction(signal, info, context);
  } else if (before.sa_handler == SIG_IGN) {
    return;
  } else if (before.sa_handler == SIG_DFL) {
    sigaction(signal, &before, nullptr);  // the instruction is retried, and ends the program
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

// Returns the key rights with which this thread continues: part of the saved registers.
std::uint32_t* rights_in(ucontext_t& context) {
  static constexpr std::uint32_t leaf = 0xd;
  static constexpr std::uint32_t component = 9;
  static const std::uint32_t offset = [] {
    std::uint32_t a = 0, b = 0, c = 0, d = 0;
    __cpuid_count(leaf, component, a, b, c, d);
    return b;
  }();
  if (context.uc_mcontext.fpregs == nullptr || offset == 0) return nullptr;
  char* const saved = reinterpret_cast<char*>(context.uc_mcontext.fpregs);
  constexpr std::size_t header = 512;  // holds which components are present
  std::uint64_t present = 0;
  std::memcpy(&present, saved + header, sizeof present);
  present |= std::uint64_t{1} << component;
  std::memcpy(saved + header, &present, sizeof present);
  return reinterpret_cast<std::uint32_t*>(saved + offset);
}

void set_rights(ucontext_t& context) {
  if (!strict_keys().used) return;
  std::uint32_t* const rights = rights_in(context);
  if (rights != nullptr) *rights = key_rights(running_code(), *rights) & ~opened_keys;
}

// Returns this thread's entry of that page; null if it has too many.
OpenedPage* entry_of(const char* address) {
  const auto same_page = [&](const OpenedPage& page) {
    return reinterpret_cast<std::uintptr_t>(page.address) / strict_pages::page_bytes() ==
           reinterpret_cast<std::uintptr_t>(address) / strict_pages::page_bytes();
  };
  OpenedPage* const found = std::find_if(opened, opened + opened_count, same_page);
  if (found != opened + opened_count) return found;
  if (opened_count == most_pages) return nullptr;
  *found = {address, false, false, nullptr};
  ++opened_count;
  return found;
}

bool let_through(const char* address, bool writes, int key, ucontext_t& context) {
  StrictWindows& windows = StrictWindows::get();
  OpenedPage* const page = entry_of(address);
  if (page == nullptr && key == 0) return false;
  if (page != nullptr && writes && !page->writes) {
    page->writes = true;
    page->step = windows.begin_write(address, instruction(context)).release();
  }
  if (key != 0) {
    opened_keys |= std::uint32_t{3} << (2 * key);
    set_rights(context);
  } else {
    page->open = true;
    if (!windows.open_page(address, page->writes)) return false;
  }
  context.uc_mcontext.gregs[REG_EFL] |= trap_flag;
  return true;
}

void on_trap(int signal, siginfo_t* info, void* raw) {
  auto& context = *static_cast<ucontext_t*>(raw);
  if (opened_count == 0 && opened_keys == 0) {
    hand_on(before_trap, signal, info, raw);
    return;
  }
  StrictWindows& windows = StrictWindows::get();
  std::string report;
  while (opened_count > 0) {
    const OpenedPage page = opened[--opened_count];
    if (page.open) windows.close_page(page.address);
    if (page.step == nullptr) continue;
    std::string seen = windows.end_write(std::unique_ptr<StrictStep>(page.step));
    if (!seen.empty()) report = std::move(seen);
  }
  opened_keys = 0;
  set_rights(context);
  context.uc_mcontext.gregs[REG_EFL] &= ~trap_flag;
  if (!report.empty()) die_of(report);
}

#else

// Without the kind of access, all bytes of a page have the same permissions (see StrictWindows).
bool is_write(const ucontext_t&) { return false; }
const void* instruction(const ucontext_t&) { return nullptr; }
bool let_through(const char*, bool, int, ucontext_t&) { return false; }
void set_rights(ucontext_t&) {}
void on_trap(int signal, siginfo_t* info, void* raw) { hand_on(before_trap, signal, info, raw); }

#endif

void say(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

void on_segv(int signal, siginfo_t* info, void* raw) {
  using Kind = StrictVerdict::Kind;
  auto& context = *static_cast<ucontext_t*>(raw);
  if (info->si_code == SEGV_ACCERR || info->si_code == SEGV_PKUERR) {
    const int error = errno;
    const bool writes = is_write(context);
    const auto* const address = static_cast<const char*>(info->si_addr);
    const auto verdict = StrictWindows::get().judge(address, writes, instruction(context));
    if (verdict.kind == Kind::again) set_rights(context);
    const bool goes_on =
        verdict.kind == Kind::again ||
        (verdict.kind == Kind::step && let_through(address, writes, verdict.key, context));
    if (goes_on) {
      errno = error;
      return;
    }
    if (verdict.kind == Kind::step) {
      say("kolam: an access to strict memory is allowed, but the system does not open its page for "
          "it: the limit of maps (vm.max_map_count) is reached; use fewer arrays at a time\n");
    }
    say(verdict.report);
  }
  hand_on(before_segv, signal, info, raw);
}

void install(int signal, void (*handler)(int, siginfo_t*, void*), struct sigaction& before) {
  struct sigaction action{};
  action.sa_sigaction = handler;
  // Not on a stack for signals (SA_ONSTACK), which may be small: the address sanitizer's has 32 KiB, and names of
  // function templates in a report have needed more.
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, &before);
}

}  // namespace

void watch_faults() {
  static std::once_flag once;
  std::call_once(once, [] {
    CallStack::here();  // loads what unwinding needs, outside of a handler
    install(SIGSEGV, on_segv, before_segv);
    install(SIGTRAP, on_trap, before_trap);
  });
}

void die_of(const std::string& report) {
  say(report);
  static_cast<void>(std::raise(SIGSEGV));  // for other handlers
  struct sigaction action{};
  action.sa_handler = SIG_DFL;
  sigaction(SIGSEGV, &action, nullptr);
  static_cast<void>(std::raise(SIGSEGV));
  std::abort();
}

}  // namespace kolam::detail

#endif
