// SPDX-License-Identifier: Apache-2.0
#include "poisson_command.hpp"

#include <kolam/core/device.hpp>
#include <kolam/fem/box_function.hpp>
#include <kolam/fem/poisson.hpp>
#include <kolam/io/image.hpp>
#include <kolam/io/vtkhdf_structured.hpp>
#include <kolam/kernels/element/element_basis.hpp>
#include <string>
#include <variant>
#include <vector>

#include "mesh_parts.hpp"
#include "poisson_report.hpp"
#include "solver_report.hpp"
#include "values.hpp"

namespace kolam::app {
namespace {

template <int Dim>
fem::BoxFunction<Dim> function_of(const fem::PoissonOptions& options,
                                  const std::vector<double>& values) {
  fem::BoxMesh<Dim> mesh;
  for (std::size_t k = 0; k < Dim; ++k) mesh.elements[k] = options.elements[k];
  return {mesh, lobatto_element(options.order).nodes, values};
}

// Draws the field over the unmapped box; in 3D in the plane in the middle.
template <int Dim>
void write_picture(const PoissonRequest& request, const std::vector<double>& values) {
  constexpr std::int64_t pixels = 400;
  const fem::BoxFunction<Dim> u = function_of<Dim>(request.options, values);
  std::vector<double> field;
  for (std::int64_t j = 0; j < pixels; ++j) {
    for (std::int64_t i = 0; i < pixels; ++i) {
      std::array<double, Dim> x;
      x.fill(0.5);
      x[0] = static_cast<double>(i) / (pixels - 1);
      x[1] = static_cast<double>(j) / (pixels - 1);
      field.push_back(u(x));
    }
  }
  write_image(request.image, field.data(), pixels, pixels, pixels);
}

void write_mesh(const PoissonRequest& request, const fem::PoissonSolution& solution,
                const std::vector<double>& coordinates, const std::vector<double>& values) {
  write_vtkhdf_structured(request.output, solution.nodes, request.options.dimensions, coordinates,
                          {{"u", values}});
}

// Returns the parts of this process: one per device, or as many as the elements allow.
template <class Exec>
int parts_here(const PoissonRequest& request) {
  if (request.subdomains > 0) return request.subdomains;
  int count = comm::devices_here<Exec>(request.options.communicator);
  const auto fits = [&] {
    try {
      return fem::cut_elements(request.options, count) == count;
    } catch (const InvalidArgument&) {
      return false;
    }
  };
  while (count > 1 && !fits()) --count;
  return count;
}

template <class Write>
int finish(const PoissonRequest& request, const fem::PoissonSolution& solution,
           const std::string& partition, const Write& write) {
  const PoissonReport report{request, solution, device_of(request.backend).name, partition};
  return finish(
      request, solution.result, write, [&] { return poisson_json(report); },
      [&] { return poisson_summary(report); });
}

template <class Exec, int Dim>
int run(const Exec& exec, const fem::Mesh<Dim>& whole, PoissonRequest request) {
  request.options.dimensions = Dim;
  const PartOfMesh<Dim> part(whole, *request.mesh, request.options.communicator);
  const auto solve = [&]<class T>(T) {
    return naming("--mesh", request.mesh->file, [&] {
      return fem::solve_poisson<T>(exec, part.own(), request.on_mesh, request.options);
    });
  };
  const fem::PoissonSolution solution =
      request.precision == Precision::single_precision ? solve(float{}) : solve(double{});
  const auto write = part.writer(request.output, request.options.order, "u", solution.values, 1);
  return finish(request, solution, part.partition(), write);
}

template <class Exec>
int run(const Exec& exec, const PoissonRequest& request) {
  const fem::PoissonOptions& options = request.options;
  const bool single = request.precision == Precision::single_precision;
  require_memory(request.backend, request.size,
                 fem::poisson_bytes(options, single ? sizeof(float) : sizeof(double)));
  const fem::PoissonSolution solution =
      single ? fem::solve_poisson<float>(exec, options) : fem::solve_poisson<double>(exec, options);
  // If a file needs them, all processes gather these values; the first process writes the file.
  const bool writes = !request.image.empty() || !request.output.empty();
  const std::vector<double> values = writes ? solution.values() : std::vector<double>{};
  const std::vector<double> coordinates =
      request.output.empty() ? std::vector<double>{} : solution.coordinates();
  return finish(request, solution, "", [&](FirstError& attempt) {
    if (!request.image.empty()) {
      attempt([&] {
        options.dimensions == 2 ? write_picture<2>(request, values)
                                : write_picture<3>(request, values);
      });
    }
    if (!request.output.empty())
      attempt([&] { write_mesh(request, solution, coordinates, values); });
  });
}

}  // namespace

int execute(const PoissonRequest& request, const Communicator&) {
  return with_backend(request.backend, [&]<class Exec>(const Exec& exec) {
    if (request.mesh) {
      return std::visit(
          [&](const auto& mesh) {
            return on_parts_of_mesh(exec, mesh, request,
                                    [](const auto&... of_part) { return run(of_part...); });
          },
          read(*request.mesh, request.options.communicator));
    }
    return on_parts(exec, request.options.communicator, parts_here<Exec>(request),
                    [&](const Exec& instance, const Communicator& all) {
                      PoissonRequest part = request;
                      part.options.communicator = all;
                      return run(instance, part);
                    });
  });
}

}  // namespace kolam::app
