// SPDX-License-Identifier: Apache-2.0
// Finite element model problems on a box or on any mesh: Poisson, Helmholtz and CEED's bake-off
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

/// A model problem. Elements have Gauss-Lobatto nodes and, unless stated otherwise, order + 2 Gauss
/// points per direction. bp2, bp4 and bp6 have one component per dimension.
enum class PoissonProblem {
  bp1,       ///< u = f in the L2 sense (mass matrix), no boundary condition
  bp2,       ///< bp1 for vector fields
  bp3,       ///< -Laplace u = f, u = 0 on all sides
  bp4,       ///< bp3 for vector fields
  bp5,       ///< bp3 collocated: Gauss-Lobatto quadrature at the nodes
  bp6,       ///< bp5 for vector fields
  poisson,   ///< -Laplace u = f, u given on all sides (0 unless f is manufactured)
  helmholtz  ///< -Laplace u + u = f, u given as for poisson
};

/// A deformation of the box (0, 1)^dim.
enum class PoissonMap {
  none,
  sine  ///< x_k += 0.1 sin(pi x_1) sin(pi x_2) ...: curved elements; the sides stay in place
};

/// A right-hand side.
enum class PoissonSource {
  one,          ///< f = 1
  expxyz,       ///< f = exp(x + 2 y + 3 z)
  manufactured  ///< source of a known solution, so that errors are computed
};

///@{
/// Converts to and from the names above. Throws InvalidArgument, naming the value and the allowed
/// names, if the text is not among them.
std::string_view name(PoissonProblem problem);
std::string_view name(PoissonMap map);
std::string_view name(PoissonSource source);
PoissonProblem parse_poisson_problem(std::string_view text);
PoissonMap parse_poisson_map(std::string_view text);
PoissonSource parse_poisson_source(std::string_view text);
///@}

/// Options of a model problem: the problem, its elements and the solver.
struct PoissonOptions {
  int dimensions = 3;                                   ///< 2 or 3
  int order = 3;                                        ///< order of the polynomials, 1 to 40
  std::array<index_t, 3> elements{8, 8, 8};             ///< elements per direction, at least 1
  PoissonProblem problem = PoissonProblem::poisson;     ///< model problem
  PoissonMap map = PoissonMap::none;                    ///< deformation of the box
  Geometry geometry = Geometry::stored;                 ///< must be able to represent the elements
  PoissonSource source = PoissonSource::manufactured;   ///< right-hand side
  Preconditioner preconditioner = Preconditioner::pmg;  ///< preconditioner of the solver
  CoarseSolver coarse_solver = CoarseSolver::cg;        ///< coarse solver of multigrid
  bool deterministic = false;          ///< element sums always in the same order: see Scatter
  linear::SolveOptions solve = {};     ///< options of the solver
  Communicator communicator = {};      ///< processes, each with a part of the elements
  std::string decomposition = "auto";  ///< decomposition of the elements: see parse_decomposition
};

/// Throws InvalidArgument for an option out of range, naming the option, its value and the allowed
/// values. cut_elements checks the decomposition.
void validate(const PoissonOptions& options);

/// Returns the number of parts that `decomposition` cuts the elements into: `count`, if the
/// decomposition is a name (see parse_decomposition). Throws InvalidArgument if the elements cannot
/// be cut in this way.
int cut_elements(const PoissonOptions& options, std::optional<int> count);

/// Solution of a model problem, norms and solver statistics. Except for times, scalars are equal in
/// all processes.
struct [[nodiscard]] PoissonSolution {
  index_t dofs = 0;                  ///< unknowns of all components and processes
  index_t elements = 0;              ///< elements of all processes
  linear::SolveResult result;        ///< result of the solver
  double setup_seconds = 0;          ///< time of spaces, data, right-hand side, preconditioner
  double seconds = 0;                ///< time of the solver
  double solution_l2 = 0;            ///< Euclidean norm of the vector of unknowns
  double rhs_dot_solution = 0;       ///< b x, over all unknowns
  std::optional<double> compliance;  ///< (f, u), if u = 0 on all Dirichlet boundaries
  double integral = 0;               ///< integral of the first component
  std::optional<double> centre;      ///< first component in the middle of a box, before its map
  std::optional<double> l2_error;    ///< L2 error of the first component, if the solution is known
  std::optional<double> h1_error;    ///< error in the H1 seminorm, likewise
  std::array<index_t, 3> nodes{1, 1, 1};  ///< nodes of the grid, x first; {own, 1, 1} for a mesh
  std::string decomposition = {};         ///< "1x2": parts along x and y (and z) of a box
  Geometry geometry = Geometry::stored;   ///< geometry in use, never `automatic`
  ///@{
  /// Return the first component at the nodes, x fastest, and the positions of the nodes,
  /// [nodes, dimensions], node index fastest. On a box, every call gathers the result in process 0
  /// and returns nothing elsewhere; all processes call it. On a mesh, they cover the nodes of this
  /// process' space, see write_vtkhdf_mesh and `gathered`.
  std::function<std::vector<double>()> values;
  std::function<std::vector<double>()> coordinates;
  ///@}

  /// Returns 1e-9 * unknowns * iterations per second of solver time; 0 if not timed.
  double gdofs_per_second() const;
};

/// Returns an upper estimate, accurate to some per cent, of the bytes that solve_poisson takes on
/// the device in each process, set-up included, with values of `element_size` bytes.
/// Geometry::automatic counts as stored.
std::uint64_t poisson_bytes(const PoissonOptions& options, std::size_t element_size);

/// Solves a model problem on a box on exec in T, float or double, starting from zero. All processes
/// call it. Throws InvalidArgument as validate and cut_elements do, and if the geometry cannot
/// represent the elements; failures of the solver are reported in the result. Does not check the
/// available memory: see poisson_bytes and require_memory. All these operators are symmetric
/// positive definite.
template <class T, class Exec>
PoissonSolution solve_poisson(const Exec& exec, const PoissonOptions& options);

/// Options of a problem on a mesh, in addition to PoissonOptions.
struct PoissonMeshOptions {
  /// Dirichlet conditions; if empty, on all boundary attributes of the mesh. Not for bp1 and bp2,
  /// which have no boundary condition.
  std::vector<DirichletCondition> dirichlet{};
  /// c of -div(c grad u) = f, for every attribute of elements; if empty, 1.
  std::vector<std::pair<Attribute, double>> coefficients{};
  /// a of c du/dn = -a u by boundary attribute, each above 0. Without explicit Dirichlet
  /// conditions, u is then known on all other boundaries.
  std::vector<std::pair<Attribute, double>> robin{};
};

/// Solves a model problem on a mesh. If the mesh is cut, each process has the part of its rank (see
/// part_of). The options elements, dimensions and decomposition are for boxes and unused here. On
/// boundaries without a condition the flux c grad u . n is zero. Also throws InvalidArgument as
/// `space` and per_attribute do; for a manufactured solution that is not known on the whole
/// boundary, or with coefficients or Robin conditions; for coefficients or Robin conditions of a
/// problem other than poisson, bp3 and bp5; and for a map.
template <class T, int Dim, class Exec>
PoissonSolution solve_poisson(const Exec& exec, const Mesh<Dim>& mesh,
                              const PoissonMeshOptions& on_mesh, const PoissonOptions& options);

}  // namespace kolam::fem
