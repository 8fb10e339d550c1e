// SPDX-License-Identifier: Apache-2.0
// RAII over MPI_Init and MPI_Finalize, for programs.
#pragma once

#include <kolam/comm/communicator.hpp>
#include <optional>
#include <string>

namespace kolam::comm {

/// An RAII owner of MPI, made first in main, before the Runtime. Starts MPI if the environment
/// shows that mpiexec, srun or the like started the program, and its destructor ends MPI. Without a
/// launcher the program is one process and MPI is not started. If MPI already runs, it is used and
/// left running. One thread at a time calls MPI (MPI_THREAD_SERIALIZED).
///
/// If destroyed by an exception, it ends the other processes as well, because they would wait for
/// this one. mpiexec does the same when a process is killed; srun needs --kill-on-bad-exit.
///
/// \code
///   int main(int argc, char** argv) {
///     const kolam::Processes processes(argc, argv);
///     const kolam::Runtime runtime(argc, argv);
///     return kolam::comm::abort_on_exception(
///         processes.all(), [&] { return solve(processes.all()); });
///   }
/// \endcode
///
/// Throws InvalidArgument if the program was started as several processes and kolam was built
/// without MPI, because each process would do the whole work. Throws CommunicationError if MPI does
/// not start.
class [[nodiscard]] Processes {
 public:
  /// Starts MPI as above. MPI may remove its own options from argc and argv.
  Processes(int& argc, char**& argv);
  /// Ends MPI if this object started it; see above.
  ~Processes();
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;
  Processes(Processes&&) = delete;
  Processes& operator=(Processes&&) = delete;

  /// Returns the group of all processes of the program.
  const Communicator& all() const { return all_; }

 private:
  bool ours_ = false;  // started here
  int exceptions_;     // uncaught at construction
  Communicator all_;
};

/// Returns the name and version of the MPI library ("Open MPI v4.1.4"), or nothing if kolam was
/// built without MPI.
std::optional<std::string> mpi_library();

}  // namespace kolam::comm

namespace kolam {
using comm::Processes;
}  // namespace kolam
