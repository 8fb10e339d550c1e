// SPDX-License-Identifier: Apache-2.0
#include "elasticity_command.hpp"

#include <fmt/format.h>

#include <kolam/core/device.hpp>
#include <kolam/core/version.hpp>
#include <nlohmann/json.hpp>
#include <variant>

#include "mesh_parts.hpp"
#include "solver_report.hpp"
#include "values.hpp"

namespace kolam::app {
namespace {

struct ElasticityReport {
  const ElasticityRequest& request;
  const fem::ElasticitySolution& solution;
  int dimensions;
  std::string partition;  // how the mesh is cut; empty for one part

  const char* precision() const {
    return request.precision == Precision::single_precision ? "float" : "double";
  }

  std::string json() const {
    const fem::ElasticityOptions& options = request.options;
    const auto triple = [this](const std::array<double, 3>& values) {
      auto list = nlohmann::ordered_json::array();
      for (int k = 0; k < dimensions; ++k)
        list.push_back(json_number(values[static_cast<std::size_t>(k)]));
      return list;
    };
    nlohmann::ordered_json json;
    json["program"] = "kolam elasticity";
    json["version"] = build_info().version;
    json["backend"] = name(request.backend);
    json["device"] = device_of(request.backend).name;
    json["precision"] = precision();
    json["mesh"] = request.mesh.file;
    json["refine"] = request.mesh.refine;
    json["dim"] = dimensions;
    json["order"] = options.order;
    json["geometry"] = name(solution.geometry);
    json["precond"] = name(options.preconditioner);
    json["coarse_solver"] = name(options.coarse_solver);
    json["deterministic"] = options.deterministic;
    json["parts"] = options.communicator.size();
    json["partition"] = name(request.mesh.partitioner);
    json["rtol"] = options.solve.rtol;
    json["max_iter"] = options.solve.max_iterations;
    json["dofs"] = solution.dofs;
    json["elements"] = solution.elements;
    add_solver(json, solution.result);
    json["setup_seconds"] = solution.setup_seconds;
    json["seconds"] = solution.seconds;
    json["gdofs_per_second"] = solution.gdofs_per_second();
    json["energy"] = json_number(solution.energy);
    json["largest_displacement"] = json_number(solution.largest_displacement);
    json["lowest"] = triple(solution.lowest);
    json["highest"] = triple(solution.highest);
    return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  }

  std::string text() const {
    std::string text;
    add_row(text, "problem",
            fmt::format("elasticity, order {}, {} elements of {}, {} unknowns, {}",
                        request.options.order, solution.elements, request.mesh.file, solution.dofs,
                        precision()));
    add_row(text, "backend",
            fmt::format("{}: {}", name(request.backend), device_of(request.backend).name));
    if (!partition.empty()) add_row(text, "parts", partition);
    add_row(text, "solver",
            fmt::format("conjugate gradients, preconditioner {}",
                        name(request.options.preconditioner)));
    text += residual_table(solution.result);
    add_row(text, "result", outcome(solution.result));
    add_row(text, "time",
            fmt::format("{:#.4g} s, set-up {:#.4g} s", solution.seconds, solution.setup_seconds));
    add_row(
        text, "rate",
        fmt::format("{:#.4g} Gdofs/s (unknowns x iterations / time)", solution.gdofs_per_second()));
    add_row(text, "energy", fmt::format("{:.12g}, the work of the loads", solution.energy));
    std::string moved = fmt::format("{:.10g} at most", solution.largest_displacement);
    for (int k = 0; k < dimensions; ++k) {
      const auto c = static_cast<std::size_t>(k);
      moved +=
          fmt::format(", {} {:.4g} to {:.4g}", "xyz"[k], solution.lowest[c], solution.highest[c]);
    }
    add_row(text, "moved", moved);
    if (!request.output.empty()) add_row(text, "output", request.output);
    return text;
  }
};

template <int Dim>
void require_forces_in_the_plane(const fem::ElasticityOptions& options) {
  if (Dim == 3) return;
  bool leaves = options.body_force[2] != 0;
  for (const fem::Traction& traction : options.tractions) leaves = leaves || traction.force[2] != 0;
  if (leaves) throw InvalidArgument("a force along z in a mesh of two dimensions; leave it out");
}

template <class Exec, int Dim>
int run(const Exec& exec, const fem::Mesh<Dim>& whole, const ElasticityRequest& request) {
  const fem::ElasticityOptions& options = request.options;
  const auto on_mesh = [&](const auto& f) { return naming("--mesh", request.mesh.file, f); };
  on_mesh([&] { require_forces_in_the_plane<Dim>(options); });
  const PartOfMesh<Dim> part(whole, request.mesh, options.communicator);
  const auto solve = [&]<class T>(T) {
    return on_mesh([&] { return fem::solve_elasticity<T>(exec, part.own(), options); });
  };
  const fem::ElasticitySolution solution =
      request.precision == Precision::single_precision ? solve(float{}) : solve(double{});
  const auto write =
      part.writer(request.output, options.order, "displacement", solution.values, Dim);
  const ElasticityReport report{request, solution, Dim, part.partition()};
  return finish(
      request, solution.result, write, [&] { return report.json(); },
      [&] { return report.text(); });
}

}  // namespace

int execute(const ElasticityRequest& request, const Communicator&) {
  return with_backend(request.backend, [&]<class Exec>(const Exec& exec) {
    return std::visit(
        [&](const auto& mesh) {
          return on_parts_of_mesh(exec, mesh, request,
                                  [](const auto&... of_part) { return run(of_part...); });
        },
        read(request.mesh, request.options.communicator));
  });
}

}  // namespace kolam::app
