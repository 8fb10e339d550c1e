// SPDX-License-Identifier: Apache-2.0
// The kolam program: sort the command line, read it, start Kokkos, run one command.
#include <cstddef>
#include <exception>
#include <kolam/core/runtime.hpp>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "failure.hpp"
#include "info_command.hpp"
#include "jacobi_command.hpp"
#include "options.hpp"
#include "standard_streams.hpp"

namespace kolam::app {
namespace {

int execute(const TextRequest& request) {
  print(request.text);
  return done;
}
int execute(const InfoRequest& request) { return run_info(request); }
int execute(const JacobiRequest& request) { return run_jacobi(request); }

int run(int argc, char** argv) {
  const std::span<const char* const> tokens(argv, static_cast<std::size_t>(argc));
  Arguments arguments = sort_arguments(tokens.empty() ? tokens : tokens.subspan(1));
  const bool kokkos_help = arguments.wants_kokkos_help();
  const Request request =
      kokkos_help ? Request(TextRequest{}) : parse_request(arguments);  // before anything starts
  if (!kokkos_help && std::holds_alternative<TextRequest>(request)) {
    return execute(std::get<TextRequest>(request));
  }

  check_kokkos_environment();
  std::string program = "kolam";
  std::vector<char*> kokkos_argv{program.data()};
  for (std::string& argument : arguments.kokkos) kokkos_argv.push_back(argument.data());
  int kokkos_argc = static_cast<int>(kokkos_argv.size());
  kokkos_argv.push_back(nullptr);
  const Runtime runtime(kokkos_argc, kokkos_argv.data());  // with --kokkos-help it prints and exits
  return std::visit([](const auto& command) { return execute(command); }, request);
}

}  // namespace
}  // namespace kolam::app

int main(int argc, char** argv) {
  kolam::app::guard_standard_streams();
  try {
    return kolam::app::run(argc, argv);
  } catch (...) {
    const auto [code, text] = kolam::app::describe(std::current_exception());
    kolam::app::complain(text);
    return code;
  }
}
