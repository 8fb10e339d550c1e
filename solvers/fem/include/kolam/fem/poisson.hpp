// SPDX-License-Identifier: Apache-2.0
// Model problems of finite elements on a box or on any mesh: Poisson, Helmholtz, and CEED's bake-off
// problems.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <kolam/comm/communicator.hpp>
#include <kolam/core/index.hpp>
#include <kolam/fem/dirichlet_condition.hpp>
#include <kolam/fem/geometry.hpp>
#include <kolam/fem/mesh.hpp>
#include <kolam/fem/preconditioner.hpp>
#include <kolam/linear/solve_result.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kolam::fem {

/// What is solved. Elements have Gauss-Lobatto nodes; unless said otherwise, order + 2 Gauss points
/// in each direction. bp2, bp4 and bp6 have as many components as there are dimensions.
enum class PoissonProblem {
  bp1,       ///< u = f in the sense of L2 (mass), no boundary condition
  bp2,       ///< the same of vectors
  bp3,       ///< -Laplace u = f, u = 0 on all sides
  bp4,       ///< the same of vectors
  bp5,       ///< as bp3, collocated: Gauss-Lobatto points at the nodes
  bp6,       ///< the same of vectors
  poisson,   ///< -Laplace u = f, u given on all sides (0 unless f is manufactured)
  helmholtz  ///< -Laplace u + u = f, in the same way
};

/// How the box (0, 1)^dim is deformed.
enum class PoissonMap {
  none,
  sine  ///< x_k += 0.1 sin(pi x_1) sin(pi x_2) ...: curved elements, the sides stay in place
};

/// The right-hand side.
enum class PoissonSource {
  one,          ///< f = 1
  expxyz,       ///< f = exp(x + 2 y + 3 z)
  manufactured  ///< that of a solution that is known: errors are computed
};

///@{
/// The names above. `parse` throws InvalidArgument that names the value and those there are.
std::string_view name(PoissonProblem problem);
std::string_view name(PoissonMap map);
std::string_view name(PoissonSource source);
PoissonProblem parse_poisson_problem(std::string_view text);
PoissonMap parse_poisson_map(std::string_view text);
PoissonSource parse_poisson_source(std::string_view text);
///@}

/// What is solved, in which elements, and how.
struct PoissonOptions {
  int dimensions = 3;                                   ///< 2 or 3
  int order = 3;                                        ///< of the polynomials, 1 to 40
  std::array<index_t, 3> elements{8, 8, 8};             ///< in each direction, at least 1
  PoissonProblem problem = PoissonProblem::poisson;     ///< with which operator
  PoissonMap map = PoissonMap::none;                    ///< of the box
  Geometry geometry = Geometry::stored;                 ///< which must hold the map's elements
  PoissonSource source = PoissonSource::manufactured;   ///< the right-hand side
  Preconditioner preconditioner = Preconditioner::pmg;  ///< of the solver
  CoarseSolver coarse_solver = CoarseSolver::cg;        ///< of multigrid
  bool deterministic = false;          ///< sums of elements always in one order: see Scatter
  linear::SolveOptions solve = {};     ///< of the solver
  Communicator communicator = {};      ///< each process has a part of the elements
  std::string decomposition = "auto";  ///< of the elements: see parse_decomposition
};

/// Throws InvalidArgument, naming the option, its value and the values allowed; for the
/// decomposition cut_elements does.
void validate(const PoissonOptions& options);

/// How many parts `decomposition` cuts the elements into; `count`, where it is one of a name (see
/// parse_decomposition). Throws InvalidArgument where it cannot.
int cut_elements(const PoissonOptions& options, std::optional<int> count);

/// The solution, its norms, and how it was reached; the same in all processes, but for seconds.
struct [[nodiscard]] PoissonSolution {
  index_t dofs = 0;                  ///< unknowns, of all components and processes
  index_t elements = 0;              ///< of all processes
  linear::SolveResult result;        ///< of the solver
  double setup_seconds = 0;          ///< spaces, data, right-hand side, preconditioner
  double seconds = 0;                ///< the solver
  double solution_l2 = 0;            ///< Euclidean norm of the vector of unknowns
  double rhs_dot_solution = 0;       ///< b x, over all unknowns
  std::optional<double> compliance;  ///< (f, u), where u = 0 on all Dirichlet boundaries
  double integral = 0;               ///< of the first component
  std::optional<double> centre;      ///< the first component in the middle of a box before its map
  std::optional<double> l2_error;    ///< of the first component, where the solution is known
  std::optional<double> h1_error;    ///< the seminorm
  std::array<index_t, 3> nodes{1, 1, 1};  ///< of the structured grid, x first; of a mesh all
  std::string decomposition = {};         ///< "1x2": parts along x and y (and z) of a box
  Geometry geometry = Geometry::stored;   ///< which it was, if it was chosen
  ///@{
  /// The first component at the nodes, x fastest, and where they are ([nodes, dimensions], nodes
  /// fastest), in process 0, elsewhere nothing; each call, by all processes together, gathers them. Of a
  /// mesh: at the nodes of this process' space, see write_vtkhdf_mesh and `gathered`.
  std::function<std::vector<double>()> values;
  std::function<std::vector<double>()> coordinates;
  ///@}

  /// 1e9 unknowns times iterations over seconds; 0 if nothing took time.
  double gdofs_per_second() const;
};

/// Bytes that solve_poisson takes on the device in each process, set-up included, to some per cent
/// (from above), with values of `element_size` bytes; of stored geometry if it is chosen.
std::uint64_t poisson_bytes(const PoissonOptions& options, std::size_t element_size);

/// Solves on exec in T, float or double, all processes together. The start is zero. Throws
/// InvalidArgument (see validate and cut_elements, and for elements that the geometry does not
/// hold); what the solver meets is in the result. Memory is not asked for beforehand: see
/// poisson_bytes and require_memory. A problem without a positive definite operator does not exist
/// among these.
template <class T, class Exec>
PoissonSolution solve_poisson(const Exec& exec, const PoissonOptions& options);

/// What a problem on a mesh has of its own.
struct PoissonMeshOptions {
  /// Where the solution is known; of none: on all of the mesh's boundary attributes. Not for bp1 and
  /// bp2, which have no boundary condition.
  std::vector<DirichletCondition> dirichlet{};
  /// c of -div(c grad u) = f by attribute of elements, all of them; of none: 1.
  std::vector<std::pair<Attribute, double>> coefficients{};
  /// a of c du/dn = -a u by boundary attribute, each above 0. Without Dirichlet conditions, u is then
  /// known on all other boundaries.
  std::vector<std::pair<Attribute, double>> robin{};
};

/// The same on a mesh, each process with the part of its rank of one that is cut (see part_of). Of the
/// options, elements, dimensions and decomposition are those of boxes: they are not used. Where there is no Dirichlet condition the flux c grad u . n is zero.
/// Throws InvalidArgument also for what `space` and per_attribute refuse; for a manufactured solution
/// that is not known on all of the boundary, or with coefficients or Robin conditions; for these of
/// another operator than poisson, bp3 and bp5; and for a map.
template <class T, int Dim, class Exec>
PoissonSolution solve_poisson(const Exec& exec, const Mesh<Dim>& mesh,
                              const PoissonMeshOptions& on_mesh, const PoissonOptions& options);

}  // namespace kolam::fem
