// SPDX-License-Identifier: Apache-2.0
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdlib>
#include <kolam/core/detail/host_cache.hpp>
#include <kolam/core/detail/thread_binding.hpp>
#include <kolam/core/device.hpp>
#include <kolam/core/error.hpp>
#include <kolam/core/runtime.hpp>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace kolam {
namespace {

std::mutex guard;
int runtimes = 0;
bool owner = false;  // the first Runtime initialised Kokkos
std::optional<detail::ThreadBinding> binding;

// Kokkos prints a warning if OMP_PROC_BIND is unset, but kolam binds the threads itself.
class QuietAboutBinding {
 public:
  QuietAboutBinding() : ours_(std::getenv("OMP_PROC_BIND") == nullptr) {
    if (ours_) setenv("OMP_PROC_BIND", "false", 0);
  }
  ~QuietAboutBinding() {
    if (ours_) unsetenv("OMP_PROC_BIND");
  }
  QuietAboutBinding(const QuietAboutBinding&) = delete;
  QuietAboutBinding& operator=(const QuietAboutBinding&) = delete;
  QuietAboutBinding(QuietAboutBinding&&) = delete;
  QuietAboutBinding& operator=(QuietAboutBinding&&) = delete;

 private:
  bool ours_;
};

// Does what Kokkos::initialize does when it runs.
void drop_kokkos_options(int& argc, char** argv) {
  char** const end = std::remove_if(argv + 1, argv + argc, [](const char* argument) {
    return std::string_view(argument).starts_with("--kokkos-");
  });
  if (end == argv + argc) return;
  argc = static_cast<int>(end - argv);
  *end = nullptr;
}

template <class Initialize>
void start(Initialize initialize) {
  const std::scoped_lock lock(guard);
  if (Kokkos::is_finalized()) {
    throw NotRunning(
        "kolam::Runtime: Kokkos was already finalised, and cannot start twice in one process; keep "
        "one "
        "Runtime alive in main");
  }
  if (!Kokkos::is_initialized()) {
    detail::require_usable_devices();
    {
      const QuietAboutBinding quiet;  // destroyed before ThreadBinding reads the user's variables
      initialize();
    }
    owner = true;
    detail::host_cache_bytes();  // before binding: for all processors, not just one
    binding.emplace();
  }
  ++runtimes;
}

}  // namespace

Runtime::Runtime() {
  start([] { Kokkos::initialize(); });
}

Runtime::Runtime(int& argc, char** argv) {
  start([&] { Kokkos::initialize(argc, argv); });
  if (argc > 1) drop_kokkos_options(argc, argv);
}

Runtime::~Runtime() {
  const std::scoped_lock lock(guard);
  if (--runtimes > 0 || !owner) return;
  owner = false;
  binding.reset();
  if (running()) Kokkos::finalize();
}

bool Runtime::running() noexcept { return Kokkos::is_initialized() && !Kokkos::is_finalized(); }

void require_running(const char* what) {
  if (Runtime::running()) return;
  throw NotRunning(std::string(what) +
                   (Kokkos::is_finalized()
                        ? " is used after Kokkos was finalised; keep the Runtime alive longer"
                        : " is used before Kokkos runs; create a kolam::Runtime in main first"));
}

}  // namespace kolam
