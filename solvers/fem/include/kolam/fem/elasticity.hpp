// SPDX-License-Identifier: Apache-2.0
// Linear elasticity on a mesh: materials, supports and loads by attribute.
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

/// The elements of an attribute are of it: isotropic, lambda and mu the Lame parameters.
struct Material {
  Attribute where;  ///< of elements
  double lambda;  ///< of a Young's modulus E and a Poisson's ratio nu: E nu / (1 + nu) / (1 - 2 nu)
  double mu;      ///< the shear modulus, E / 2 / (1 + nu); above 0
};

/// A force on a boundary, by its area (in the plane: by its length).
struct Traction {
  Attribute where;              ///< of the boundary
  std::array<double, 3> force;  ///< in the plane its first two
};

/// What is solved, and how.
struct ElasticityOptions {
  std::vector<Material> materials{};                    ///< of all attributes of elements
  std::vector<DirichletCondition> fixed{};              ///< where the displacement is 0
  std::vector<Traction> tractions{};                    ///< no two on one boundary
  std::array<double, 3> body_force{};                   ///< by volume
  int order = 2;                                        ///< of the polynomials, 1 to 40
  Geometry geometry = Geometry::automatic;              ///< which must hold the elements
  Preconditioner preconditioner = Preconditioner::pmg;  ///< of the solver
  CoarseSolver coarse_solver = CoarseSolver::cg;        ///< of multigrid
  bool deterministic = false;                           ///< see Scatter
  linear::SolveOptions solve = {};                      ///< of the solver
  Communicator communicator = {};                       ///< each process has a part of the mesh
};

/// The displacement, and how it was reached; the same in all processes, but for seconds.
struct [[nodiscard]] ElasticitySolution {
  index_t dofs = 0;            ///< free components
  index_t elements = 0;        ///< of all processes
  linear::SolveResult result;  ///< of the solver
  double setup_seconds = 0;    ///< space, data, loads, preconditioner
  double seconds = 0;          ///< the solver
  Geometry geometry{};         ///< which it was, if it was chosen
  double energy = 0;           ///< (f, u): the work of all loads, twice the energy of the strain
  double largest_displacement = 0;  ///< its length
  std::array<double, 3> lowest{};   ///< value of each component
  std::array<double, 3> highest{};  ///< value of each component
  /// The displacement at the nodes of the space of this process: [nodes, dimensions], nodes fastest, see
  /// write_vtkhdf_mesh and `gathered`. Copies it from the device.
  std::function<std::vector<double>()> values;

  /// 1e9 free components times iterations over seconds; 0 if nothing took time.
  double gdofs_per_second() const;
};

/// Solves -div(lambda div(u) I + 2 mu eps(u)) = body_force on exec in T, float or double, all
/// processes together, each with the part of its rank of a mesh that is cut (see part_of); in two dimensions with plane strain. The start is zero. Throws InvalidArgument as `space`
/// and per_attribute do, and for materials that are not stable (mu > 0 and lambda + 2 mu / Dim > 0 must
/// be), an order or forces that are no numbers, two tractions on a boundary, and where no boundary is
/// fixed in a direction, so that the displacement is not unique; OutOfMemory. What the solver meets is in
/// the result.
template <class T, int Dim, class Exec>
ElasticitySolution solve_elasticity(const Exec& exec, const Mesh<Dim>& mesh,
                                    const ElasticityOptions& options);

}  // namespace kolam::fem
