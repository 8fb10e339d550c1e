// SPDX-License-Identifier: Apache-2.0
#include <Kokkos_Macros.hpp>
#include <algorithm>
#include <array>
#include <cstdlib>
#include <kolam/core/detail/thread_binding.hpp>

#if defined(KOKKOS_ENABLE_OPENMP) && defined(__linux__)
#include <omp.h>
#include <sched.h>
#define KOLAM_CAN_BIND_THREADS
#endif

namespace kolam::detail {

bool binding_chosen() {
  // The last three mean that several processes share this machine: their launcher places them.
  constexpr std::array variables{"OMP_PROC_BIND",       "OMP_PLACES",           "GOMP_CPU_AFFINITY",
                                 "KMP_AFFINITY",        "OMPI_COMM_WORLD_SIZE", "PMI_SIZE",
                                 "SLURM_STEP_NUM_TASKS"};
  return std::any_of(variables.begin(), variables.end(),
                     [](const char* variable) { return std::getenv(variable) != nullptr; });
}

#ifdef KOLAM_CAN_BIND_THREADS
namespace {

cpu_set_t allowed;  // previous affinity of the calling thread

}  // namespace

ThreadBinding::ThreadBinding() {
  if (binding_chosen() || sched_getaffinity(0, sizeof(allowed), &allowed) != 0) return;
  const int threads = omp_get_max_threads();
  if (threads < 2 || threads != CPU_COUNT(&allowed)) return;
  bound_ = true;
#pragma omp parallel num_threads(threads)
  {
    int processor = -1;
    for (int left = omp_get_thread_num(); left >= 0; --left) {
      do {
        ++processor;
      } while (!CPU_ISSET(processor, &allowed));
    }
    cpu_set_t own;
    CPU_ZERO(&own);
    CPU_SET(processor, &own);
    sched_setaffinity(0, sizeof(own), &own);
  }
}

ThreadBinding::~ThreadBinding() {
  if (bound_) sched_setaffinity(0, sizeof(allowed), &allowed);
}
#else
ThreadBinding::ThreadBinding() = default;
ThreadBinding::~ThreadBinding() = default;
#endif

}  // namespace kolam::detail
