// SPDX-License-Identifier: Apache-2.0
// The kolam program: sort the command line, read it, start Kokkos, run one command.
#include <chrono>
#include <cstddef>
#include <exception>
#include <kolam/comm/processes.hpp>
#include <kolam/core/runtime.hpp>
#include <span>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "elasticity_command.hpp"
#include "failure.hpp"
#include "grid_command.hpp"
#include "info_command.hpp"
#include "mesh_command.hpp"
#include "options.hpp"
#include "poisson_command.hpp"
#include "standard_streams.hpp"

namespace kolam::app {
namespace {

int execute(const TextRequest& request, const Communicator& communicator) {
  if (communicator.rank() == 0) print(request.text);
  return done;
}

int run(int argc, char** argv, const Communicator& communicator) {
  const std::span<const char* const> tokens(argv, static_cast<std::size_t>(argc));
  Arguments arguments = sort_arguments(tokens.empty() ? tokens : tokens.subspan(1));
  const bool kokkos_help = arguments.wants_kokkos_help();
  const Request request = kokkos_help
                              ? Request(TextRequest{})
                              : parse_request(arguments, communicator);  // before Kokkos starts
  if (!kokkos_help && std::holds_alternative<TextRequest>(request))
    return execute(std::get<TextRequest>(request), communicator);

  check_kokkos_environment();
  std::string program = "kolam";
  std::vector<char*> kokkos_argv{program.data()};
  for (std::string& argument : arguments.kokkos) kokkos_argv.push_back(argument.data());
  int kokkos_argc = static_cast<int>(kokkos_argv.size());
  kokkos_argv.push_back(nullptr);
  const Runtime runtime(kokkos_argc, kokkos_argv.data());  // with --kokkos-help it prints and exits
  return std::visit([&](const auto& command) { return execute(command, communicator); }, request);
}

}  // namespace
}  // namespace kolam::app

int main(int argc, char** argv) {
  using namespace kolam::app;
  guard_standard_streams();
  try {
    const kolam::Processes processes(argc, argv);
    const kolam::Communicator& all = processes.all();
    try {
      return run(argc, argv, all);
    } catch (...) {
      const auto [code, text] = describe(std::current_exception());
      // Reports an error common to all ranks once: rank 0 ends the others before they print.
      if (all.rank() != 0) std::this_thread::sleep_for(std::chrono::seconds(1));
      complain(text);
      if (all.size() > 1) all.abort(code);  // the others may wait for this one
      return code;
    }
  } catch (...) {
    const auto [code, text] = describe(std::current_exception());
    complain(text);
    return code;
  }
}
