// SPDX-License-Identifier: Apache-2.0
// RAII over MPI_Init and MPI_Finalize, for programs.
#pragma once

#include <kolam/comm/communicator.hpp>
#include <optional>
#include <string>

namespace kolam::comm {

/// The first thing in main, before the Runtime. Starts MPI if the program was started by mpiexec,
/// srun or the like (their variables in the environment say so), and ends it when it goes; started
/// by itself the program stays alone and MPI asleep. An MPI that runs already is used and left
/// running. One thread at a time calls MPI (MPI_THREAD_SERIALIZED).
///
/// If it goes because of an exception, it ends the other processes as well, since they would wait
/// for this one. mpiexec does the same when a process is killed; srun wants --kill-on-bad-exit.
///
/// \code
///   int main(int argc, char** argv) {
///     const kolam::Processes processes(argc, argv);
///     const kolam::Runtime runtime(argc, argv);
///     return kolam::comm::abort_on_exception(processes.all(), [&] { return solve(processes.all());
///     });
///   }
/// \endcode
///
/// Throws InvalidArgument if the program was started as several processes and kolam was built
/// without MPI: each of them would do the whole work alone. Throws CommunicationError where MPI
/// does not start.
class [[nodiscard]] Processes {
 public:
  /// MPI may take options of its own out of argc and argv.
  Processes(int& argc, char**& argv);
  /// Ends MPI if this started it: see above.
  ~Processes();
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;
  Processes(Processes&&) = delete;
  Processes& operator=(Processes&&) = delete;

  /// All processes of the program.
  const Communicator& all() const { return all_; }

 private:
  bool ours_ = false;  // started here
  int exceptions_;     // under way when it was made
  Communicator all_;
};

/// Name and version of the MPI library, none if kolam was built without: "Open MPI v4.1.4".
std::optional<std::string> mpi_library();

}  // namespace kolam::comm

namespace kolam {
using comm::Processes;
}  // namespace kolam
