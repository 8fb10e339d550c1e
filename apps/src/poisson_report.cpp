// SPDX-License-Identifier: Apache-2.0
#include "poisson_report.hpp"

#include <fmt/format.h>

#include <kolam/core/version.hpp>
#include <nlohmann/json.hpp>

#include "solver_report.hpp"

namespace kolam::app {
namespace {

std::string_view precision_name(const PoissonRequest& request) {
  return request.precision == Precision::single_precision ? "float" : "double";
}

std::string elements_of(const PoissonReport& report) {
  if (report.request.mesh)
    return fmt::format("{} elements of {}", report.solution.elements, report.request.mesh->file);
  const fem::PoissonOptions& options = report.request.options;
  std::string text = fmt::format("{} x {}", options.elements[0], options.elements[1]);
  if (options.dimensions == 3) text += fmt::format(" x {}", options.elements[2]);
  return text + " elements";
}

}  // namespace

std::string poisson_json(const PoissonReport& report) {
  const fem::PoissonOptions& options = report.request.options;
  const fem::PoissonSolution& s = report.solution;
  nlohmann::ordered_json json;
  json["program"] = "kolam poisson";
  json["version"] = build_info().version;
  json["backend"] = name(report.request.backend);
  json["device"] = report.device;
  json["precision"] = precision_name(report.request);
  json["operator"] = name(options.problem);
  json["dim"] = options.dimensions;
  json["order"] = options.order;
  if (report.request.mesh) {
    json["mesh"] = report.request.mesh->file;
    json["refine"] = report.request.mesh->refine;
  } else {
    json["mesh"] = nullptr;
    json["nx"] = options.elements[0];
    json["ny"] = options.elements[1];
    if (options.dimensions == 3) json["nz"] = options.elements[2];
  }
  json["map"] = name(options.map);
  json["geometry"] = name(s.geometry);
  json["rhs"] = name(options.source);
  json["precond"] = name(options.preconditioner);
  json["coarse_solver"] = name(options.coarse_solver);
  json["deterministic"] = options.deterministic;
  json["parts"] = options.communicator.size();
  json["decomposition"] =
      report.request.mesh ? std::string(name(report.request.mesh->partitioner)) : s.decomposition;
  json["rtol"] = options.solve.rtol;
  json["max_iter"] = options.solve.max_iterations;
  json["dofs"] = s.dofs;
  json["elements"] = s.elements;
  add_solver(json, s.result);
  json["setup_seconds"] = s.setup_seconds;
  json["seconds"] = s.seconds;
  json["gdofs_per_second"] = s.gdofs_per_second();
  json["l2_error"] = json_number(s.l2_error);
  json["h1_error"] = json_number(s.h1_error);
  json["solution_l2"] = json_number(s.solution_l2);
  json["rhs_dot_solution"] = json_number(s.rhs_dot_solution);
  json["compliance"] = json_number(s.compliance);
  json["integral"] = json_number(s.integral);
  json["centre"] = json_number(s.centre);
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string poisson_summary(const PoissonReport& report) {
  const fem::PoissonOptions& options = report.request.options;
  const fem::PoissonSolution& s = report.solution;
  std::string text;
  const auto row = [&text](const char* label, const std::string& value) {
    add_row(text, label, value);
  };
  row("problem",
      fmt::format("{}, order {}, {}, {} unknowns, {}", name(options.problem), options.order,
                  elements_of(report), s.dofs, precision_name(report.request)));
  const int parts = report.request.mesh ? 1 : options.communicator.size();
  row("backend",
      fmt::format("{}: {}{}", name(report.request.backend), report.device,
                  parts > 1 ? fmt::format(", {} parts ({})", parts, s.decomposition) : ""));
  if (!report.partition.empty()) row("parts", report.partition);
  row("solver",
      fmt::format("conjugate gradients, preconditioner {}", name(options.preconditioner)));
  text += residual_table(s.result);
  row("result", outcome(s.result));
  row("time", fmt::format("{:#.4g} s, set-up {:#.4g} s", s.seconds, s.setup_seconds));
  row("rate", fmt::format("{:#.4g} Gdofs/s (unknowns x iterations / time)", s.gdofs_per_second()));
  if (s.l2_error) {
    row("error", fmt::format("{:.4g} in L2, {:.4g} in the H1 seminorm", *s.l2_error,
                             s.h1_error.value_or(0)));
  }
  row("solution",
      s.centre ? fmt::format("{:.10g} in the middle, integral {:.10g}", *s.centre, s.integral)
               : fmt::format("integral {:.10g}", s.integral));
  if (!report.request.image.empty()) row("picture", report.request.image);
  if (!report.request.output.empty()) row("output", report.request.output);
  return text;
}

}  // namespace kolam::app
