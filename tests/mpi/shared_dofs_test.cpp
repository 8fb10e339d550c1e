// SPDX-License-Identifier: Apache-2.0
// Spaces, operators and solvers of a box distributed over processes, compared with those of the
// whole box in one process.
#include <gmock/gmock.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <kolam/core/error.hpp>
#include <kolam/fem/boundary_flux.hpp>
#include <kolam/fem/multigrid.hpp>
#include <kolam/fem/nodal_function.hpp>
#include <kolam/fem/poisson.hpp>
#include <kolam/testing/backends.hpp>
#include <kolam/testing/fences.hpp>
#include <kolam/testing/matchers.hpp>
#include <map>
#include <vector>

#include "../fem/box_spaces.hpp"
#include "all_processes.hpp"

namespace kolam::mpi_tests {
namespace {

using namespace kolam::testing;
using ::testing::HasSubstr;

// A box with enough elements for every cut below into up to 7 parts.
template <int Dim>
fem::BoxMesh<Dim> box_of(const comm::Parts<Dim>& parts) {
  fem::BoxMesh<Dim> mesh;
  for (std::size_t k = 0; k < Dim; ++k) mesh.elements[k] = k == 1 ? 4 : 7;
  mesh.parts = parts;
  mesh.part = all_processes().rank();
  return mesh;
}
template <int Dim>
fem::BoxMesh<Dim> whole(fem::BoxMesh<Dim> mesh) {
  mesh.parts.fill(1);
  mesh.part = 0;
  return mesh;
}

// Returns every way to cut a box into as many parts as there are processes.
template <int Dim>
std::vector<comm::Parts<Dim>> cuts() {
  const int processes = all_processes().size();
  std::vector<comm::Parts<Dim>> result;
  for (int x = 1; x <= processes; ++x) {
    for (int y = 1; y <= 4 && x * y <= processes; ++y) {
      const int z = processes / (x * y);
      if (x * y * z != processes) continue;
      if constexpr (Dim == 3) {
        result.push_back({x, y, z});
      } else if (z == 1) {
        result.push_back({x, y});
      }
    }
  }
  return result;
}

template <int Dim>
fem::FunctionSpace<double, Dim, DenseExec> space_of(const fem::BoxMesh<Dim>& mesh,
                                                    const ElementBasis& basis,
                                                    std::uint32_t dirichlet) {
  const bool alone = size<Dim>(mesh.own()) == size<Dim>(whole(mesh).own());
  return fem::box_space<double>(DenseExec{}, mesh, basis, Bend{}, dirichlet, Scatter::deterministic,
                                alone ? Communicator{} : all_processes());
}

// Returns the number in the whole box of each node of a part.
template <int Dim>
std::vector<index_t> numbers_in_whole(const fem::BoxMesh<Dim>& mesh, int order) {
  std::vector<index_t> result;
  const Box<Dim> own = mesh.own();
  const fem::BoxNodes<Dim> box_nodes(mesh, order);
  for (index_t n = 0; n < box_nodes.nodes(); ++n) {
    index_t rest = n;
    index_t stride = 1;
    index_t number = 0;
    for (int k = 0; k < Dim; ++k) {
      const Range& range = own[static_cast<std::size_t>(k)];
      number += stride * (range.begin * order + rest % box_nodes.across(k));
      rest /= box_nodes.across(k);
      stride *= mesh.elements[static_cast<std::size_t>(k)] * order + 1;
    }
    result.push_back(number);
  }
  return result;
}

struct NodeValue {
  index_t node;  // in the whole box
  double value;
};

// Returns, on rank 0, a vector at the nodes of the whole box, zero without an unknown. If several
// processes have a value, it must be bitwise equal.
template <int Dim>
std::vector<double> brought_together(const fem::FunctionSpace<double, Dim, DenseExec>& space,
                                     const fem::BoxMesh<Dim>& mesh, const DenseVector& x,
                                     int components = 1) {
  const index_t nodes = space.nodes.entries;
  const DenseVector at_nodes("at nodes", static_cast<std::size_t>(nodes * components));
  fem::set_dofs(space, x, at_nodes, components);
  space.exec.fence("test");
  const std::vector<double> values = numbers_of(at_nodes);
  const std::vector<index_t> numbers = numbers_in_whole(mesh, space.basis.d1d() - 1);
  const index_t in_whole = fem::BoxNodes<Dim>(whole(mesh), space.basis.d1d() - 1).nodes();
  std::vector<NodeValue> mine;
  for (std::size_t n = 0; n < values.size(); ++n) {
    const std::size_t component = n / numbers.size();
    mine.push_back(
        {numbers[n % numbers.size()] + static_cast<index_t>(component) * in_whole, values[n]});
  }
  std::vector<double> result(static_cast<std::size_t>(in_whole * components), NAN);
  const auto all = all_processes().gather(std::as_bytes(std::span(mine)));
  for (const auto& bytes : all) {
    std::vector<NodeValue> theirs(bytes.size() / sizeof(NodeValue));
    std::memcpy(theirs.data(), bytes.data(), bytes.size());
    for (const NodeValue& one : theirs) {
      double& there = result[static_cast<std::size_t>(one.node)];
      EXPECT_TRUE(std::isnan(there) ||
                  std::bit_cast<std::uint64_t>(there) == std::bit_cast<std::uint64_t>(one.value))
          << "node " << one.node << ": " << there << " and " << one.value;
      there = one.value;
    }
  }
  return result;
}

void expect_close(const std::vector<double>& found, const std::vector<double>& expected,
                  double tolerance, const char* what) {
  if (all_processes().rank() != 0) return;
  ASSERT_EQ(found.size(), expected.size()) << what;
  double size = 0;
  for (const double value : expected) size = std::max(size, std::abs(value));
  for (std::size_t i = 0; i < found.size(); ++i)
    ASSERT_NEAR(found[i], expected[i], tolerance * size) << what << ", node " << i;
}

// Returns a vector that does not depend on the cut.
template <class A>
DenseVector some_vector(const A& a) {
  const DenseVector x("x", static_cast<std::size_t>(a.rows()));
  linear::fill_random(a, x);
  return x;
}

struct Known {
  template <int Dim>
  KOKKOS_FUNCTION double operator()(const double (&x)[Dim]) const {
    return 1 + x[0] * x[1];
  }
};

template <int Dim, int Components>
struct Case {
  using A = fem::Operator<double, Dim, DenseExec>;
  fem::BoxMesh<Dim> mesh;
  A a;

