// SPDX-License-Identifier: Apache-2.0
// What the problems on a grid, solved by steps of a stencil, have in common.
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

/// A grid, how it is cut and swept, and when to stop.
struct GridOptions : StencilRun, StencilSetup {
  std::int64_t nx = 4096;  ///< grid points along x, at least 3
  std::int64_t ny = 4096;  ///< grid points along y, at least 3
  /// In each process, at least 1; 0: one for each of its devices, or what `decomposition` says.
  int subdomains = 0;
  std::string decomposition = "auto";  ///< of all processes together, see parse_decomposition
};

/// The solution and how it was reached.
template <class T>
struct [[nodiscard]] GridSolution : StencilResult {
  double t_eff_gbs = 0;            ///< T_eff in GB/s: of the bytes that the steps cannot avoid
  double final_l2 = 0;             ///< sqrt(sum u^2) over interior points
  double final_max = 0;            ///< max |u| over interior points
  std::string decomposition = {};  ///< "1x4": subdomains along x and y (and z)
  std::string transport = {};      ///< how halos travelled, in words
  int steps_per_pass = 1;          ///< that were taken: never 0
  std::array<double, 3> spacing = {1, 1, 1};  ///< from point to point
  std::array<double, 3> origin = {0, 0, 0};   ///< of the first point
  std::optional<double> time = {};            ///< of the field, where steps are steps in time
  Communicator communicator = {};             ///< of the options
  /// The field with its boundary, [nx, ny] or [nx, ny, nz], each process its part on its host.
  /// Called by all processes together.
  std::function<HostField<T>()> on_host = {};

  /// The whole field, x fastest, brought to the host of rank 0 (elsewhere it has no values); called
  /// by all processes together.
  std::vector<T> field() const {
    const HostField<T> parts = on_host();
    return comm::gather(communicator, parts.extents, parts.blocks);
  }
};

/// Throws InvalidArgument, naming the option, its value and the values allowed.
void validate(const GridOptions& options);

}  // namespace kolam::grid
