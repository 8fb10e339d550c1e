// SPDX-License-Identifier: Apache-2.0
// Linear elasticity on a mesh, with materials, supports and loads given by attribute.
//
//   const auto solution = kolam::fem::solve_elasticity<double>(
//       exec, mesh, {.materials = {{"steel", 115.4, 76.9}}, .fixed = {"clamp", {"symmetry", "x"}},
//                    .tractions = {{"load", {0, 0, -0.01}}}});
#pragma once

#include <array>
#include <functional>
#include <kolam/comm/communicator.hpp>
#include <kolam/core/index.hpp>
#include <kolam/fem/dirichlet_condition.hpp>
#include <kolam/fem/geometry.hpp>
#include <kolam/fem/mesh.hpp>
#include <kolam/fem/mesh_attributes.hpp>
#include <kolam/fem/preconditioner.hpp>
#include <kolam/linear/solve_result.hpp>
#include <optional>
#include <vector>

namespace kolam::fem {

/// An isotropic material of all elements of an attribute, given by its Lame parameters.
struct Material {
  Attribute where;  ///< attribute of elements
  double lambda;    ///< E nu / (1 + nu) / (1 - 2 nu) for Young's modulus E, Poisson's ratio nu
  double mu;        ///< shear modulus, E / 2 / (1 + nu); above 0
};

/// A force on a boundary per unit area (in two dimensions per unit length).
struct Traction {
  Attribute where;              ///< attribute of the boundary
  std::array<double, 3> force;  ///< force; in two dimensions the first two components
};

/// Options of an elasticity problem: materials, supports, loads and the solver.
struct ElasticityOptions {
  std::vector<Material> materials{};                    ///< one for every attribute of elements
  std::vector<DirichletCondition> fixed{};              ///< boundaries with displacement 0
  std::vector<Traction> tractions{};                    ///< at most one per boundary
  std::array<double, 3> body_force{};                   ///< force per unit volume
  int order = 2;                                        ///< order of the polynomials, 1 to 40
  Geometry geometry = Geometry::automatic;              ///< must be able to represent the elements
  Preconditioner preconditioner = Preconditioner::pmg;  ///< preconditioner of the solver
  CoarseSolver coarse_solver = CoarseSolver::cg;        ///< coarse solver of multigrid
  bool deterministic = false;                           ///< see Scatter
  linear::SolveOptions solve = {};                      ///< options of the solver
  Communicator communicator = {};                       ///< processes, each with a part of the mesh
};

/// Solution of an elasticity problem, and solver statistics. Except for times, scalars are equal in
/// all processes.
struct [[nodiscard]] ElasticitySolution {
  index_t dofs = 0;                 ///< free components
  index_t elements = 0;             ///< elements of all processes
  linear::SolveResult result;       ///< result of the solver
  double setup_seconds = 0;         ///< time of space, data, loads, preconditioner
  double seconds = 0;               ///< time of the solver
  Geometry geometry{};              ///< geometry in use, never `automatic`
  double energy = 0;                ///< (f, u): work of all loads, twice the strain energy
  double largest_displacement = 0;  ///< largest length of the displacement at a node
  std::array<double, 3> lowest{};   ///< smallest nodal value of each component
  std::array<double, 3> highest{};  ///< largest nodal value of each component
  /// Returns the displacement at the nodes of this process' space, [nodes, dimensions], node index
  /// fastest, see write_vtkhdf_mesh and `gathered`. Copies it from the device.
  std::function<std::vector<double>()> values;

  /// Returns 1e-9 * free components * iterations per second of solver time; 0 if not timed.
  double gdofs_per_second() const;
};

/// Solves -div(lambda div(u) I + 2 mu eps(u)) = body_force on exec in T, float or double, starting
/// from zero; in two dimensions as plane strain. All processes call it; if the mesh is cut, each
/// has the part of its rank (see part_of). Throws InvalidArgument as `space` and per_attribute do,
/// for unstable materials (mu > 0 and lambda + 2 mu / Dim > 0 are required), for an order out of
/// range, forces that are not finite or two tractions on one boundary, and if some direction is
/// fixed on no boundary, so that the displacement is not unique; throws OutOfMemory. Failures of
/// the solver are reported in the result.
template <class T, int Dim, class Exec>
ElasticitySolution solve_elasticity(const Exec& exec, const Mesh<Dim>& mesh,
                                    const ElasticityOptions& options);

}  // namespace kolam::fem
