// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <kolam/fem/multigrid.hpp>
#include <kolam/fem/space_transfer.hpp>

#include "box_spaces.hpp"

namespace kolam::testing {
namespace {

template <int Dim>
auto transfer(const fem::FunctionSpace<double, Dim, DenseExec>& coarse,
              const fem::FunctionSpace<double, Dim, DenseExec>& fine,
              const fem::BoxMesh<Dim>& coarse_mesh, int node_order,
              const std::vector<double>& points, int components = 1) {
  return fem::SpaceTransfer<double, Dim, DenseExec>(
      coarse, points, fine.rows(components),
      fem::detail::DofOfBoxNode<Dim, DenseExec>{fem::BoxNodes<Dim>(coarse_mesh, node_order),
                                                fine.dof_of_node});
}

// A polynomial of order 1 in each direction that is zero if x or y is zero.
template <int Dim>
std::vector<double> values_of_polynomial(const fem::FunctionSpace<double, Dim, DenseExec>& space) {
  const std::vector<double> x = numbers_of(*space.coordinates);
  const auto dof = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), space.dof_of_node);
  const auto count = static_cast<std::size_t>(space.nodes.entries);
  std::vector<double> values(static_cast<std::size_t>(space.dofs.entries));
  for (std::size_t node = 0; node < count; ++node) {
    if (dof(node) < 0) continue;
    double value = x[node] * x[count + node];
    if (Dim == 3) value *= 1 + x[2 * count + node];
    values[static_cast<std::size_t>(dof(node))] = value;
  }
  return values;
}

// P maps the coarse polynomial to the fine one, and <P c, f> = <c, P^T f>.
template <int Dim>
void expect_transfer(const fem::FunctionSpace<double, Dim, DenseExec>& coarse,
                     const fem::FunctionSpace<double, Dim, DenseExec>& fine,
                     const fem::SpaceTransfer<double, Dim, DenseExec>& t) {
  const auto n = static_cast<int>(fine.dofs.entries);
  const DenseVector result = dense_vector(std::vector<double>(static_cast<std::size_t>(n), 1.0));
  t.prolongate(dense_vector(values_of_polynomial<Dim>(coarse)), result);
  const std::vector<double> expected = values_of_polynomial<Dim>(fine);
  const std::vector<double> found = numbers_of(result);
  for (std::size_t i = 0; i < found.size(); ++i) ASSERT_NEAR(found[i], 1 + expected[i], 1e-13) << i;

  const std::vector<double> c = random_values(static_cast<int>(coarse.dofs.entries), 1);
  const std::vector<double> f = random_values(n, 2);
  const DenseVector pc("pc", static_cast<std::size_t>(n));
  const DenseVector ptf = dense_vector(random_values(static_cast<int>(c.size()), 3));
  t.prolongate(dense_vector(c), pc);
  t.restrict_to_coarse(dense_vector(f), ptf);
  EXPECT_NEAR(dot(numbers_of(pc), f), dot(c, numbers_of(ptf)), 1e-12);
}

template <int Dim>
void expect_orders(int low, int high) {
  const fem::BoxMesh<Dim> mesh = uneven_box<Dim>();
  const std::uint32_t sides = fem::attribute_bits(Dim, {1, 3});
  const auto space = [&](int order) {
    return fem::box_space<double>(DenseExec{}, mesh, gauss_element(order, order + 2),
                                  fem::Unmapped{}, sides);
  };
  const auto coarse = space(low);
  const auto fine = space(high);
  expect_transfer<Dim>(coarse, fine, transfer<Dim>(coarse, fine, mesh, high, fine.basis.nodes));
}

TEST(SpaceTransfer, GoesUpInOrder) {
  expect_orders<2>(1, 2);
  expect_orders<2>(2, 5);
  expect_orders<3>(1, 3);
  expect_orders<3>(3, 7);
}

TEST(SpaceTransfer, GoesToAMeshOfHalves) {
  const fem::BoxMesh<3> coarse_mesh = uneven_box<3>();
  fem::BoxMesh<3> fine_mesh = coarse_mesh;
  for (index_t& n : fine_mesh.elements) n *= 2;
  const auto space = [&](const fem::BoxMesh<3>& mesh) {
    return fem::box_space<double>(DenseExec{}, mesh, gauss_element(1, 3), fem::Unmapped{},
                                  fem::attribute_bits(3, {1, 3}));
  };
  const auto coarse = space(coarse_mesh);
  const auto fine = space(fine_mesh);
  expect_transfer<3>(coarse, fine, transfer<3>(coarse, fine, coarse_mesh, 2, {0, 0.5, 1}));
}

// Returns one vector with the components one after the other.
std::vector<double> together(const std::vector<std::vector<double>>& components) {
  std::vector<double> all;
  for (const auto& c : components) all.insert(all.end(), c.begin(), c.end());
  return all;
}

TEST(SpaceTransfer, TakesEveryComponentAsIfItWereAlone) {
  const fem::BoxMesh<3> mesh = uneven_box<3>();
  const auto space = [&](int order) {  // whose sums are bitwise reproducible, on GPUs too
    return fem::box_space<double>(DenseExec{}, mesh, gauss_element(order, order + 2),
                                  fem::Unmapped{}, fem::attribute_bits(3, {1, 3}),
                                  Scatter::deterministic);
  };
  const auto coarse = space(1);
  const auto fine = space(3);
  const auto of = [&](int components) {
    return transfer<3>(coarse, fine, mesh, 3, fine.basis.nodes, components);
  };
  const auto nc = static_cast<int>(coarse.dofs.entries);
  const auto nf = static_cast<int>(fine.dofs.entries);
  for (const int components : {2, 3}) {  // one after the other, and all at once
    std::vector<std::vector<double>> c, f, up, down;
    for (int k = 0; k < components; ++k) {
      c.push_back(random_values(nc, 1 + 2 * k));
      f.push_back(random_values(nf, 2 + 2 * k));
      const DenseVector prolongated = dense_vector(f.back());
      const DenseVector restricted("restricted", static_cast<std::size_t>(nc));
      of(1).prolongate(dense_vector(c.back()), prolongated);
      of(1).restrict_to_coarse(dense_vector(f.back()), restricted);
      up.push_back(numbers_of(prolongated));
      down.push_back(numbers_of(restricted));
    }
    const DenseVector prolongated = dense_vector(together(f));
    const DenseVector restricted("restricted", static_cast<std::size_t>(components * nc));
    of(components).prolongate(dense_vector(together(c)), prolongated);
    of(components).restrict_to_coarse(dense_vector(together(f)), restricted);
    EXPECT_EQ(numbers_of(prolongated), together(up)) << components;
    EXPECT_EQ(numbers_of(restricted), together(down)) << components;
    EXPECT_THROW(of(components).prolongate(dense_vector(c[0]), prolongated), InvalidArgument);
  }
}

}  // namespace
}  // namespace kolam::testing
