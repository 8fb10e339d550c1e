// SPDX-License-Identifier: Apache-2.0
// Common options and results of the grid problems that stencil steps solve.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <kolam/core/index.hpp>
#include <kolam/grid/stepped_field.hpp>
#include <optional>
#include <string>
#include <vector>

namespace kolam::grid {

/// Options of a grid problem: the grid, its decomposition, the steps and when they stop.
struct GridOptions : StencilRun, StencilSetup {
  std::int64_t nx = 4096;  ///< grid points along x, at least 3
  std::int64_t ny = 4096;  ///< grid points along y, at least 3
  /// Number of subdomains in each process, at least 1; 0: one for each of its devices, or as given
  /// by `decomposition`.
  int subdomains = 0;
  std::string decomposition = "auto";  ///< of all processes together, see parse_decomposition
};

/// The solution of a grid problem, and data on its run.
template <class T>
struct [[nodiscard]] GridSolution : StencilResult {
  double t_eff_gbs = 0;            ///< T_eff in GB/s, from the bytes that steps must move
  double final_l2 = 0;             ///< sqrt(sum u^2) over interior points
  double final_max = 0;            ///< max |u| over interior points
  std::string decomposition = {};  ///< "1x4": subdomains along x and y (and z)
  std::string transport = {};      ///< transports of halos, in words
  int steps_per_pass = 1;          ///< number of fused steps taken, never 0
  std::array<double, 3> spacing = {1, 1, 1};  ///< distance between points
  std::array<double, 3> origin = {0, 0, 0};   ///< position of the first point
  std::optional<double> time = {};            ///< time of the field, if steps are time steps
  Communicator communicator = {};             ///< communicator of the options
  /// Returns the field with its boundary, [nx, ny] or [nx, ny, nz]: each process's part on its
  /// host. All processes call it together.
  std::function<HostField<T>()> on_host = {};

  /// Returns the whole field, x fastest, on the host of rank 0, and no values elsewhere. All
  /// processes call it together.
  std::vector<T> field() const {
    const HostField<T> parts = on_host();
    return comm::gather(communicator, parts.extents, parts.blocks);
  }
};

/// Throws InvalidArgument for a wrong option, naming the option, its value and the allowed values.
void validate(const GridOptions& options);

}  // namespace kolam::grid
