// SPDX-License-Identifier: Apache-2.0
// Parts of meshes; solves on parts: tests/mpi/mesh_parts_test.cpp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <kolam/core/error.hpp>
#include <kolam/fem/detail/mesh_entities.hpp>
#include <kolam/fem/mesh_attributes.hpp>
#include <kolam/fem/mesh_generators.hpp>
#include <kolam/fem/mesh_partition.hpp>
#include <kolam/testing/matchers.hpp>
#include <kolam/testing/meshes.hpp>
#include <map>
#include <set>

namespace kolam::testing {
namespace {

using ::testing::HasSubstr;

constexpr fem::Partitioner all_partitioners[] = {fem::Partitioner::hilbert, fem::Partitioner::rcb,
                                                 fem::Partitioner::metis, fem::Partitioner::scotch};
std::vector<fem::Partitioner> available_partitioners() {
  std::vector<fem::Partitioner> result;
  for (const auto each : all_partitioners)
    if (fem::is_available(each)) result.push_back(each);
  return result;
}

// Returns the largest allowed difference between the numbers of elements of two parts.
index_t imbalance(fem::Partitioner partitioner, index_t elements, int parts) {
  if (partitioner == fem::Partitioner::hilbert) return 1;
  if (partitioner == fem::Partitioner::rcb) return 2;
  return 3 + elements / parts / 10;
}

template <int Dim>
void expect_balanced(const fem::Mesh<Dim>& mesh) {
  for (const auto partitioner : available_partitioners()) {
    for (const int parts : {1, 2, 3, 5, 8, 11}) {
      SCOPED_TRACE(std::string(name(partitioner)) + " " + std::to_string(parts));
      const std::vector<int> part = fem::partition(mesh, parts, partitioner);
      ASSERT_EQ(part.size(), mesh.corners.size());
      std::map<int, index_t> count;
      for (const int each : part) ++count[each];
      EXPECT_EQ(count.size(), static_cast<std::size_t>(parts));
      EXPECT_EQ(count.begin()->first, 0);
      const auto quality = fem::quality_of(mesh, part);
      EXPECT_LE(quality.largest - quality.smallest,
                imbalance(partitioner, mesh.element_count(), parts));
      EXPECT_EQ(quality.cut == 0, parts == 1);
      EXPECT_EQ(fem::partition(mesh, parts, partitioner), part) << "not the same each time";
    }
  }
}

TEST(Partition, GivesEachPartAsMuch) {
  expect_balanced(shuffled(fem::disc(4, 1), 2));
  expect_balanced(shuffled(fem::reentrant_corner<3>(2), 3));
}

TEST(Partition, CutsFewSides) {
  // A square in four parts: two lines of 16 sides.
  const auto mesh = shuffled(fem::mesh_of(fem::BoxMesh<2>{{16, 16}}), 1);
  for (const auto partitioner : available_partitioners())
    EXPECT_LE(
        fem::quality_of(mesh, fem::partition(mesh, 4, partitioner)).cut,
        partitioner == fem::Partitioner::hilbert || partitioner == fem::Partitioner::rcb ? 32 : 36)
        << name(partitioner);
  const auto beam = shuffled(fem::mesh_of(fem::BoxMesh<3>{{24, 2, 2}, {}, {24, 2, 2}}), 1);
  EXPECT_EQ(fem::quality_of(beam, fem::partition(beam, 3, fem::Partitioner::rcb)).cut, 8);
  for (const auto partitioner : {fem::Partitioner::metis, fem::Partitioner::scotch}) {
    if (!fem::is_available(partitioner)) continue;
    EXPECT_EQ(fem::quality_of(beam, fem::partition(beam, 3, partitioner)).cut, 8)
        << name(partitioner);
  }
}

// (Libraries alone may leave parts empty if elements are few.)
TEST(Partition, GivesEachPartAnElementWhereThereAreFew) {
  const auto mesh = shuffled(fem::disc(3, 1), 1);
  for (const auto partitioner : available_partitioners()) {
    for (index_t parts = 1; parts <= mesh.element_count(); ++parts) {
      const std::vector<int> part = fem::partition(mesh, static_cast<int>(parts), partitioner);
      EXPECT_EQ(std::set<int>(part.begin(), part.end()).size(), static_cast<std::size_t>(parts))
          << name(partitioner);
    }
  }
}

TEST(Partition, SaysHowToGetALibraryThatIsNotThere) {
  const auto mesh = fem::disc(1, 1);
  for (const auto partitioner : all_partitioners) {
    if (fem::is_available(partitioner)) continue;
    EXPECT_THAT(
        error_of<InvalidArgument>([&] { static_cast<void>(fem::partition(mesh, 2, partitioner)); }),
        HasSubstr("apt-get install lib" + std::string(name(partitioner)) + "-dev"));
  }
}

TEST(Partition, HasNames) {
  for (const auto each : all_partitioners) EXPECT_EQ(fem::parse_partitioner(fem::name(each)), each);
  EXPECT_THAT(error_of<InvalidArgument>([] { fem::parse_partitioner("zoltan"); }),
              HasSubstr("zoltan is unknown; choose one of hilbert, rcb, metis, scotch"));
}

// Returns the positions of the nodes of a space of `order` on an entity, in the entity's order.
template <int Dim>
std::vector<std::array<double, Dim>> places(const fem::Mesh<Dim>& mesh,
                                            const fem::MeshEntity& entity, int order) {
  const fem::Mesh<Dim> curved = fem::with_order(mesh, order);
  const auto nodes = static_cast<std::size_t>(curved.nodes_of_element());
  std::vector<std::array<double, Dim>> result;
  for (const int place : fem::detail::nodes_of(entity, Dim, order)) {
    auto& x = result.emplace_back();
    for (std::size_t k = 0; k < Dim; ++k)
      x[k] = curved.nodes[Dim * (static_cast<std::size_t>(entity.element) * nodes +
                                 static_cast<std::size_t>(place)) +
                          k];
  }
  return result;
}

// Parts that meet list the nodes that they share, all of them, in the same order.
template <int Dim>
void expect_parts_that_agree(const fem::Mesh<Dim>& whole, int parts, int refinements) {
  const std::vector<int> part_of_element = fem::partition(whole, parts);
  std::vector<fem::Mesh<Dim>> all;
  index_t elements = 0;
  for (int part = 0; part < parts; ++part) {
    all.push_back(fem::part_of(whole, part_of_element, part));
    for (int i = 0; i < refinements; ++i) all.back() = fem::refined(all.back());
    fem::validate(all.back());
    elements += all.back().element_count();
  }
  fem::Mesh<Dim> finest = whole;
  for (int i = 0; i < refinements; ++i) finest = fem::refined(finest);
  EXPECT_EQ(elements, finest.element_count());
  index_t boundary = 0;
  std::map<std::array<long, Dim>, std::set<int>> nodes;  // by position: the parts that have it
  const auto rounded = [](const double* x) {
    std::array<long, Dim> result;
    for (std::size_t k = 0; k < Dim; ++k) result[k] = std::lround(x[k] * 1e7);
    return result;
  };
  constexpr int order = 4;
  for (int part = 0; part < parts; ++part) {
    const auto& mesh = all[static_cast<std::size_t>(part)];
    boundary += static_cast<index_t>(fem::boundary_of(mesh).size());
    const auto curved = fem::with_order(mesh, order);
    for (std::size_t i = 0; i < curved.nodes.size(); i += Dim)
      nodes[rounded(&curved.nodes[i])].insert(part);
  }
  EXPECT_EQ(boundary, static_cast<index_t>(fem::boundary_of(finest).size()));
  using Positions = std::set<std::array<long, Dim>>;
  std::map<std::pair<int, int>, Positions> shared, listed;
  for (const auto& [position, of] : nodes)
    for (const int a : of)
      for (const int b : of)
        if (a != b) shared[{a, b}].insert(position);
  for (int part = 0; part < parts; ++part) {
    const auto& mesh = all[static_cast<std::size_t>(part)];
    ASSERT_TRUE(mesh.cut);
    EXPECT_EQ(mesh.cut->parts, parts);
    EXPECT_EQ(mesh.cut->part, part);
    for (const auto& with : mesh.cut->shared) {
      const auto& other = all[static_cast<std::size_t>(with.part)];
      const auto mine = std::find_if(other.cut->shared.begin(), other.cut->shared.end(),
                                     [&](const auto& s) { return s.part == part; });
      ASSERT_NE(mine, other.cut->shared.end());
      ASSERT_EQ(mine->entities.size(), with.entities.size());
      for (std::size_t i = 0; i < with.entities.size(); ++i) {
        const auto here = places(mesh, with.entities[i], order);
        const auto there = places(other, mine->entities[i], order);
        ASSERT_EQ(here.size(), there.size());
        for (std::size_t n = 0; n < here.size(); ++n)
          for (std::size_t k = 0; k < Dim; ++k)
            ASSERT_NEAR(here[n][k], there[n][k], 1e-12) << part << ' ' << with.part << ' ' << i;
        for (const auto& x : here)
          ASSERT_TRUE(listed[std::pair(part, with.part)].insert(rounded(x.data())).second)
              << "listed twice";
      }
    }
    // Elements know their element of the whole mesh.
    const auto count = static_cast<std::size_t>(mesh.nodes_of_element()) * Dim;
    for (std::size_t e = 0; e < mesh.corners.size(); ++e)
      for (std::size_t i = 0; i < count; ++i)
        ASSERT_EQ(mesh.nodes[e * count + i],
                  finest.nodes[static_cast<std::size_t>(mesh.cut->elements[e]) * count + i]);
  }
  EXPECT_EQ(listed, shared);
}

TEST(PartOf, AgreesWithOtherPartsAboutWhatTheyShare) {
  for (const int refinements : {0, 1, 2})
    expect_parts_that_agree(shuffled(fem::disc(2, 3), 4), 3, refinements);
  for (const int refinements : {0, 1})
    expect_parts_that_agree(shuffled(fem::spherical_shell(1, 2, 2, 1, 2), 5), 4, refinements);
  expect_parts_that_agree(shuffled(fem::reentrant_corner<3>(1), 6), 7, 1);
}

TEST(PartOf, OfOnePartIsTheMesh) {
  const auto mesh = shuffled(fem::disc(2, 2), 1);
  const auto part = fem::part_of(mesh, Communicator{});
  EXPECT_FALSE(part.cut);
  EXPECT_EQ(part.nodes, mesh.nodes);
  EXPECT_EQ(part.sides.size(), mesh.sides.size());
}

TEST(PartOf, KnowsAttributesOfTheWhole) {
  fem::Mesh<2> mesh = fem::mesh_of(fem::BoxMesh<2>{{4, 1}});
  mesh.attributes = {1, 1, 5, 5};
  const auto left = fem::part_of(mesh, {0, 0, 1, 1}, 0);
  EXPECT_EQ(fem::sides_of(left, {2}).size(), 0U);  // the side is at the other end
  EXPECT_EQ(fem::sides_of(left, {1}).size(), 1U);
  EXPECT_EQ(fem::Attribute(5).of_elements(left), std::set<int>{5});
  EXPECT_THROW(static_cast<void>(fem::sides_of(left, {9})), InvalidArgument);
}

TEST(PartOf, RefusesWhatCannotBeCut) {
  const auto mesh = fem::disc(1, 1);
  const auto refused = [](const auto& f) { return error_of<InvalidArgument>(f); };
  EXPECT_THAT(refused([&] { fem::partition(mesh, 6); }), HasSubstr("6 parts of a mesh of 5"));
  EXPECT_THAT(refused([&] { fem::partition(mesh, 0); }), HasSubstr("0 parts"));
  EXPECT_THAT(refused([&] { fem::part_of(mesh, {0, 1}, 0); }), HasSubstr("parts of 2"));
  EXPECT_THAT(refused([&] { fem::part_of(mesh, {0, 0, 2, 2, 2}, 1); }),
              HasSubstr("part 1 of 3 has no elements"));
  EXPECT_THAT(
      refused([&] { fem::part_of(fem::refined(mesh), fem::partition(fem::refined(mesh), 2), 0); }),
      HasSubstr("was refined already"));
  const auto part = fem::part_of(mesh, fem::partition(mesh, 2), 0);
  EXPECT_THAT(refused([&] { fem::part_of(part, fem::partition(part, 2), 0); }),
              HasSubstr("was cut already"));
  EXPECT_THAT(refused([&] { fem::in_hilbert_order(part); }), HasSubstr("a part of a mesh"));
}

}  // namespace
}  // namespace kolam::testing
