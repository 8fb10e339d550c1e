// SPDX-License-Identifier: Apache-2.0
#include <kolam/comm/transport/mpi.hpp>
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>  // Open MPI: whether it takes device memory
#endif

#include <cstdlib>
#include <cstring>
#include <kolam/comm/processes.hpp>
#include <kolam/core/error.hpp>
#include <limits>
#include <string>

#include "start_mpi.hpp"

namespace kolam::comm {
namespace {

void check(int result, const char* what) {
  if (result == MPI_SUCCESS) return;
  std::string text(MPI_MAX_ERROR_STRING, '\0');
  int length = 0;
  MPI_Error_string(result, text.data(), &length);
  text.resize(static_cast<std::size_t>(length));
  throw CommunicationError(std::string("MPI: ") + what + ": " + text +
                           "; a process may be gone, end the others");
}

int count_of(std::size_t bytes) {
  if (bytes <= static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    return static_cast<int>(bytes);
  }
  throw InvalidArgument("MPI: a message of " + format_bytes(bytes) +
                        "; it counts to 2 GiB: cut the grid into more subdomains");
}

bool running() {
  int started = 0;
  int ended = 0;
  MPI_Initialized(&started);
  MPI_Finalized(&ended);
  return started != 0 && ended == 0;
}

class MpiProcesses final : public detail::ProcessGroup {
 public:
  explicit MpiProcesses(MPI_Comm processes) {
    check(MPI_Comm_dup(processes, &comm_), "MPI_Comm_dup");
    check(MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    check(MPI_Comm_rank(comm_, &rank_), "MPI_Comm_rank");
    check(MPI_Comm_size(comm_, &size_), "MPI_Comm_size");
    MPI_Comm host = MPI_COMM_NULL;
    check(MPI_Comm_split_type(comm_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &host),
          "MPI_Comm_split_type");
    check(MPI_Comm_rank(host, &host_rank_), "MPI_Comm_rank");
    check(MPI_Comm_size(host, &host_size_), "MPI_Comm_size");
    check(MPI_Comm_free(&host), "MPI_Comm_free");
  }
  ~MpiProcesses() override {
    if (running()) MPI_Comm_free(&comm_);  // (A Communicator may outlive MPI.)
  }
  MpiProcesses(const MpiProcesses&) = delete;
  MpiProcesses& operator=(const MpiProcesses&) = delete;
  MpiProcesses(MpiProcesses&&) = delete;
  MpiProcesses& operator=(MpiProcesses&&) = delete;

  MPI_Comm duplicate() const { return comm_; }
  int rank() const override { return rank_; }
  int size() const override { return size_; }
  int host_rank() const override { return host_rank_; }
  int host_size() const override { return host_size_; }

  void barrier() const override { check(MPI_Barrier(comm_), "MPI_Barrier"); }
  void all_gather(const void* mine, std::size_t bytes, void* all) const override {
    const int count = count_of(bytes);
    check(MPI_Allgather(mine, count, MPI_BYTE, all, count, MPI_BYTE, comm_), "MPI_Allgather");
  }
  void broadcast(void* data, std::size_t bytes, int root) const override {
    check(MPI_Bcast(data, count_of(bytes), MPI_BYTE, root, comm_), "MPI_Bcast");
  }
  [[noreturn]] void abort(int exit_code) const override {
    MPI_Abort(comm_, exit_code);
    std::abort();
  }

  bool has_messages() const override { return true; }
  int largest_tag() const override {
    const int* largest = nullptr;
    int there = 0;
    check(MPI_Comm_get_attr(comm_, MPI_TAG_UB, static_cast<void*>(&largest), &there),
          "MPI_Comm_get_attr");
    return there != 0 ? *largest : 32767;  // the minimum of the MPI standard
  }
  bool claims_device_memory() const override {
#if defined(MPIX_CUDA_AWARE_SUPPORT)
    return MPIX_Query_cuda_support() == 1;
#else
    return false;
#endif
  }
  void send(const void* data, std::size_t bytes, int to, int tag, Request& request) const override {
    MPI_Request handle = MPI_REQUEST_NULL;
    require_done(request);
    check(MPI_Isend(data, count_of(bytes), MPI_BYTE, to, tag, comm_, &handle), "MPI_Isend");
    store(request, handle);
  }
  void receive(void* data, std::size_t bytes, int from, int tag, Request& request) const override {
    MPI_Request handle = MPI_REQUEST_NULL;
    require_done(request);
    check(MPI_Irecv(data, count_of(bytes), MPI_BYTE, from, tag, comm_, &handle), "MPI_Irecv");
    store(request, handle);
  }
  void wait(Request& request) const override {
    if (!request.pending) return;
    MPI_Request handle = take(request);
    check(MPI_Wait(&handle, MPI_STATUS_IGNORE), "MPI_Wait");
  }
  void abandon(Request& request) const noexcept override {
    if (!request.pending || !running()) return;
    MPI_Request handle = take(request);
    MPI_Cancel(&handle);
    MPI_Request_free(&handle);
  }

 private:
  static void require_done(const Request& request) {
    if (!request.pending) return;
    throw CommunicationError("MPI: a message begins before the last one has been waited for");
  }
  static void store(Request& request, MPI_Request handle) {
    // (Handles are pointers in some libraries and numbers in others.)
    constexpr std::size_t bytes = sizeof(MPI_Request);  // NOLINT(bugprone-sizeof-expression)
    static_assert(bytes <= sizeof(request.handle));
    std::memcpy(request.handle.data(), &handle, bytes);
    request.pending = true;
  }
  static MPI_Request take(Request& request) {
    MPI_Request handle = MPI_REQUEST_NULL;
    std::memcpy(&handle, request.handle.data(),
                sizeof(MPI_Request));  // NOLINT(bugprone-sizeof-expression)
    request.pending = false;
    return handle;
  }

  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 1;
  int host_rank_ = 0;
  int host_size_ = 1;
};

}  // namespace

Communicator communicator(MPI_Comm processes) {
  if (!running()) {
    throw InvalidArgument(
        "communicator: MPI does not run; call MPI_Init before, MPI_Finalize after");
  }
  if (processes == MPI_COMM_NULL) {
    throw InvalidArgument("communicator: MPI_COMM_NULL; give one that this process belongs to");
  }
  return Communicator(std::make_shared<MpiProcesses>(processes));
}

MPI_Comm mpi_communicator(const Communicator& processes) {
  if (const auto* const mpi = dynamic_cast<const MpiProcesses*>(&processes.group()))
    return mpi->duplicate();
  if (processes.size() == 1) return MPI_COMM_SELF;
  throw InvalidArgument(
      "mpi_communicator: these processes are not MPI's but threads of one; start the program under "
      "mpiexec");
}

std::optional<std::string> mpi_library() {
  std::string text(MPI_MAX_LIBRARY_VERSION_STRING, '\0');
  int length = 0;
  MPI_Get_library_version(text.data(), &length);  // allowed before MPI_Init
  text.resize(static_cast<std::size_t>(length));
  return text.substr(0, text.find_first_of(",\n"));
}

void detail::start_mpi(int& argc, char**& argv, bool& ours) {
  if (running()) return;
  int level = MPI_THREAD_SINGLE;
  check(MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level), "MPI_Init_thread");
  ours = true;
}

void detail::end_mpi() { MPI_Finalize(); }

std::shared_ptr<const detail::ProcessGroup> detail::all_processes() {
  return std::make_shared<MpiProcesses>(MPI_COMM_WORLD);
}

}  // namespace kolam::comm
