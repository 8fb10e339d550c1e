// SPDX-License-Identifier: Apache-2.0
#include "fibers.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <kolam/core/detail/sanitizers.hpp>
#include <new>
#include <utility>

// The sanitizers must be told about other stacks.
#if KOLAM_ADDRESS_SANITIZED
#include <sanitizer/common_interface_defs.h>
#endif
#if KOLAM_THREAD_SANITIZED
#include <sanitizer/tsan_interface.h>
#endif

namespace kolam::detail {
namespace {

// A stack whose memory is committed on first touch, with an inaccessible guard page below it.
class Stack {
 public:
  static constexpr std::size_t size = std::size_t{1} << 20;

  Stack() : guard_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
    void* const memory = mmap(nullptr, guard_ + size, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    begin_ = static_cast<char*>(memory);
    mprotect(begin_, guard_, PROT_NONE);
  }
  ~Stack() {
    if (begin_ != nullptr) munmap(begin_, guard_ + size);
  }
  Stack(Stack&& other) noexcept
      : guard_(other.guard_), begin_(std::exchange(other.begin_, nullptr)) {}
  Stack& operator=(Stack&&) = delete;

  char* bottom() const { return begin_ + guard_; }

 private:
  std::size_t guard_;
  char* begin_;
};

// Returns the stacks of ended fibers, for reuse by later ones.
std::vector<Stack>& spare_stacks() {
  thread_local std::vector<Stack> stacks;
  return stacks;
}

Stack take_stack() {
  std::vector<Stack>& spare = spare_stacks();
  if (spare.empty()) return {};
  Stack stack = std::move(spare.back());
  spare.pop_back();
  return stack;
}

}  // namespace

struct Fibers::Fiber {
  ucontext_t context{};
  std::unique_ptr<Stack> stack;  // null for the caller
  // For the address sanitizer: the stack, and the state that it saves for a suspended fiber.
  const void* bottom = nullptr;
  std::size_t size = 0;
  void* kept = nullptr;
  void* thread = nullptr;  // the thread sanitizer's handle
};

Fibers::Fibers(int count, std::function<int(int)> body)
    : body_(std::move(body)), caller_(std::make_unique<Fiber>()) {
  const auto self = reinterpret_cast<std::uintptr_t>(this);
  for (int i = 0; i < count; ++i) {
    Fiber& fiber = *fibers_.emplace_back(std::make_unique<Fiber>());
    fiber.stack = std::make_unique<Stack>(take_stack());
    fiber.bottom = fiber.stack->bottom();
    fiber.size = Stack::size;
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack->bottom();
    fiber.context.uc_stack.ss_size = Stack::size;
    fiber.context.uc_link = nullptr;
    // (makecontext passes only ints.)
    makecontext(&fiber.context, reinterpret_cast<void (*)()>(&Fibers::enter), 2,
                static_cast<unsigned>(self >> 32), static_cast<unsigned>(self & 0xffffffffU));
#if KOLAM_THREAD_SANITIZED
    fiber.thread = __tsan_create_fiber(0);
#endif
  }
}

Fibers::~Fibers() {
  for (const auto& fiber : fibers_) {
#if KOLAM_THREAD_SANITIZED
    __tsan_destroy_fiber(fiber->thread);
#endif
    if (fiber->stack) spare_stacks().push_back(std::move(*fiber->stack));
  }
}

void Fibers::run(int first) {
#if KOLAM_THREAD_SANITIZED
  caller_->thread = __tsan_get_current_fiber();
#endif
  now_ = first;
  switch_between(*caller_, at(first), false);
}

void Fibers::switch_to(int next) {
  if (next == now_) return;
  Fiber& from = at(now_);
  now_ = next;
  switch_between(from, at(next), false);
}

void Fibers::switch_between(Fiber& from, Fiber& to, [[maybe_unused]] bool last) {
#if KOLAM_ADDRESS_SANITIZED
  __sanitizer_start_switch_fiber(last ? nullptr : &from.kept, to.bottom, to.size);
#endif
#if KOLAM_THREAD_SANITIZED
  __tsan_switch_to_fiber(to.thread, 0);
#endif
  swapcontext(&from.context, &to.context);
  arrived(from);
}

void Fibers::arrived([[maybe_unused]] Fiber& here) {
#if KOLAM_ADDRESS_SANITIZED
  const void* bottom = nullptr;
  std::size_t size = 0;
  __sanitizer_finish_switch_fiber(here.kept, &bottom, &size);
  if (caller_->bottom == nullptr) {  // the first fiber, which the caller switched to
    caller_->bottom = bottom;
    caller_->size = size;
  }
#endif
}

void Fibers::enter(unsigned high, unsigned low) {
  auto* const self = reinterpret_cast<Fibers*>((static_cast<std::uintptr_t>(high) << 32) | low);
  const int mine = self->now_;
  self->arrived(self->at(mine));
  const int next = self->body_(mine);
  self->now_ = next;
  self->switch_between(self->at(mine), next < 0 ? *self->caller_ : self->at(next), true);
}

}  // namespace kolam::detail
