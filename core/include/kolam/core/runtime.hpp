// SPDX-License-Identifier: Apache-2.0
// RAII over Kokkos::initialize and Kokkos::finalize.
#pragma once

namespace kolam {

/// An RAII owner of Kokkos: the first Runtime initialises it, and the last one finalises it.
///
/// A Runtime removes `--kokkos-*` options from argc/argv and reads KOKKOS_* environment variables,
/// as Kokkos documents them. If Kokkos is already initialised, by another Runtime or by other code,
/// a Runtime uses it as it is and ignores such options; Kokkos that other code initialised is not
/// finalised. If the user has set no OpenMP binding and there are as many OpenMP threads as
/// processors of the process, each thread is bound to one processor for the Runtime's lifetime.
/// Nothing is printed on stdout.
///
/// Throws NotRunning if Kokkos was already finalised, and DeviceUnavailable if the build has a
/// device backend but the machine has no device that can run it.
class [[nodiscard]] Runtime {
 public:
  ///@{
  /// Starts Kokkos. Without argc and argv, only environment variables configure it.
  Runtime();
  Runtime(int& argc, char** argv);
  ///@}
  /// Finalises Kokkos if this is the last Runtime and a Runtime initialised it. Views must be
  /// destroyed before; an Array releases its memory and loses its values.
  ~Runtime();
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;
  Runtime(Runtime&&) = delete;
  Runtime& operator=(Runtime&&) = delete;

  /// Returns whether Kokkos is initialised and not finalised.
  static bool running() noexcept;
};

/// Throws NotRunning, with `what` as the subject of its message, unless Kokkos is running.
void require_running(const char* what);

}  // namespace kolam
