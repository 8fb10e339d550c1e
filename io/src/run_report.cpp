// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <kolam/core/version.hpp>
#include <kolam/io/run_report.hpp>
#include <nlohmann/json.hpp>

namespace kolam {
namespace {

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// nlohmann/json writes the shortest text that reads back the same; run_json promises 17 digits.
std::string number(double value) {
  if (!std::isfinite(value)) return "null";
  std::string text = fmt::format("{:#.17g}", value);
  if (text.back() == '.') text += '0';  // JSON wants a digit there
  return text;
}

}  // namespace

std::string run_json(const RunReport& report) {
  std::string text = "{\n";
  const auto member = [&text](std::string_view key, const auto& value) {
    fmt::format_to(std::back_inserter(text), "  \"{}\": {},\n", key, value);
  };
  member("program", quoted(report.program));
  member("version", quoted(build_info().version));
  member("backend", quoted(report.backend));
  member("device", quoted(report.device));
  member("precision", quoted(report.precision));
  member("nx", report.nx);
  member("ny", report.ny);
  if (report.nz > 0) member("nz", report.nz);
  member("processes", report.processes);
  member("decomposition", quoted(report.decomposition));
  member("transport", quoted(report.transport));
  member("steps_per_pass", report.steps_per_pass);
  member("iterations", report.iterations);
  member("first_step", report.first_step);
  member("converged", succeeded(report.status));
  member("status", quoted(std::string(name(report.status))));
  member("seconds", number(report.seconds));
  member("t_eff_gbs", number(report.t_eff_gbs));
  member("t_peak_gbs", report.t_peak_gbs ? number(*report.t_peak_gbs) : "null");

  // Written as text, because a tree of a million records would be many times its size.
  text += "  \"norm_history\": [";
  for (const grid::NormRecord& record : report.norm_history) {
    fmt::format_to(std::back_inserter(text), "{}\n    {{\"iteration\": {}, \"norm\": {}}}",
                   &record == report.norm_history.data() ? "" : ",", record.iteration,
                   number(record.norm));
  }
  text += report.norm_history.empty() ? "],\n" : "\n  ],\n";
  if (report.heat) {
    const HeatReport& heat = *report.heat;
    member("dt", number(heat.dt));
    member("time", number(heat.time));
    member("time_scheme", quoted(heat.time_scheme));
    member("solver", quoted(heat.solver));
    member("solver_iterations", heat.solver_iterations);
    member("set_up_seconds", number(heat.set_up_seconds));
    member("solve_status", quoted(std::string(name(heat.solve_status))));
    member("volume", number(heat.volume));
    member("mass", number(heat.mass));
    member("energy", number(heat.energy));
    member("temperature", number(heat.temperature));
  }
  member("final_l2", number(report.final_l2));
  text += "  \"final_max\": " + number(report.final_max) + "\n}\n";
  return text;
}

}  // namespace kolam
