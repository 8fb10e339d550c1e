// SPDX-License-Identifier: Apache-2.0
#include "grid_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iterator>
#include <kolam/comm/decomposition.hpp>
#include <kolam/core/error.hpp>
#include <kolam/io/heat_deck.hpp>
#include <kolam/kernels/stencil/stencil.hpp>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "help.hpp"
#include "option_table.hpp"
#include "values.hpp"

namespace kolam::app {
namespace {

// Adds the options of every command on a grid; `points` describes nx and ny, with {} for the axis.
void add_grid(CLI::App& command, GridTexts& texts, const grid::GridOptions& defaults,
              const char* points) {
  const auto standard = [](const std::string& text, auto value) {
    return fmt::format("{} [{}]", text, value);
  };
  add(command, "--nx", texts.nx, "N",
      standard(fmt::format(fmt::runtime(points), 'x'), defaults.nx));
  add(command, "--ny", texts.ny, "N",
      standard(fmt::format(fmt::runtime(points), 'y'), defaults.ny));
  add(command, "--niter", texts.niter, "N", standard("Maximum number of steps", defaults.niter));
  add(command, "--tol", texts.tol, "X", "Stop when the norm of a step is at most X [all steps]");
  add(command, "--nccheck", texts.nccheck, "N",
      standard("Compute the norm every N steps", defaults.nccheck));
  add(command, "--check-every", texts.check_every, "N",
      "Also look for NaN and Inf every N steps [with the norms]");
  add(command, "--decomposition", texts.decomposition, "HOW",
      "How the grid is cut, see below [auto]");
  add(command, "--transport", texts.transport, "NAME",
      "How halos are sent: auto, peer, staged or mpi [auto]");
  add(command, "--gpu-aware-mpi", texts.gpu_aware, "WHEN",
      "Messages from and to device memory: on, off or auto [auto]");
  add_backend(command, texts.backend);
  add(command, "--json", texts.json, "FILE",
      "Write the result as JSON to FILE, or (-) to stdout and nothing else");
  command.add_flag("--csv", texts.csv, "Print one line of comma-separated values, see below");
  add(command, "--image", texts.image, "FILE.png", "Write a picture of the field");
  add(command, "--output", texts.output, "FILE.vtkhdf", "Write the field for ParaView");
  add(command, "--checkpoint", texts.checkpoint, "FILE",
      "Save the run in FILE at the end, and when SIGTERM or SIGINT asks to stop");
  add(command, "--checkpoint-every", texts.checkpoint_every, "N|TIME",
      "Also save it every N steps, or every 30s, 10m or 2h");
  add(command, "--restart", texts.restart, "FILE",
      "Continue from a checkpoint; -niter includes the steps before it");
  command.add_flag("--quiet", texts.quiet, "Print nothing on success except for --json - and -csv");
  add(command, "--progress", texts.progress, "WHEN",
      "Progress line on stderr: on, off, or auto: on a terminal [auto]");
  add(command, "--t-peak", texts.t_peak, "GB/S",
      "Use this T_peak, e.g. from kolam info --bandwidth [measured]");
  command.add_flag("--trace", texts.trace,
                   "At the end, list the copies between host and device on stderr");
}

// Adds the options of commands that sweep over the grid.
void add_sweeps(CLI::App& command, GridTexts& texts) {
  add_grid(command, texts, {}, "Grid points along {}, at least 3");
  add(command, "--subdomains", texts.subdomains, "N",
      "Subdomains in each process [one for each of its devices]");
  add(command, "--steps-per-pass", texts.steps_per_pass, "N",
      fmt::format("Steps fused into one sweep, 1 to {} (3D: {}), or auto: the fastest [1]",
                  most_steps_per_pass(2), most_steps_per_pass(3)));
  add(command, "--precision", texts.precision, "NAME", "float or double [float]");
}

void add_jacobi(CLI::App& app, GridTexts& texts) {
  CLI::App& jacobi = *app.add_subcommand("jacobi", "Solve a Laplace problem by Jacobi iteration");
  add_sweeps(jacobi, texts);
  jacobi.footer(jacobi_footer());
}

void add_diffusion(CLI::App& app, GridTexts& texts) {
  CLI::App& diffusion =
      *app.add_subcommand("diffusion", "Diffuse heat through a box of varying heat capacity");
  add(diffusion, "--nz", texts.nz, "N", "Grid points along z, at least 3 [two dimensions]");
  add_sweeps(diffusion, texts);
  diffusion.footer(diffusion_footer());
}

void add_heat(CLI::App& app, GridTexts& texts) {
  const grid::HeatOptions defaults;
  CLI::App& heat = *app.add_subcommand("heat", "Conduct heat through materials, by implicit steps");
  add(heat, "--deck", texts.deck, "FILE", "Read the problem from a TeaLeaf deck (tea.in)");
  add(heat, "--nz", texts.nz, "N", "Cells along z [two dimensions]");
  add_grid(heat, texts, defaults, "Cells along {}");
  add(heat, "--dt", texts.dt, "X", fmt::format("Time step [{}]", defaults.dt));
  add(heat, "--time-scheme", texts.time_scheme, "NAME",
      "backward-euler or crank-nicolson [backward-euler]");
  add(heat, "--solver", texts.solver, "NAME", "cg, chebyshev, ppcg or mg, see below [mg]");
  add(heat, "--rtol", texts.rtol, "X",
      fmt::format("Solve a step to a residual of X times the first [{}]", defaults.tolerance.rtol));
  add(heat, "--max-iter", texts.max_iter, "N",
      fmt::format("Most iterations in a step [{}]", defaults.tolerance.max_iterations));
  add(heat, "--inner-steps", texts.inner_steps, "N",
      fmt::format("Degree of the polynomial of ppcg [{}]", defaults.inner_steps));
  heat.footer(heat_footer());
}

// Fills one field of `options` from the user's text, if there is one, and checks it separately, so
// that an error can name the option.
template <class Options, class Field, class Owner, class Parse>
void set(Options& options, Field Owner::* field, const Arguments& arguments,
         std::string_view option, const std::string& text, const Parse& parse) {
  if (text.empty()) return;
  const std::string spelled = arguments.spelled(option);
  Options alone;
  alone.*field = parse(spelled, text);
  naming(spelled, text, [&] { validate(alone); });
  options.*field = alone.*field;
}

template <int N>
void check_cut(Problem problem, const grid::DiffusionOptions& options, const GridTexts& texts) {
  const std::string& how = options.decomposition;
  const int processes = options.communicator.size();
  // kolam heat: one subdomain in each process, and no boundary points.
  const bool one_each = problem == Problem::heat;
  const bool by_numbers = how.find('x') != std::string::npos;
  std::optional<int> count = options.subdomains > 0 ? options.subdomains * processes : 1;
  if (one_each) count = processes;
  if (!one_each && by_numbers && options.subdomains == 0) count.reset();
  const auto check = [&] {
    const index_t beside = one_each ? 0 : 2;
    Extents<N> interior{options.nx - beside, options.ny - beside};
    if constexpr (N == 3) interior[2] = options.nz - beside;
    static_cast<void>(comm::parse_decomposition<N>(how, interior, count));
  };
  if (!texts.decomposition.empty()) {
    naming("--decomposition", how, check);
  } else if (options.subdomains > 0) {
    naming("--subdomains", texts.subdomains, check);
  }
}

// Sets the decomposition of the grid and the transport of halos.
void set_subdomains(Problem problem, grid::DiffusionOptions& options, const Arguments& arguments,
                    const GridTexts& texts) {
  set(options, &grid::GridOptions::subdomains, arguments, "--subdomains", texts.subdomains,
      parse_count);
  if (texts.steps_per_pass == "auto") {
    options.steps_per_pass = 0;
  } else if (!texts.steps_per_pass.empty()) {
    options.steps_per_pass = parse_count("--steps-per-pass", texts.steps_per_pass);
    naming("--steps-per-pass", texts.steps_per_pass, [&] { validate(options); });
  }
  if (!texts.decomposition.empty()) options.decomposition = texts.decomposition;
  options.nz == 0 ? check_cut<2>(problem, options, texts) : check_cut<3>(problem, options, texts);
  if (!texts.transport.empty()) {
    options.transport = naming("--transport", texts.transport,
                               [&] { return comm::parse_transport(texts.transport); });
  }
  if (!texts.gpu_aware.empty()) {
    options.gpu_aware = naming("--gpu-aware-mpi", texts.gpu_aware,
                               [&] { return comm::parse_gpu_aware_mpi(texts.gpu_aware); });
  }
}

// Options is the problem's type, whose validate() checks the least values.
template <class Options>
void set_run(Options& options, const Arguments& arguments, const GridTexts& texts) {
  set(options, &grid::GridOptions::nx, arguments, "--nx", texts.nx, parse_integer);
  set(options, &grid::GridOptions::ny, arguments, "--ny", texts.ny, parse_integer);
  set(options, &grid::DiffusionOptions::nz, arguments, "--nz", texts.nz, parse_size);
  set(options, &grid::GridOptions::niter, arguments, "--niter", texts.niter, parse_integer);
  set(options, &grid::GridOptions::tol, arguments, "--tol", texts.tol, parse_real);
  set(options, &grid::GridOptions::nccheck, arguments, "--nccheck", texts.nccheck, parse_integer);
  if (!texts.check_every.empty())
    options.check_every = parse_count("--check-every", texts.check_every);
}

void set_heat(GridRequest& request, const Arguments& arguments, const GridTexts& texts) {
  grid::HeatOptions& options = request.options;
  if (!texts.deck.empty()) {
    HeatDeck deck = naming("--deck", texts.deck, [&] { return read_heat_deck(texts.deck); });
    options = std::move(deck.options);
    request.deck = texts.deck;
    if (!deck.unused.empty())
      request.deck += fmt::format("; without a meaning here: {}", fmt::join(deck.unused, ", "));
  }
  set_run(options, arguments, texts);
  set(options, &grid::HeatOptions::dt, arguments, "--dt", texts.dt, parse_positive);
  if (!texts.time_scheme.empty()) {
    options.scheme = naming("--time-scheme", texts.time_scheme,
                            [&] { return grid::parse_time_scheme(texts.time_scheme); });
  }
  if (!texts.solver.empty()) {
    options.solver =
        naming("--solver", texts.solver, [&] { return grid::parse_heat_solver(texts.solver); });
  }
  if (!texts.rtol.empty()) {
    options.tolerance.rtol = parse_positive("--rtol", texts.rtol);
    options.tolerance.atol = 0;
  }
  if (!texts.max_iter.empty())
    options.tolerance.max_iterations = parse_count("--max-iter", texts.max_iter);
  if (!texts.inner_steps.empty()) {
    options.inner_steps = parse_count("--inner-steps", texts.inner_steps);
    if (options.solver != grid::HeatSolver::ppcg) {
      throw InvalidArgument(
          fmt::format("--inner-steps {}: they are steps of --solver ppcg, and the solver is {}",
                      texts.inner_steps, name(options.solver)));
    }
  }
}

// Returns the parameters that a run must share with its checkpoint.
std::map<std::string, CheckpointValue> parameters_of(const grid::HeatOptions& options) {
  std::string regions;
  for (const grid::HeatRegion& r : options.regions) {
    fmt::format_to(std::back_inserter(regions), "{} {} {} {} {} {};", static_cast<int>(r.shape),
                   fmt::join(r.from, ","), fmt::join(r.to, ","), r.radius, r.density, r.energy);
  }
  return {{"dt", options.dt},
          {"time_scheme", std::string(name(options.scheme))},
          {"conductivity",
           std::string(options.conductivity == grid::Conductivity::density ? "density"
                                                                           : "1 / density")},
          {"box", fmt::format("{} {}", fmt::join(options.from, ","), fmt::join(options.to, ","))},
          {"regions", regions}};
}

// Returns the checkpoints to write and to continue from.
CheckpointPlan plan_of(Problem problem, const GridTexts& texts) {
  CheckpointPlan plan{.program = std::string(command_of(problem)),
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

}  // namespace

void add_grid_commands(CLI::App& app, GridTexts& texts) {
  add_jacobi(app, texts);
  add_diffusion(app, texts);
  add_heat(app, texts);
}

GridRequest grid_request(Problem problem, const Communicator& communicator,
                         const Arguments& arguments, const GridTexts& texts) {
  GridRequest request;
  request.problem = problem;
  grid::HeatOptions& options = request.options;
  grid::DiffusionOptions& explicit_options = options;  // for the other two problems
  const bool heat = problem == Problem::heat;
  const std::string precision = heat ? "double" : texts.precision;
  if (heat) {
    set_heat(request, arguments, texts);
  } else {
    explicit_options = {};
    set_run(explicit_options, arguments, texts);
  }
  options.communicator = communicator;
  set_subdomains(problem, options, arguments, texts);
  request.precision = choose<Precision>(
      "--precision", precision,
      {{"float", Precision::single_precision}, {"double", Precision::double_precision}});
  request.progress = choose<ProgressMode>(
      "--progress", texts.progress,
      {{"auto", ProgressMode::automatic}, {"on", ProgressMode::on}, {"off", ProgressMode::off}});
  request.backend = backend_of_text(texts.backend);
  request.grid = fmt::format("{} {} {} {}", arguments.spelled("--nx"), options.nx,
                             arguments.spelled("--ny"), options.ny);
  if (options.nz != 0) request.grid += fmt::format(" {} {}", arguments.spelled("--nz"), options.nz);
  request.grid += fmt::format(" ({})", precision);
  if (heat) {
    validate(options);
  } else {
    validate(explicit_options);
  }

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
  if (!request.output.empty()) check_fields("--output", request.output);
  request.plan = plan_of(problem, texts);
  if (heat) request.plan.parameters = parameters_of(options);
  check_all_distinct({{"--json", request.json},
                      {"--image", request.image},
                      {"--output", request.output},
                      {"--checkpoint", texts.checkpoint}});
  return request;
}

}  // namespace kolam::app
