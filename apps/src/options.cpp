// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <kolam/core/error.hpp>
#include <kolam/core/version.hpp>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "elasticity_options.hpp"
#include "grid_options.hpp"
#include "help.hpp"
#include "mesh_options.hpp"
#include "option_table.hpp"
#include "poisson_options.hpp"
#include "values.hpp"

namespace kolam::app {
namespace {

// Shows `-nx, --nx` although CLI11 itself has only `--nx`.
class Formatter : public CLI::Formatter {
 public:
  std::string make_option_name(const CLI::Option* option, bool is_positional) const override {
    const std::string name = CLI::Formatter::make_option_name(option, is_positional);
    const std::string_view alias = alias_of(name);
    return alias.empty() ? name : fmt::format("{}, {}", alias, name);
  }
};

constexpr std::string_view commands_of_program =
    "info, jacobi, diffusion, heat, poisson, elasticity or mesh";

struct InfoTexts {
  std::string json;
  bool bandwidth = false;
};

void add_info(CLI::App& app, InfoTexts& texts) {
  CLI::App& info = *app.add_subcommand("info", "Versions, compiler, backends and their devices");
  info.add_flag("--bandwidth", texts.bandwidth, "Measure the memory bandwidth of each backend");
  add(info, "--json", texts.json, "FILE",
      "Write the output as JSON to FILE, or (-) to stdout and nothing else");
  info.footer(info_footer());
}

// Returns a token of Arguments::program in the user's spelling.
std::string as_typed(const Arguments& arguments, const std::string& token) {
  const std::size_t equals = token.find('=');
  const std::string spelled = arguments.spelled(token.substr(0, equals));
  if (equals == std::string::npos || token.starts_with(spelled + "=")) return token;
  return fmt::format("{} {}", spelled, token.substr(equals + 1));
}

[[noreturn]] void refuse(const Arguments& arguments, const std::string& token,
                         const std::string& command) {
  throw InvalidArgument(fmt::format(
      "{} '{}'; see {} --help", token.starts_with("-") ? "unknown option" : "unexpected argument",
      as_typed(arguments, token), command));
}

}  // namespace

Request parse_request(const Arguments& arguments, const Communicator& communicator) {
  CLI::App app{"kolam: stencils and finite elements at the speed of the memory, on Kokkos",
               "kolam"};
  app.formatter(std::make_shared<Formatter>());
  app.get_formatter()->column_width(28);
  app.set_version_flag("--version", "kolam " + build_info().version, "Print the version and exit");
  app.set_help_flag("-h,--help", "Print this text and exit");
  app.allow_extras()->require_subcommand(0, 1)->footer(program_footer());
  InfoTexts info;
  add_info(app, info);
  GridTexts grid;
  add_grid_commands(app, grid);
  PoissonTexts poisson;
  add_poisson(app, poisson);
  ElasticityTexts elasticity;
  add_elasticity(app, elasticity);
  MeshTexts mesh;
  add_mesh(app, mesh);
  for (CLI::App* command : app.get_subcommands({})) command->allow_extras();

  std::vector<std::string> reversed(arguments.program.rbegin(), arguments.program.rend());
  try {
    app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    return TextRequest{app.help()};
  } catch (const CLI::CallForVersion& e) {
    return TextRequest{std::string(e.what()) + "\n"};
  } catch (const CLI::ParseError& e) {
    throw InvalidArgument(std::string(e.what()) + "; see kolam --help");
  }
  const std::vector<CLI::App*> commands = app.get_subcommands();
  if (const std::vector<std::string> extras = app.remaining(); !extras.empty()) {
    const std::string& first = extras.front();
    if (!commands.empty() || first.starts_with("-")) refuse(arguments, first, "kolam");
    throw InvalidArgument(fmt::format("unknown command '{}'; choose {}, see kolam --help", first,
                                      commands_of_program));
  }
  if (commands.empty()) {
    throw InvalidArgument(
        fmt::format("no command given; choose {}, see kolam --help", commands_of_program));
  }
  const CLI::App& command = *commands.front();
  if (const std::vector<std::string> extras = command.remaining(); !extras.empty()) {
    refuse(arguments, extras.front(), "kolam " + command.get_name());
  }
  // Writes to stdout as for "-", be it a pipe or a file: renaming onto its name would replace it.
  for (std::string* const json :
       {&info.json, &grid.json, &poisson.json, &elasticity.json, &mesh.json})
    if (*json == "/dev/stdout") *json = "-";
  for (const Problem problem : {Problem::jacobi, Problem::diffusion, Problem::heat}) {
    if (command.get_name() == command_of(problem))
      return grid_request(problem, communicator, arguments, grid);
  }
  if (command.get_name() == "poisson") return poisson_request(communicator, arguments, poisson);
  if (command.get_name() == "elasticity")
    return elasticity_request(communicator, arguments, elasticity);
  if (command.get_name() == "mesh") return mesh_request(mesh);
  if (!info.json.empty()) check_output("--json", info.json);
  return InfoRequest{info.bandwidth, info.json};
}

}  // namespace kolam::app
