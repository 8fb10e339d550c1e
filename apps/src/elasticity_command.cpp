// SPDX-License-Identifier: Apache-2.0
#include "elasticity_command.hpp"

#include <fmt/format.h>

#include <kolam/core/device.hpp>
#include <kolam/core/version.hpp>
#include <kolam/io/file.hpp>
#include <kolam/io/vtkhdf_mesh.hpp>
#include <nlohmann/json.hpp>
#include <variant>

#include "failure.hpp"
#include "first_error.hpp"
#include "mesh_parts.hpp"
#include "solver_report.hpp"
#include "standard_streams.hpp"
#include "values.hpp"

namespace kolam::app {
namespace {

struct ElasticityReport {
  const ElasticityRequest& request;
  const fem::ElasticitySolution& solution;
  int dimensions;

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
    if (!request.partition.empty()) add_row(text, "parts", request.partition);
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

// On this process' part of a mesh.
template <class Exec, int Dim>
int run(const Exec& exec, const fem::Mesh<Dim>& whole, const ElasticityRequest& request) {
  const Communicator& all = request.options.communicator;
  const auto on_mesh = [&](const auto& f) { return naming("--mesh", request.mesh.file, f); };
  fem::Mesh<Dim> mesh;
  comm::throw_together(all, [&] {
    on_mesh([&] {
      require_forces_in_the_plane<Dim>(request.options);
      mesh = own_part(whole, request.mesh, all);
    });
  });
  const auto solve = [&]<class T>(T) {
    return on_mesh([&] { return fem::solve_elasticity<T>(exec, mesh, request.options); });
  };
  const fem::ElasticitySolution solution =
      request.precision == Precision::single_precision ? solve(float{}) : solve(double{});
  const bool writes = !request.output.empty();
  fem::Mesh<Dim> finest;  // the whole mesh, where it is written
  if (writes && all.rank() == 0) finest = refined(whole, request.mesh);
  const int order = request.options.order;
  const std::vector<double> values =
      writes ? fem::gathered(mesh, finest, order, solution.values(), Dim, all)
             : std::vector<double>{};
  const bool converged = solution.result.status == linear::SolveStatus::converged;
  const int code = converged ? done : not_converged;
  if (all.rank() != 0) return code;
  const ElasticityReport report{request, solution, Dim};
  FirstError attempt;
  if (writes) {
    attempt(
        [&] { write_vtkhdf_mesh(request.output, finest, order, {{"displacement", values, Dim}}); });
  }
  if (!request.json.empty() && request.json != "-")
    attempt([&] { write_file(request.json, report.json()); });
  attempt([&] {
    if (request.json == "-") {
      print(report.json());
    } else if (!request.quiet) {
      print(report.text());
    }
  });
  if (!converged) complain(solver_failure(solution.result));
  attempt.rethrow();
  return code;
}

template <class Exec, int Dim>
int run_on_parts(const Exec& exec, const fem::Mesh<Dim>& whole, ElasticityRequest request) {
  const Communicator& processes = request.options.communicator;
  const int parts = parts_of_mesh<Exec>(processes, request.subdomains, whole);
  if (processes.rank() == 0 && parts * processes.size() > 1)
    request.partition = naming("--mesh", request.mesh.file, [&] {
      return partition_text(whole, parts * processes.size(), request.mesh.partitioner);
    });
  return on_parts(exec, processes, parts, [&](const Exec& instance, const Communicator& all) {
    ElasticityRequest part = request;
    part.options.communicator = all;
    return run(instance, whole, part);
  });
}

}  // namespace

int execute(const ElasticityRequest& request, const Communicator&) {
  return with_backend(request.backend, [&]<class Exec>(const Exec& exec) {
    return std::visit([&](const auto& mesh) { return run_on_parts(exec, mesh, request); },
                      read(request.mesh));
  });
}

}  // namespace kolam::app
