// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <kolam/core/version.hpp>
#include <kolam/io/run_report.hpp>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

namespace kolam {
namespace {

RunReport example() {
  return {.program = "kolam diffusion",
          .backend = "openmp",
          .device = "A \"quoted\" \\ device\n\xff",
          .precision = "double",
          .nx = 5,
          .ny = 3000000000,
          .nz = 0,
          .processes = 2,
          .decomposition = "1x4",
          .transport = "one device",
          .steps_per_pass = 8,
          .status = grid::StencilStatus::completed,
          .iterations = 3,
          .first_step = 2,
          .seconds = 0.1,
          .t_eff_gbs = 1e16,
          .t_peak_gbs = 100.25,
          .norm_history = {{0, 31.999022}, {1, 1.0 / 3}, {2, 5e-324}},
          .final_l2 = 1e300,
          .final_max = 0};
}

TEST(RunJson, HasTheFieldsInOrder) {
  const auto json = nlohmann::ordered_json::parse(run_json(example()));

  std::vector<std::string> keys;
  for (const auto& [key, value] : json.items()) keys.push_back(key);
  EXPECT_EQ(
      keys,
      (std::vector<std::string>{
          "program",      "version",   "backend",       "device",    "precision",      "nx",
          "ny",           "processes", "decomposition", "transport", "steps_per_pass", "iterations",
          "first_step",   "converged", "status",        "seconds",   "t_eff_gbs",      "t_peak_gbs",
          "norm_history", "final_l2",  "final_max"}));
  EXPECT_EQ(json["program"], "kolam diffusion");
  EXPECT_EQ(json["processes"], 2);
  EXPECT_EQ(json["transport"], "one device");
  EXPECT_EQ(json["version"], build_info().version);
  EXPECT_EQ(json["ny"], 3000000000);
  EXPECT_EQ(json["decomposition"], "1x4");
  EXPECT_EQ(json["steps_per_pass"], 8);
  EXPECT_EQ(json["first_step"], 2);
  EXPECT_EQ(json["converged"], true);
  EXPECT_EQ(json["status"], "completed");
  EXPECT_EQ(json["norm_history"].size(), 3);
  EXPECT_EQ(json["norm_history"][1]["iteration"], 1);
}

TEST(RunJson, NumbersReadBackAsTheSameDouble) {
  const auto json = nlohmann::json::parse(run_json(example()));

  EXPECT_EQ(json["seconds"].get<double>(), 0.1);
  EXPECT_EQ(json["t_eff_gbs"].get<double>(), 1e16);
  EXPECT_EQ(json["norm_history"][0]["norm"].get<double>(), 31.999022);
  EXPECT_EQ(json["norm_history"][1]["norm"].get<double>(), 1.0 / 3);
  EXPECT_EQ(json["norm_history"][2]["norm"].get<double>(), 5e-324);
  EXPECT_EQ(json["final_l2"].get<double>(), 1e300);
  EXPECT_EQ(json["final_max"].get<double>(), 0.0);
}

TEST(RunJson, NormsHaveSeventeenDigits) {
  const std::string text = run_json(example());

  EXPECT_NE(text.find("\"norm\": 31.999022000000000"), std::string::npos) << text;
  EXPECT_NE(text.find("\"norm\": 0.33333333333333331"), std::string::npos) << text;
}

TEST(RunJson, WhatIsNoNumberIsNull) {
  RunReport report = example();
  report.status = grid::StencilStatus::not_finite;
  report.norm_history = {{0, std::numeric_limits<double>::quiet_NaN()}};
  report.final_l2 = std::numeric_limits<double>::infinity();
  report.t_peak_gbs.reset();

  const auto json = nlohmann::json::parse(run_json(report));

  EXPECT_EQ(json["status"], "not_finite");
  EXPECT_EQ(json["converged"], false);
  EXPECT_TRUE(json["norm_history"][0]["norm"].is_null());
  EXPECT_TRUE(json["final_l2"].is_null());
  EXPECT_TRUE(json["t_peak_gbs"].is_null());
}

TEST(RunJson, AnEmptyHistoryIsAnEmptyArray) {
  RunReport report = example();
  report.norm_history.clear();
  EXPECT_EQ(nlohmann::json::parse(run_json(report))["norm_history"], nlohmann::json::array());
}

TEST(RunReport, IsMadeFromResultAndDevice) {
  grid::GridOptions options;
  options.nx = 7;
  options.ny = 9;
  grid::GridSolution<float> result;
  result.status = grid::StencilStatus::converged;
  result.iterations = 4;
  result.norm_history = {{0, 2.0}};
  const Device place{Backend::serial, "a processor", 1, 0, 0, 0};

  const RunReport report = make_report("kolam jacobi", options, 5, result, place);

  EXPECT_EQ(report.backend, "serial");
  EXPECT_EQ(report.device, "a processor");
  EXPECT_EQ(report.precision, "float");
  EXPECT_EQ(report.nx, 7);
  EXPECT_EQ(report.ny, 9);
  EXPECT_EQ(report.nz, 5);
  EXPECT_EQ(report.program, "kolam jacobi");
  EXPECT_EQ(report.processes, 1);
  EXPECT_EQ(report.iterations, 4);
  EXPECT_EQ(report.norm_history.size(), 1);
  EXPECT_FALSE(report.t_peak_gbs.has_value());
}

TEST(RunReport, KnowsWhatIsASuccess) {
  EXPECT_TRUE(succeeded(grid::StencilStatus::completed));
  EXPECT_TRUE(succeeded(grid::StencilStatus::converged));
  EXPECT_FALSE(succeeded(grid::StencilStatus::iteration_limit));
  EXPECT_FALSE(succeeded(grid::StencilStatus::not_finite));
}

}  // namespace
}  // namespace kolam
