// SPDX-License-Identifier: Apache-2.0
// RAII over Kokkos::initialize and Kokkos::finalize.
#pragma once

namespace kolam {

/// Starts Kokkos, and ends it when the last Runtime of the process that started it goes.
///
/// `--kokkos-*` options are taken out of argc/argv, and KOKKOS_* variables are read, as Kokkos
/// documents them. A Runtime inside another, or inside a Kokkos that somebody else initialised,
/// uses what is there, ignores such options and ends nothing. Where the user has set no OpenMP
/// binding at all and OpenMP's threads are as many as the process's processors, each thread is
/// bound to one of them for the Runtime's life. Nothing is printed on stdout.
///
/// Throws NotRunning if Kokkos was already finalised, and DeviceUnavailable if the build has a
/// device backend and the machine no device that can run it.
class [[nodiscard]] Runtime {
 public:
  ///@{
  /// Without argc and argv there are no options, variables alone.
  Runtime();
  Runtime(int& argc, char** argv);
  ///@}
  /// The last one ends Kokkos, if a Runtime started it. Views must be gone; an Array gives its
  /// memory back, with what was in it.
  ~Runtime();
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;
  Runtime(Runtime&&) = delete;
  Runtime& operator=(Runtime&&) = delete;

  /// Whether Kokkos is initialised and not finalised.
  static bool running() noexcept;
};

/// Throws NotRunning, with `what` as the subject of its sentence, unless Kokkos is running.
void require_running(const char* what);

}  // namespace kolam