  Case(const fem::BoxMesh<Dim>& box, int order, std::uint32_t dirichlet)
      : mesh(box), a(of(space_of<Dim>(box, gauss_element(order, order + 1), dirichlet))) {}
  static A of(const fem::FunctionSpace<double, Dim, DenseExec>& space) {
    return A(space, fem::componentwise<Components>(fem::Helmholtz{}));
  }
  std::vector<double> together(const DenseVector& x) const {
    return brought_together<Dim>(a.space(), mesh, x, Components);
  }
  std::vector<double> applied_to_some() const {
    const DenseVector y("y", static_cast<std::size_t>(a.rows()));
    a.apply(some_vector(a), y);
    a.apply_add(some_vector(a), y);
    return together(y);
  }
  std::vector<double> diagonal() const {
    const DenseVector d("d", static_cast<std::size_t>(a.rows()));
    a.diagonal(d);
    return together(d);
  }
  // Returns the right-hand side of a source, a flux and Dirichlet values.
  std::vector<double> right_hand_side() const {
    const auto& space = a.space();
    const DenseVector b("b", static_cast<std::size_t>(a.rows()));
    fem::add_source<Components>(space, Constant<double>{2}, b);
    fem::add_flux<Components>(space, fem::sides_of(mesh, fem::attribute_bits(Dim, {2, 3})),
                              Constant<double>{3}, b);
    a.apply_lift(fem::dirichlet_values(space, Known{}, Components), b);
    return together(b);
  }
};

struct One {
  KOKKOS_FUNCTION void operator()(index_t, double (&sums)[1]) const { sums[0] += 1; }
};

template <int Dim, int Components>
void expect_as_whole() {
  for (const comm::Parts<Dim>& parts : cuts<Dim>()) {
    for (const std::uint32_t dirichlet : {std::uint32_t{0}, fem::attribute_bits(Dim, {1, 4})}) {
      const fem::BoxMesh<Dim> mesh = box_of<Dim>(parts);
      const Case<Dim, Components> cut(mesh, 2, dirichlet);
      const Case<Dim, Components> one(whole(mesh), 2, dirichlet);
      // (Every process has the whole space to itself, and results are compared on rank 0.)
      SCOPED_TRACE(::testing::PrintToString(parts) + " " + std::to_string(dirichlet));
      const comm::RowDistribution rows = linear::row_distribution(cut.a);
      EXPECT_EQ(all_processes().sum(rows.owned * Components), one.a.rows());
      const double ones = linear::RowSums<1, DenseExec>(DenseExec{}, rows).of("ones", One{})[0];
      EXPECT_EQ(ones, static_cast<double>(one.a.rows()));
      expect_close(cut.together(some_vector(cut.a)), one.together(some_vector(one.a)), 0, "x");
      expect_close(cut.applied_to_some(), one.applied_to_some(), 1e-14, "A x");
      expect_close(cut.diagonal(), one.diagonal(), 1e-14, "diagonal");
      expect_close(cut.right_hand_side(), one.right_hand_side(), 1e-14, "b");
    }
  }
}

TEST(CutBox, HasTheOperatorsOfTheWholeIn2D) { expect_as_whole<2, 1>(); }
TEST(CutBox, HasTheOperatorsOfTheWholeIn3D) { expect_as_whole<3, 1>(); }
TEST(CutBox, HasThoseOfVectors) { expect_as_whole<2, 2>(); }

// Bends only the elements of the last process.
struct BentAtTheEnd {
  KOKKOS_FUNCTION void operator()(double (&x)[2]) const {
    if (x[0] > 0.9) x[1] += 0.1 * (x[0] - 0.9) * (x[0] - 0.9) * x[1];
  }
};

TEST(CutBox, HasOneGeometryInAllProcesses) {
  const int processes = all_processes().size();
  const fem::BoxMesh<2> mesh = box_of<2>({processes, 1});
  const auto space = fem::box_space<double>(DenseExec{}, mesh, gauss_element(2, 4), BentAtTheEnd{},
                                            0U, Scatter::fastest, all_processes());
  EXPECT_EQ(fem::Operator(space, fem::Diffusion{}).geometry(), fem::Geometry::stored);
  EXPECT_THAT(error_of<InvalidArgument>(
                  [&] { static_cast<void>(fem::Operator(space, fem::Diffusion{}, fem::affine)); }),
              HasSubstr("is not affine"));
}

std::pair<double, double> integral_and_error(
    const fem::FunctionSpace<double, 3, DenseExec>& space) {
  const DenseVector x("x", static_cast<std::size_t>(space.nodes.entries));
  const auto coordinates = space.coordinates->read(space.exec);
  forall(
      DenseExec{}, "x", space.nodes.entries,
      KOKKOS_LAMBDA(index_t n) { x(n) = coordinates(n) * coordinates(n); });
  return {integral(space, x), fem::l2_error(space, x, Constant<double>{1})};
}

TEST(CutBox, HasTheSumsOfTheWhole) {
  for (const comm::Parts<3>& parts : cuts<3>()) {
    const fem::BoxMesh<3> mesh = box_of<3>(parts);
    const auto cut = integral_and_error(space_of<3>(mesh, gauss_element(2, 4), 0));
    const auto one = integral_and_error(space_of<3>(whole(mesh), gauss_element(2, 4), 0));
    EXPECT_NEAR(cut.first, one.first, 1e-13);
    EXPECT_NEAR(cut.second, one.second, 1e-13);
  }
}

fem::PoissonSolution solved(fem::PoissonOptions options, const Communicator& communicator,
                            const std::string& decomposition = "auto") {
  options.communicator = communicator;
  options.decomposition = decomposition;
  return fem::solve_poisson<double>(DenseExec{}, options);
}

void expect_solution_of_whole(const fem::PoissonOptions& options) {
  const fem::PoissonSolution one = solved(options, {});
  const std::vector<double> expected = one.values();
  for (const char* const how : {"auto", options.dimensions == 2 ? "stripes" : "slabs"}) {
    const fem::PoissonSolution cut = solved(options, all_processes(), how);
    SCOPED_TRACE(std::string(name(options.problem)) + " " +
                 std::string(name(options.preconditioner)) + " " + cut.decomposition);
    EXPECT_EQ(cut.dofs, one.dofs);
    EXPECT_EQ(cut.elements, one.elements);
    EXPECT_EQ(cut.result.status, linear::SolveStatus::converged);
    EXPECT_EQ(cut.result.iterations, one.result.iterations);
    EXPECT_NEAR(cut.solution_l2, one.solution_l2, 1e-9 * one.solution_l2);
    EXPECT_NEAR(cut.rhs_dot_solution, one.rhs_dot_solution, 1e-9 * std::abs(one.rhs_dot_solution));
    EXPECT_NEAR(cut.integral, one.integral, 1e-9 * std::abs(one.integral));
    EXPECT_EQ(cut.l2_error.has_value(), one.l2_error.has_value());
    if (one.l2_error && cut.l2_error) {
      EXPECT_NEAR(*cut.l2_error, *one.l2_error, 1e-6 * *one.l2_error);
      EXPECT_NEAR(*cut.h1_error, *one.h1_error, 1e-6 * *one.h1_error);
    }
    expect_close(cut.values(), expected, 1e-9, "u");
    const std::vector<double> x = cut.coordinates();
    EXPECT_EQ(x.size(), all_processes().rank() == 0
                            ? expected.size() * static_cast<std::size_t>(options.dimensions)
                            : 0U);
  }
}

TEST(CutBox, HasTheSolutionOfTheWhole) {
  fem::PoissonOptions options;
  options.order = optimised ? 3 : 2;
  options.elements.fill(optimised ? 8 : 5);
  options.map = fem::PoissonMap::sine;
  options.solve.rtol = 1e-10;
  options.deterministic = true;
  for (const auto preconditioner : {fem::Preconditioner::pmg, fem::Preconditioner::jacobi,
                                    fem::Preconditioner::chebyshev, fem::Preconditioner::none}) {
    if (!optimised && preconditioner != fem::Preconditioner::pmg) break;
    options.preconditioner = preconditioner;
    options.dimensions = 2;
    expect_solution_of_whole(options);
  }
  options.preconditioner = fem::Preconditioner::pmg;
  fem::PoissonOptions in_space = options;
  in_space.dimensions = 3;
  in_space.order = 2;
  if (!optimised) in_space.elements = {2, 2, 7};
  expect_solution_of_whole(in_space);
  options.order = 2;
  options.problem = fem::PoissonProblem::bp4;
  options.source = fem::PoissonSource::expxyz;
  expect_solution_of_whole(options);
  options.problem = fem::PoissonProblem::bp1;
  options.preconditioner = fem::Preconditioner::jacobi;
  expect_solution_of_whole(options);
}

TEST(CutBox, HasTheSameBitsEveryTime) {
  fem::PoissonOptions options;
  options.dimensions = 2;
  options.order = 2;
  options.deterministic = true;
  const fem::PoissonSolution first = solved(options, all_processes());
  const fem::PoissonSolution second = solved(options, all_processes());
  EXPECT_EQ(first.result.residual_history, second.result.residual_history);
  EXPECT_EQ(first.values(), second.values());
}

// On a host, packing ends before its launch returns, so only the fence shows that the send waits.
TEST(SharedDofs, WaitForWhatIsPackedBeforeItIsSent) {
  if (all_processes().size() == 1) GTEST_SKIP() << "nothing is shared";
  const auto space = space_of<2>(box_of<2>(cuts<2>().front()), gauss_element(1, 2), 0);
  const DenseVector x("x", static_cast<std::size_t>(space.dofs.entries));
  Fences fences;
  space.shared->add(x, 1);
  EXPECT_GE(fences.named("kolam::SharedDofs: packed for MPI"), 1);
}

std::string refusal(const std::vector<comm::NodesSharedWith>& shared) {
  const Kokkos::View<int*, typename DenseExec::memory_space> dof("unknown", 3);
  try {
    const comm::SharedDofs<DenseExec> some(DenseExec{}, {all_processes(), shared}, dof, 3, 3);
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "";
}

TEST(SharedDofs, RefuseTheSameInAllProcesses) {
  const Communicator& all = all_processes();
  const int rank = all.rank();
  EXPECT_THAT(refusal({{all.size(), {0}}}), HasSubstr("give each other one of 0 to"));
  EXPECT_THAT(refusal({{rank, {0}}}), HasSubstr("give each other one"));
}

TEST(SharedDofs, RefuseWhatTheOthersDoNotShare) {
  const Communicator& all = all_processes();
  const int rank = all.rank();
  if (all.size() == 1) GTEST_SKIP() << "there is one process only";
  const int other = rank == 0 ? 1 : 0;
  EXPECT_THAT(refusal({{other, {3}}}), HasSubstr("shares node 3"));
  EXPECT_THAT(refusal({{other, {0}}, {other, {1}}}), HasSubstr("once at most"));
  // Process 0 lists two nodes, the others one or none.
  const std::vector<comm::NodesSharedWith> lists =
      rank == 0   ? std::vector<comm::NodesSharedWith>{{1, {0, 2}}}
      : rank == 1 ? std::vector<comm::NodesSharedWith>{{0, {0}}}
                  : std::vector<comm::NodesSharedWith>{};
  EXPECT_THAT(refusal(lists),
              HasSubstr("process 0 shares 2 unknowns with process 1, which shares 1"));
}

TEST(CutBox, RefusesPartsOfOtherProcesses) {
  fem::BoxMesh<2> mesh = box_of<2>({1, all_processes().size() + 1});
  mesh.elements = {100, 100};
  EXPECT_THROW(static_cast<void>(fem::box_space<double>(DenseExec{}, mesh, gauss_element(1, 2),
                                                        fem::Unmapped{}, 0, Scatter::fastest,
                                                        all_processes())),
               InvalidArgument);
}

}  // namespace
}  // namespace kolam::mpi_tests
