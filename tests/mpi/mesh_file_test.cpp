// SPDX-License-Identifier: Apache-2.0
// Meshes with one file for each part.
#include <gmock/gmock.h>

#include <fstream>
#include <kolam/core/error.hpp>
#include <kolam/fem/mesh_generators.hpp>
#include <kolam/fem/mesh_partition.hpp>
#include <kolam/fem/poisson.hpp>
#include <kolam/io/file.hpp>
#include <kolam/io/mesh_file.hpp>
#include <kolam/testing/backends.hpp>
#include <kolam/testing/meshes.hpp>
#include <random>

#include "all_processes.hpp"
#include "shared_folder.hpp"

namespace kolam::mpi_tests {
namespace {

using ::testing::HasSubstr;
using Exec = Kokkos::DefaultHostExecutionSpace;
namespace fs = std::filesystem;

// Returns ".000003" for part 3; written out, because fmt's formats do not compile with nvcc.
std::string number_of_part(int part) {
  const std::string digits = std::to_string(part);
  return "." + std::string(6 - digits.size(), '0') + digits;
}

template <int Dim>
fem::PoissonSolution solve(const fem::Mesh<Dim>& mesh, const Communicator& communicator) {
  fem::PoissonOptions options;
  options.order = 3;
  options.source = fem::PoissonSource::one;
  options.solve.rtol = 1e-11;
  options.preconditioner = fem::Preconditioner::pmg;
  options.communicator = communicator;
  return fem::solve_poisson<double>(Exec{}, mesh, {.dirichlet = {1}}, options);
}

// A mesh is written in parts, read and perhaps refined: the solution is that of the whole mesh. For
// this, all parts must order the nodes of a shared face or edge alike.
template <int Dim>
void expect_round_trip(const fem::Mesh<Dim>& whole) {
  const Communicator& all = all_processes();
  const SharedFolder folder;
  const fs::path path = folder.path() / "mesh";
  const auto finer = [](const fem::Mesh<Dim>& mesh) {
    return testing::optimised ? fem::refined(mesh) : mesh;  // (else it takes minutes)
  };
  const auto own = finer(fem::part_of(whole, all));
  write_mfem_part(path, own);
  all.barrier();
  EXPECT_TRUE(is_in_parts(path));
  const auto read = std::get<fem::Mesh<Dim>>(read_mesh_part(path, all));
  EXPECT_EQ(read.element_count(), own.element_count());
  EXPECT_EQ(read.vertex_count(), own.vertex_count());
  EXPECT_EQ(read.order, own.order);
  EXPECT_EQ(read.boundary_names, own.boundary_names);
  if (all.size() > 1) {
    EXPECT_EQ(read.cut->attributes, own.cut->attributes);
    EXPECT_EQ(read.cut->boundaries, own.cut->boundaries);
    EXPECT_EQ(read.cut->parts, all.size());
  }
  const auto expected = solve(finer(whole), {});
  const auto found = solve(read, all);
  EXPECT_EQ(found.dofs, expected.dofs);
  EXPECT_NEAR(*found.compliance, *expected.compliance, 1e-10 * *expected.compliance);
  // A part that was read is like any other part.
  if (Dim == 2) {
    EXPECT_EQ(solve(finer(read), all).dofs, solve(finer(own), all).dofs);
  }
  write_mfem_part(folder.path() / "again", read);
  all.barrier();
  EXPECT_EQ(solve(std::get<fem::Mesh<Dim>>(read_mesh_part(folder.path() / "again", all)), all).dofs,
            expected.dofs);
}

TEST(MeshFiles, OfPartsAreReadAsTheyWereWritten) {
  expect_round_trip(testing::shuffled(fem::disc(3, 3), 5));
  auto corner = testing::shuffled(fem::reentrant_corner<3>(2), 2);
  corner.boundary_names["wall"] = {1};
  corner.attributes.front() = 7;
  expect_round_trip(corner);
}

std::string refusal_of(const fs::path& path) {
  try {
    static_cast<void>(read_mesh_part(path, all_processes()));
  } catch (const FileError& e) {
    return e.what();
  }
  return "no error";
}
std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

TEST(MeshFiles, OfPartsThatAreWrongAreRefusedByAll) {
  const Communicator& all = all_processes();
  const SharedFolder folder;
  const fs::path path = folder.path() / "mesh";
  EXPECT_THAT(refusal_of(path), HasSubstr("mesh.00000"));
  const auto whole = fem::reentrant_corner<2>(4);
  write_mfem_part(path, fem::part_of(whole, all));
  all.barrier();
  EXPECT_EQ(refusal_of(path), "no error");
  const fs::path first = path.string() + ".000000";
  const auto text_of = [](const fs::path& file) {
    std::ifstream in(file);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  const std::string text = text_of(first);
  all.barrier();
  const auto expect_refused = [&](const std::string& from, const std::string& to,
                                  const std::string& why) {
    if (all.rank() == 0) write_file(first, with(text, from, to));
    all.barrier();
    EXPECT_THAT(refusal_of(path), HasSubstr(why));
    all.barrier();
  };
  expect_refused("mfem_serial_mesh_end", "mfem_mesh_end", "shares with other parts");
  expect_refused("number_of_groups", "number_of_sets", "number_of_groups");
  expect_refused("ranks in group\n1 0", "ranks in group\n2 0 1", "the first group is this part");
  if (all.size() > 1) {
    expect_refused("shared_vertices ", "shared_corners ", "shared_vertices");
    expect_refused("shared_edges ", "shared_edges 99", "line");
    expect_refused(text, text_of(path.string() + ".000001"), "it is part 1");
  }
  if (all.rank() == 0) write_file(first, text);
  if (all.rank() == 0) write_file(path.string() + number_of_part(all.size()), text);
  all.barrier();
  EXPECT_THAT(refusal_of(path), HasSubstr("more parts than there are processes"));
  // One part alone is not a mesh.
  try {
    static_cast<void>(read_mesh(first));
    ADD_FAILURE() << "no error";
  } catch (const FileError& e) {
    EXPECT_THAT(e.what(), HasSubstr("read all parts together"));
  }
}

TEST(MeshFiles, OfPartsThatAreDamagedAreReadOrRefused) {
  const Communicator& all = all_processes();
  const SharedFolder folder;
  const fs::path path = folder.path() / "mesh";
  write_mfem_part(path, fem::part_of(fem::reentrant_corner<3>(2), all));
  all.barrier();
  const fs::path own = path.string() + number_of_part(all.rank());
  std::ifstream in(own);
  const std::string text(std::istreambuf_iterator<char>(in), {});
  std::mt19937 random(static_cast<unsigned>(all.rank()));
  const std::size_t groups = text.find("communication_groups");
  int refused = 0;
  const int times = testing::optimised ? 60 : 15;
  for (int i = 0; i < times; ++i) {
    std::string damaged = text;  // in one process, in the list of shared entities
    if (i % all.size() == all.rank()) {
      const std::size_t at = groups + random() % (text.size() - groups);
      if (i % 3 == 0)
        damaged.resize(at);
      else
        damaged[at] = static_cast<char>(damaged[at] ^ (1 << random() % 7));
    }
    write_file(own, damaged);
    all.barrier();
    const std::string error = refusal_of(path);
    EXPECT_EQ(all.min(error == "no error" ? 1 : 0), all.max(error == "no error" ? 1 : 0));
    refused += error == "no error" ? 0 : 1;
    all.barrier();
  }
  EXPECT_GE(refused, times / 4);
}

}  // namespace
}  // namespace kolam::mpi_tests
