// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <kolam/comm/communicator.hpp>
#include <kolam/core/error.hpp>
#include <utility>

namespace kolam::comm {
namespace {

class OneProcess final : public detail::ProcessGroup {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  int host_rank() const override { return 0; }
  int host_size() const override { return 1; }
  void barrier() const override {}
  void all_gather(const void* mine, std::size_t bytes, void* all) const override {
    if (bytes > 0) std::memcpy(all, mine, bytes);
  }
  void broadcast(void*, std::size_t, int) const override {}
  [[noreturn]] void abort(int exit_code) const override { std::exit(exit_code); }

  bool has_messages() const override { return false; }
  int largest_tag() const override { return 0; }
  bool claims_device_memory() const override { return false; }
  void send(const void*, std::size_t, int, int, Request&) const override { refuse(); }
  void receive(void*, std::size_t, int, int, Request&) const override { refuse(); }
  void wait(Request&) const override { refuse(); }
  void abandon(Request&) const noexcept override {}

 private:
  [[noreturn]] static void refuse() {
    throw CommunicationError(
        "a message in a program that is one process; start it with mpiexec, with MPI in the build");
  }
};

// Messages are cut into chunks because MPI counts bytes in an int.
constexpr std::size_t chunk = std::size_t{1} << 30;

template <class F>
void for_each_chunk(std::size_t bytes, F f) {
  for (std::size_t at = 0; at < bytes; at += chunk) f(at, std::min(chunk, bytes - at));
}

}  // namespace

Communicator::Communicator() : group_(std::make_shared<OneProcess>()) {}

Communicator::Communicator(std::shared_ptr<const detail::ProcessGroup> group)
    : group_(std::move(group)) {}

void Communicator::sum(std::span<double> values) const {
  std::vector<double> all(values.size() * static_cast<std::size_t>(size()));
  group_->all_gather(values.data(), values.size_bytes(), all.data());
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = all[i];
    for (std::size_t at = i + values.size(); at < all.size(); at += values.size()) {
      values[i] += all[at];
    }
  }
}

std::string Communicator::broadcast(const std::string& text, int root) const {
  std::string result = text;
  result.resize(broadcast(text.size(), root));
  group_->broadcast(result.data(), result.size(), root);
  return result;
}

std::vector<std::vector<std::byte>> Communicator::gather(std::span<const std::byte> bytes) const {
  constexpr int tag = 0;
  const std::vector<std::size_t> sizes = all_gather(bytes.size());
  if (rank() > 0) {
    for_each_chunk(bytes.size(), [&](std::size_t at, std::size_t count) {
      detail::ProcessGroup::Request request;
      group_->send(bytes.data() + at, count, 0, tag, request);
      group_->wait(request);
    });
    return {};
  }
  std::vector<std::vector<std::byte>> all;
  all.reserve(sizes.size());
  all.emplace_back(bytes.begin(), bytes.end());
  for (int from = 1; from < size(); ++from) {
    std::vector<std::byte>& theirs = all.emplace_back(sizes[static_cast<std::size_t>(from)]);
    for_each_chunk(theirs.size(), [&](std::size_t at, std::size_t count) {
      detail::ProcessGroup::Request request;
      group_->receive(theirs.data() + at, count, from, tag, request);
      group_->wait(request);
    });
  }
  return all;
}

void Communicator::abort(int exit_code) const {
  group_->abort(exit_code);
  std::abort();  // (g++ 12 does not see that the line above never returns.)
}

namespace {

enum class Kind { invalid_argument, file_error, other };

std::pair<Kind, std::string> describe(const std::exception_ptr& exception) {
  try {
    std::rethrow_exception(exception);
  } catch (const InvalidArgument& error) {
    return {Kind::invalid_argument, error.what()};
  } catch (const FileError& error) {
    return {Kind::file_error, error.what()};
  } catch (const std::exception& error) {
    return {Kind::other, error.what()};
  } catch (...) {
    return {Kind::other, "an unknown exception"};
  }
}

}  // namespace

void detail::throw_together(const Communicator& communicator, const std::exception_ptr& own) {
  const int failed = communicator.min(own ? communicator.rank() : communicator.size());
  if (failed == communicator.size()) return;
  auto [kind, text] = own ? describe(own) : std::pair(Kind::other, std::string());
  kind = communicator.broadcast(kind, failed);
  text = communicator.broadcast(text, failed);
  if (own) std::rethrow_exception(own);
  if (kind == Kind::invalid_argument) throw InvalidArgument(text);
  if (kind == Kind::file_error) throw FileError(text);
  throw Error(text);
}

void detail::abort_for(const Communicator& communicator, const char* what, int exit_code) {
  std::fflush(stdout);
  std::fprintf(stderr, "process %d of %d: %s\n", communicator.rank(), communicator.size(), what);
  std::fflush(stderr);
  communicator.abort(exit_code);
}

}  // namespace kolam::comm
