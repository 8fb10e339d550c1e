// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <initializer_list>
#include <kolam/core/error.hpp>
#include <kolam/core/version.hpp>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "help.hpp"
#include "values.hpp"

namespace kolam::app {
namespace {

// Options as CLI11 stores them; numbers are read by parse_integer and parse_real, because CLI11
// would take 0100 for 64 and words its errors differently in each version.
struct Texts {
  std::string nx, ny, niter, tol, nccheck, backend, precision = "float", progress = "auto";
  std::string json, image, t_peak;
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

void add(CLI::App& command, const char* name, std::string& target, const char* value,
         const std::string& description) {
  command.add_option(name, target, description)->option_text(value);
}

void add_info(CLI::App& app, Texts& texts) {
  CLI::App& info = *app.add_subcommand("info", "Versions, compiler, backends and their devices");
  info.add_flag("--bandwidth", texts.bandwidth, "Measure the memory bandwidth of each backend");
  add(info, "--json", texts.json, "FILE", "Write it as JSON to FILE, or alone to stdout (-)");
  info.footer(info_footer());
}

void add_jacobi(CLI::App& app, Texts& texts) {
  CLI::App& jacobi = *app.add_subcommand("jacobi", "Solve a Laplace problem by Jacobi iteration");
  const JacobiOptions defaults;
  const auto standard = [](const char* text, auto value) {
    return fmt::format("{} [{}]", text, value);
  };
  add(jacobi, "--nx", texts.nx, "N", standard("Grid points along x, at least 3", defaults.nx));
  add(jacobi, "--ny", texts.ny, "N", standard("Grid points along y, at least 3", defaults.ny));
  add(jacobi, "--niter", texts.niter, "N", standard("Steps at most", defaults.niter));
  add(jacobi, "--tol", texts.tol, "X", "Stop when the norm of a step is at most X [all steps]");
  add(jacobi, "--nccheck", texts.nccheck, "N",
      standard("Compute the norm every N steps", defaults.nccheck));
  std::string present;
  for (const Backend b : backends()) present.append(present.empty() ? "" : ", ").append(name(b));
  add(jacobi, "--backend", texts.backend, "NAME",
      fmt::format("One of {} [{}]", present, name(default_backend())));
  add(jacobi, "--precision", texts.precision, "NAME", "float or double [float]");
  add(jacobi, "--json", texts.json, "FILE",
      "Write the result as JSON to FILE, or alone to stdout (-)");
  jacobi.add_flag("--csv", texts.csv, "Print one line of comma-separated values, see below");
  add(jacobi, "--image", texts.image, "FILE.png", "Write a picture of the field");
  jacobi.add_flag("--quiet", texts.quiet, "Print nothing on success but what --json - or -csv ask");
  add(jacobi, "--progress", texts.progress, "WHEN",
      "Progress line on stderr: on, off, or auto: on a terminal [auto]");
  add(jacobi, "--t-peak", texts.t_peak, "GB/S",
      "Use this T_peak, e.g. from kolam info --bandwidth [measured]");
  jacobi.add_flag("--trace", texts.trace,
                  "Print on stderr at the end what arrays copied and allocated");
  jacobi.footer(jacobi_footer());
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

template <class Value>
Value choose(const std::string& option, const std::string& text,
             std::initializer_list<std::pair<std::string_view, Value>> choices) {
  std::string known;
  for (const auto& [word, value] : choices) {
    if (word == text) return value;
    known.append(known.empty() ? "" : ", ").append(word);
  }
  throw InvalidArgument(fmt::format("{} {}: unknown; choose one of {}", option, text, known));
}

// Fills one field of `options` from what the user typed, if anything, and checks it by itself, so
// that an error can name the option.
template <class Field, class Value>
void set(JacobiOptions& options, Field JacobiOptions::*field, const Arguments& arguments,
         std::string_view option, const std::string& text,
         Value (*parse)(const std::string&, const std::string&)) {
  if (text.empty()) return;
  const std::string spelled = arguments.spelled(option);
  JacobiOptions alone;
  alone.*field = parse(spelled, text);
  naming(spelled, text, [&] { validate(alone); });
  options.*field = alone.*field;
}

JacobiRequest jacobi_request(const Arguments& arguments, const Texts& texts) {
  JacobiRequest request;
  JacobiOptions& options = request.options;
  set(options, &JacobiOptions::nx, arguments, "--nx", texts.nx, parse_integer);
  set(options, &JacobiOptions::ny, arguments, "--ny", texts.ny, parse_integer);
  set(options, &JacobiOptions::niter, arguments, "--niter", texts.niter, parse_integer);
  set(options, &JacobiOptions::tol, arguments, "--tol", texts.tol, parse_real);
  set(options, &JacobiOptions::nccheck, arguments, "--nccheck", texts.nccheck, parse_integer);
  request.precision = choose<Precision>(
      "--precision", texts.precision, {{"float", Precision::single}, {"double", Precision::full}});
  request.progress = choose<ProgressMode>(
      "--progress", texts.progress,
      {{"auto", ProgressMode::automatic}, {"on", ProgressMode::on}, {"off", ProgressMode::off}});
  request.backend = texts.backend.empty() ? default_backend()
                                          : naming("--backend", texts.backend,
                                                   [&] { return parse_backend(texts.backend); });
  request.grid = fmt::format("{} {} {} {} ({})", arguments.spelled("--nx"), options.nx,
                             arguments.spelled("--ny"), options.ny, texts.precision);
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
  if (!request.json.empty() && !request.image.empty()) {
    check_distinct("--image", request.image, "--json", request.json);
  }
  return request;
}

}  // namespace

Request parse_request(const Arguments& arguments) {
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
    throw InvalidArgument(
        fmt::format("unknown command '{}'; choose info or jacobi, see kolam --help", first));
  }
  if (commands.empty()) {
    throw InvalidArgument("no command given; choose info or jacobi, see kolam --help");
  }
  const CLI::App& command = *commands.front();
  if (const std::vector<std::string> extras = command.remaining(); !extras.empty()) {
    refuse(arguments, extras.front(), "kolam " + command.get_name());
  }
  // A pipe or a file, stdout is to be written like "-": renaming onto its name would cut it off.
  if (texts.json == "/dev/stdout") texts.json = "-";
  if (command.get_name() == "jacobi") return jacobi_request(arguments, texts);
  if (!texts.json.empty()) check_output("--json", texts.json);
  return InfoRequest{texts.bandwidth, texts.json};
}

}  // namespace kolam::app
