// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <kolam/comm/decomposition.hpp>
#include <kolam/core/error.hpp>
#include <kolam/core/version.hpp>
#include <kolam/grid/jacobi.hpp>
#include <kolam/kernels/stencil/stencil.hpp>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "elasticity_options.hpp"
#include "help.hpp"
#include "mesh_options.hpp"
#include "option_table.hpp"
#include "poisson_options.hpp"
#include "values.hpp"

namespace kolam::app {
namespace {

// Options as CLI11 stores them; numbers are read by parse_integer and parse_real, because CLI11
// would take 0100 for 64 and words its errors differently in each version.
struct Texts {
  std::string nx, ny, niter, tol, nccheck, backend, precision = "float", progress = "auto";
  std::string nz, subdomains, decomposition, steps_per_pass, transport, gpu_aware;
  std::string json, image, t_peak;
  std::string checkpoint, checkpoint_every, restart, output, check_every;
  bool csv = false;
  bool quiet = false;
  bool trace = false;
  bool bandwidth = false;
};

// Shows `-nx, --nx` where CLI11 itself knows only `--nx`.
class Formatter : public CLI::Formatter {
 public:
  std::string make_option_name(const CLI::Option* option, bool is_positional) const override {
    const std::string name = CLI::Formatter::make_option_name(option, is_positional);
    const std::string_view alias = alias_of(name);
    return alias.empty() ? name : fmt::format("{}, {}", alias, name);
  }
};

constexpr std::string_view commands_of_program =
    "info, jacobi, diffusion, poisson, elasticity or mesh";

void add_info(CLI::App& app, Texts& texts) {
  CLI::App& info = *app.add_subcommand("info", "Versions, compiler, backends and their devices");
  info.add_flag("--bandwidth", texts.bandwidth, "Measure the memory bandwidth of each backend");
  add(info, "--json", texts.json, "FILE", "Write it as JSON to FILE, or alone to stdout (-)");
  info.footer(info_footer());
}

// The options of every command that solves on a grid.
void add_grid(CLI::App& command, Texts& texts) {
  const grid::GridOptions defaults;
  const auto standard = [](const char* text, auto value) {
    return fmt::format("{} [{}]", text, value);
  };
  add(command, "--nx", texts.nx, "N", standard("Grid points along x, at least 3", defaults.nx));
  add(command, "--ny", texts.ny, "N", standard("Grid points along y, at least 3", defaults.ny));
  add(command, "--niter", texts.niter, "N", standard("Steps at most", defaults.niter));
  add(command, "--tol", texts.tol, "X", "Stop when the norm of a step is at most X [all steps]");
  add(command, "--nccheck", texts.nccheck, "N",
      standard("Compute the norm every N steps", defaults.nccheck));
  add(command, "--check-every", texts.check_every, "N",
      "Look for NaN and Inf every N steps too [where norms are taken]");
  add(command, "--subdomains", texts.subdomains, "N",
      "Subdomains in each process [one for each of its devices]");
  add(command, "--decomposition", texts.decomposition, "HOW",
      "How the grid is cut, see below [auto]");
  add(command, "--transport", texts.transport, "NAME",
      "How halos travel: auto, peer, staged or mpi [auto]");
  add(command, "--gpu-aware-mpi", texts.gpu_aware, "WHEN",
      "Messages from and to device memory: on, off or auto [auto]");
  add(command, "--steps-per-pass", texts.steps_per_pass, "N",
      fmt::format("Steps fused into one sweep, 1 to {} (3D: {}), or auto: the fastest [1]",
                  most_steps_per_pass(2), most_steps_per_pass(3)));
  add_backend(command, texts.backend);
  add(command, "--precision", texts.precision, "NAME", "float or double [float]");
  add(command, "--json", texts.json, "FILE",
      "Write the result as JSON to FILE, or alone to stdout (-)");
  command.add_flag("--csv", texts.csv, "Print one line of comma-separated values, see below");
  add(command, "--image", texts.image, "FILE.png", "Write a picture of the field");
  add(command, "--output", texts.output, "FILE.vtkhdf", "Write the field for ParaView");
  add(command, "--checkpoint", texts.checkpoint, "FILE",
      "Save the run in FILE at the end, and when SIGTERM or SIGINT asks to stop");
  add(command, "--checkpoint-every", texts.checkpoint_every, "N|TIME",
      "Save it every N steps too, or every 30s, 10m or 2h");
  add(command, "--restart", texts.restart, "FILE",
      "Go on from a checkpoint; -niter counts the steps before it");
  command.add_flag("--quiet", texts.quiet,
                   "Print nothing on success but what --json - or -csv ask");
  add(command, "--progress", texts.progress, "WHEN",
      "Progress line on stderr: on, off, or auto: on a terminal [auto]");
  add(command, "--t-peak", texts.t_peak, "GB/S",
      "Use this T_peak, e.g. from kolam info --bandwidth [measured]");
  command.add_flag("--trace", texts.trace,
                   "Print on stderr at the end what was copied between host and device");
}

void add_jacobi(CLI::App& app, Texts& texts) {
  CLI::App& jacobi = *app.add_subcommand("jacobi", "Solve a Laplace problem by Jacobi iteration");
  add_grid(jacobi, texts);
  jacobi.footer(jacobi_footer());
}

void add_diffusion(CLI::App& app, Texts& texts) {
  CLI::App& diffusion =
      *app.add_subcommand("diffusion", "Diffuse heat through a box of varying heat capacity");
  add(diffusion, "--nz", texts.nz, "N", "Grid points along z, at least 3 [two dimensions]");
  add_grid(diffusion, texts);
  diffusion.footer(diffusion_footer());
}

// A token of Arguments::program in the user's own spelling.
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

// Fills one field of `options` from what the user typed, if anything, and checks it by itself, so
// that an error can name the option.
template <class Field, class Owner, class Parse>
void set(grid::DiffusionOptions& options, Field Owner::* field, const Arguments& arguments,
         std::string_view option, const std::string& text, const Parse& parse) {
  if (text.empty()) return;
  const std::string spelled = arguments.spelled(option);
  grid::DiffusionOptions alone;
  alone.*field = parse(spelled, text);
  naming(spelled, text, [&] { validate(alone); });
  options.*field = alone.*field;
}

template <int N>
void check_cut(const grid::DiffusionOptions& options, const Texts& texts) {
  const std::string& how = options.decomposition;
  const bool by_numbers = how.find('x') != std::string::npos;
  const int processes = options.communicator.size();
  const int count = options.subdomains > 0 ? options.subdomains * processes : 1;
  const auto check = [&] {
    Extents<N> interior{options.nx - 2, options.ny - 2};
    if constexpr (N == 3) interior[2] = options.nz - 2;
    static_cast<void>(comm::parse_decomposition<N>(
        how, interior,
        by_numbers && options.subdomains == 0 ? std::nullopt : std::optional(count)));
  };
  if (!texts.decomposition.empty()) {
    naming("--decomposition", how, check);
  } else if (options.subdomains > 0) {
    naming("--subdomains", texts.subdomains, check);
  }
}

// How the grid is cut, and how halos travel.
void set_subdomains(grid::DiffusionOptions& options, const Arguments& arguments,
                    const Texts& texts) {
  set(options, &grid::GridOptions::subdomains, arguments, "--subdomains", texts.subdomains,
      parse_count);
  if (texts.steps_per_pass == "auto") {
    options.steps_per_pass = 0;
  } else if (!texts.steps_per_pass.empty()) {
    options.steps_per_pass = parse_count("--steps-per-pass", texts.steps_per_pass);
    naming("--steps-per-pass", texts.steps_per_pass, [&] { validate(options); });
  }
  if (!texts.decomposition.empty()) options.decomposition = texts.decomposition;
  options.nz == 0 ? check_cut<2>(options, texts) : check_cut<3>(options, texts);
  if (!texts.transport.empty()) {
    options.transport = naming("--transport", texts.transport,
                               [&] { return comm::parse_transport(texts.transport); });
  }
  if (!texts.gpu_aware.empty()) {
    options.gpu_aware = naming("--gpu-aware-mpi", texts.gpu_aware,
                               [&] { return comm::parse_gpu_aware_mpi(texts.gpu_aware); });
  }
}

// What is saved, and what is gone on from.
CheckpointPlan plan_of(Problem problem, const Texts& texts) {
  CheckpointPlan plan{.program = problem == Problem::jacobi ? "jacobi" : "diffusion",
                      .restart = texts.restart,
                      .file = texts.checkpoint};
  require_hdf5("--checkpoint", texts.checkpoint);
  require_hdf5("--restart", texts.restart);
  require_hdf5("--output", texts.output);
  if (!texts.checkpoint_every.empty()) {
    if (plan.file.empty()) {
      throw InvalidArgument(fmt::format(
          "--checkpoint-every {}: there is no --checkpoint FILE to write", texts.checkpoint_every));
    }
    if (const auto seconds = parse_duration("--checkpoint-every", texts.checkpoint_every))
      plan.every_seconds = *seconds;
    else
      plan.every_steps = parse_count("--checkpoint-every", texts.checkpoint_every);
  }
  if (!texts.checkpoint.empty()) check_output("--checkpoint", texts.checkpoint);
  return plan;
}

GridRequest grid_request(Problem problem, const Communicator& communicator,
                         const Arguments& arguments, const Texts& texts) {
  GridRequest request;
  request.problem = problem;
  grid::DiffusionOptions& options = request.options;
  options.communicator = communicator;
  set(options, &grid::GridOptions::nx, arguments, "--nx", texts.nx, parse_integer);
  set(options, &grid::GridOptions::ny, arguments, "--ny", texts.ny, parse_integer);
  set(options, &grid::DiffusionOptions::nz, arguments, "--nz", texts.nz, parse_size);
  set(options, &grid::GridOptions::niter, arguments, "--niter", texts.niter, parse_integer);
  set(options, &grid::GridOptions::tol, arguments, "--tol", texts.tol, parse_real);
  set(options, &grid::GridOptions::nccheck, arguments, "--nccheck", texts.nccheck, parse_integer);
  if (!texts.check_every.empty())
    options.check_every = parse_count("--check-every", texts.check_every);
  set_subdomains(options, arguments, texts);
  request.precision = choose<Precision>(
      "--precision", texts.precision,
      {{"float", Precision::single_precision}, {"double", Precision::double_precision}});
  request.progress = choose<ProgressMode>(
      "--progress", texts.progress,
      {{"auto", ProgressMode::automatic}, {"on", ProgressMode::on}, {"off", ProgressMode::off}});
  request.backend = backend_of_text(texts.backend);
  request.grid = fmt::format("{} {} {} {}", arguments.spelled("--nx"), options.nx,
                             arguments.spelled("--ny"), options.ny);
  if (options.nz != 0) request.grid += fmt::format(" {} {}", arguments.spelled("--nz"), options.nz);
  request.grid += fmt::format(" ({})", texts.precision);
  validate(options);

  if (!texts.t_peak.empty()) request.t_peak_gbs = parse_positive("--t-peak", texts.t_peak);
  request.json = texts.json;
  request.image = texts.image;
  request.csv = texts.csv;
  request.quiet = texts.quiet;
  request.trace = texts.trace;
  if (request.csv && request.json == "-") {
    throw InvalidArgument(fmt::format("--json - and {} both want stdout; give --json a file",
                                      arguments.spelled("--csv")));
  }
  if (!request.json.empty()) check_output("--json", request.json);
  if (!request.image.empty()) check_picture("--image", request.image);
  request.output = texts.output;
  if (!request.output.empty()) check_output("--output", request.output);
  request.plan = plan_of(problem, texts);
  check_all_distinct({{"--json", request.json},
                      {"--image", request.image},
                      {"--output", request.output},
                      {"--checkpoint", texts.checkpoint}});
  return request;
}

}  // namespace

Request parse_request(const Arguments& arguments, const Communicator& communicator) {
  CLI::App app{"kolam: stencils and finite elements at the speed of the memory, on Kokkos",
               "kolam"};
  Texts texts;
  app.formatter(std::make_shared<Formatter>());
  app.get_formatter()->column_width(28);
  app.set_version_flag("--version", "kolam " + build_info().version, "Print the version and end");
  app.set_help_flag("-h,--help", "Print this text and end");
  app.allow_extras()->require_subcommand(0, 1)->footer(program_footer());
  add_info(app, texts);
  add_jacobi(app, texts);
  add_diffusion(app, texts);
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
  // A pipe or a file, stdout is to be written like "-": renaming onto its name would cut it off.
  for (std::string* const json : {&texts.json, &poisson.json, &elasticity.json, &mesh.json})
    if (*json == "/dev/stdout") *json = "-";
  if (command.get_name() == "jacobi")
    return grid_request(Problem::jacobi, communicator, arguments, texts);
  if (command.get_name() == "diffusion")
    return grid_request(Problem::diffusion, communicator, arguments, texts);
  if (command.get_name() == "poisson") return poisson_request(communicator, arguments, poisson);
  if (command.get_name() == "elasticity")
    return elasticity_request(communicator, arguments, elasticity);
  if (command.get_name() == "mesh") return mesh_request(mesh);
  if (!texts.json.empty()) check_output("--json", texts.json);
  return InfoRequest{texts.bandwidth, texts.json};
}

}  // namespace kolam::app
