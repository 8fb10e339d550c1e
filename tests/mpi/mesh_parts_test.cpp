// SPDX-License-Identifier: Apache-2.0
// Problems on meshes with one part per process, compared with solutions on the whole mesh.
#include <gtest/gtest.h>

#include <kolam/fem/boomer_amg.hpp>
#include <kolam/fem/elasticity.hpp>
#include <kolam/fem/mesh_generators.hpp>
#include <kolam/fem/mesh_partition.hpp>
#include <kolam/fem/periodic_mesh.hpp>
#include <kolam/fem/poisson.hpp>
#include <kolam/fem/space.hpp>
#include <kolam/testing/backends.hpp>
#include <kolam/testing/meshes.hpp>

#include "all_processes.hpp"

namespace kolam::testing {
namespace {

using mpi_tests::all_processes;
using Exec = Kokkos::DefaultHostExecutionSpace;

template <int Dim>
fem::Mesh<Dim> refined(fem::Mesh<Dim> mesh, int times) {
  for (int i = 0; i < times; ++i) mesh = fem::refined(mesh);
  return mesh;
}

// Compares on process 0.
void expect_same_values(const std::vector<double>& found, const std::vector<double>& expected) {
  if (all_processes().rank() != 0) return;
  ASSERT_EQ(found.size(), expected.size());
  double largest = 0;
  for (const double value : expected) largest = std::max(largest, std::abs(value));
  for (std::size_t i = 0; i < found.size(); ++i)
    ASSERT_NEAR(found[i], expected[i], 1e-8 * largest) << i;
}

template <int Dim>
void expect_poisson_of_whole(const fem::Mesh<Dim>& whole, int refinements,
                             fem::Partitioner partitioner, const fem::PoissonMeshOptions& on_mesh,
                             fem::PoissonOptions options) {
  options.solve.rtol = 1e-11;
  options.source = fem::PoissonSource::one;
  const auto finest = refined(whole, refinements);
  const auto one = fem::solve_poisson<double>(Exec{}, finest, on_mesh, options);
  options.communicator = all_processes();
  const auto mesh = refined(fem::part_of(whole, options.communicator, partitioner), refinements);
  const auto cut = fem::solve_poisson<double>(Exec{}, mesh, on_mesh, options);
  EXPECT_EQ(cut.dofs, one.dofs);
  EXPECT_EQ(cut.elements, one.elements);
  EXPECT_EQ(cut.result.status, linear::SolveStatus::converged);
  // (Rounding changes large numbers of iterations.)
  EXPECT_LE(std::abs(cut.result.iterations - one.result.iterations),
            1 + one.result.iterations / 50);
  EXPECT_NEAR(*cut.compliance, *one.compliance, 1e-10 * *one.compliance);
  EXPECT_NEAR(cut.integral, one.integral, 1e-9 * std::abs(one.integral));
  expect_same_values(
      fem::gathered(mesh, finest, options.order, cut.values(), 1, options.communicator),
      one.values());
}

TEST(MeshParts, HaveTheSolutionOfTheWhole) {
  fem::PoissonOptions options;
  options.order = optimised ? 3 : 2;
  fem::Mesh<2> disc = shuffled(fem::disc(2, optimised ? 3 : 2), 3);
  for (std::size_t e = 0; e < disc.attributes.size(); e += 2) disc.attributes[e] = 2;
  for (const auto partitioner :
       {fem::Partitioner::hilbert, fem::Partitioner::rcb, fem::Partitioner::metis}) {
    if (!fem::is_available(partitioner)) continue;
    expect_poisson_of_whole(disc, optimised ? 2 : 1, partitioner,
                            {.coefficients = {{1, 1.0}, {2, 30.0}}}, options);
    options.preconditioner = fem::Preconditioner::jacobi;
  }
  options.order = 2;
  options.preconditioner = fem::Preconditioner::pmg;
  expect_poisson_of_whole(shuffled(fem::spherical_shell(1, 2, 2, 1, 2), 8), optimised ? 1 : 0,
                          fem::Partitioner::hilbert, {.dirichlet = {2}}, options);
}

TEST(MeshParts, OfAPeriodicMeshAreJoinedAtItsEnds) {
  fem::PoissonOptions options;
  options.order = 2;
  const auto channel =
      fem::periodic(shuffled(fem::mesh_of(fem::BoxMesh<2>{{6, 4}}), 4), {{1.0, 0.0}});
  expect_poisson_of_whole(channel, 1, fem::Partitioner::rcb, {}, options);
}

TEST(MeshParts, KnowConditionsOfSidesThatOthersHave) {
  // At the re-entrant corner, some vertices and edges are on the boundary of one part only.
  fem::PoissonOptions options;
  options.order = 2;
  for (unsigned seed = 0; seed < (optimised ? 3U : 1U); ++seed)
    expect_poisson_of_whole(shuffled(fem::reentrant_corner<3>(2), seed), 0,
                            fem::Partitioner::hilbert, {}, options);
}

TEST(MeshParts, HaveTheDisplacementOfTheWhole) {
  const index_t length = optimised ? 8 : 4;
  fem::Mesh<3> whole =
      fem::mesh_of(fem::BoxMesh<3>{{length, 1, 1}, {}, {static_cast<double>(length), 1, 1}});
  for (auto e = whole.attributes.size() / 2; e < whole.attributes.size(); ++e)
    whole.attributes[e] = 2;
  whole = shuffled(whole, 2);
  fem::ElasticityOptions options;
  options.materials = {{1, 50, 50}, {2, 1, 1}};
  options.fixed = {1, {3, "y"}};
  options.tractions = {{2, {0, 0, -0.01}}};
  options.body_force = {0.001, 0, 0};
  options.solve.rtol = 1e-11;
  const int refinements = optimised ? 1 : 0;
  const auto finest = refined(whole, refinements);
  const auto one = fem::solve_elasticity<double>(Exec{}, finest, options);
  options.communicator = all_processes();
  const auto mesh = refined(fem::part_of(whole, options.communicator), refinements);
  const auto cut = fem::solve_elasticity<double>(Exec{}, mesh, options);
  EXPECT_EQ(cut.dofs, one.dofs);
  EXPECT_EQ(cut.elements, one.elements);
  EXPECT_NEAR(cut.energy, one.energy, 1e-10 * one.energy);
  EXPECT_NEAR(cut.largest_displacement, one.largest_displacement, 1e-8);
  EXPECT_NEAR(cut.lowest[2], one.lowest[2], 1e-8);
  expect_same_values(
      fem::gathered(mesh, finest, options.order, cut.values(), 3, options.communicator),
      one.values());
  if (!fem::has_boomer_amg()) return;
  options.coarse_solver = fem::CoarseSolver::boomeramg;
  const auto by_amg = fem::solve_elasticity<double>(Exec{}, mesh, options);
  EXPECT_EQ(by_amg.result.status, linear::SolveStatus::converged);
  EXPECT_NEAR(by_amg.energy, one.energy, 1e-10 * one.energy);
  expect_same_values(
      fem::gathered(mesh, finest, options.order, by_amg.values(), 3, options.communicator),
      one.values());
}

TEST(MeshParts, SolveTheirCoarsestLevelByBoomerAmg) {
  if (!fem::has_boomer_amg()) GTEST_SKIP() << "this build has no hypre";
  const auto whole = shuffled(fem::disc(6, 2), 4);
  fem::PoissonOptions options;
  options.order = 2;
  options.solve.rtol = 1e-11;
  options.source = fem::PoissonSource::one;
  const auto one = fem::solve_poisson<double>(Exec{}, whole, {}, options);
  options.communicator = all_processes();
  options.coarse_solver = fem::CoarseSolver::boomeramg;
  const auto mesh = fem::part_of(whole, options.communicator);
  const auto cut = fem::solve_poisson<double>(Exec{}, mesh, {}, options);
  EXPECT_EQ(cut.result.status, linear::SolveStatus::converged);
  EXPECT_LE(cut.result.iterations, one.result.iterations + 4);
  expect_same_values(
      fem::gathered(mesh, whole, options.order, cut.values(), 1, options.communicator),
      one.values());
}

TEST(MeshParts, HaveTheSameBitsEveryTime) {
  fem::PoissonOptions options;
  options.order = 3;
  options.source = fem::PoissonSource::one;
  options.deterministic = true;
  options.communicator = all_processes();
  const auto mesh = fem::refined(fem::part_of(fem::disc(2, 2), options.communicator));
  const auto first = fem::solve_poisson<double>(Exec{}, mesh, {}, options);
  const auto second = fem::solve_poisson<double>(Exec{}, mesh, {}, options);
  EXPECT_EQ(first.result.residual_history, second.result.residual_history);
  EXPECT_EQ(first.values(), second.values());
}

TEST(MeshParts, MustBeThoseOfTheirProcesses) {
  const auto all = all_processes();
  if (all.size() == 1) GTEST_SKIP() << "one process";
  const auto whole = fem::disc(2, 2);
  const auto refused = [&](const fem::Mesh<2>& mesh) {
    try {
      static_cast<void>(fem::space<double>(Exec{}, mesh, 2, {.communicator = all}));
    } catch (const InvalidArgument& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(refused(whole).find("a whole mesh in process"), std::string::npos);
  const auto part = fem::partition(whole, all.size());
  const int next = (all.rank() + 1) % all.size();
  EXPECT_NE(refused(fem::part_of(whole, part, next)).find("give each process the part of its rank"),
            std::string::npos);
}

}  // namespace
}  // namespace kolam::testing
