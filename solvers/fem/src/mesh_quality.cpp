// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <kolam/fem/detail/element_nodes.hpp>
#include <kolam/fem/mesh_quality.hpp>
#include <kolam/kernels/element/detail/layout.hpp>
#include <kolam/kernels/element/mapped_points.hpp>
#include <kolam/kernels/element/quadrature.hpp>
#include <limits>

namespace kolam::fem {
namespace {

// The columns of the Jacobian, derivatives along each direction, at points: [Dim, points] each.
template <int Dim>
class Jacobians {
 public:
  Jacobians(const std::vector<double>& nodes, const std::vector<double>& points)
      : values_(lagrange_basis(nodes, points)), derivatives_(values_) {
    derivatives_.values = values_.gradients;
  }
  int points() const { return kolam::detail::power(values_.q1d, Dim); }

  void of(const std::vector<double>& nodes) {
    for (std::size_t k = 0; k < Dim; ++k) {
      std::array<const Basis*, Dim> bases;
      bases.fill(&values_);
      bases[k] = &derivatives_;
      columns_[k] = detail::interpolated<Dim>(nodes, bases);
    }
  }
  double determinant(int point) const {
    double jacobian[Dim][Dim];
    for (std::size_t k = 0; k < Dim; ++k) std::copy_n(column(k, point), Dim, jacobian[k]);
    return kolam::detail::determinant(jacobian);
  }
  double scaled(int point) const {
    double lengths = 1;
    for (std::size_t k = 0; k < Dim; ++k) {
      double square = 0;
      for (std::size_t m = 0; m < Dim; ++m) square += column(k, point)[m] * column(k, point)[m];
      lengths *= std::sqrt(square);
    }
    return lengths > 0 ? determinant(point) / lengths : 0;
  }

 private:
  const double* column(std::size_t k, int point) const { return columns_[k].data() + Dim * point; }

  Basis values_;
  Basis derivatives_;
  std::array<std::vector<double>, Dim> columns_;
};

}  // namespace

template <int Dim>
MeshQuality<Dim> quality_of(const Mesh<Dim>& mesh) {
  validate(mesh);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  MeshQuality<Dim> result{};
  result.lower.fill(infinity);
  result.upper.fill(-infinity);
  result.shortest_edge = infinity;
  result.worst_jacobian = infinity;
  result.best_jacobian = -infinity;
  const std::vector<double> lobatto = gauss_lobatto(mesh.order + 1).points;
  const Quadrature gauss = gauss_legendre((Dim * mesh.order + 1) / 2);
  Jacobians<Dim> at_nodes(lobatto, lobatto);
  Jacobians<Dim> at_points(lobatto, gauss.points);
  const int n = mesh.nodes_of_element();
  const auto q1d = static_cast<int>(gauss.points.size());
  for (auto begin = mesh.nodes.begin(); begin < mesh.nodes.end(); begin += n * Dim) {
    const std::vector<double> nodes(begin, begin + n * Dim);
    typename MeshQuality<Dim>::Point middle{};
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const std::size_t k = i % Dim;
      result.lower[k] = std::min(result.lower[k], nodes[i]);
      result.upper[k] = std::max(result.upper[k], nodes[i]);
      middle[k] += nodes[i] / n;
    }
    at_nodes.of(nodes);
    double worst = infinity;
    for (int i = 0; i < n; ++i) worst = std::min(worst, at_nodes.scaled(i));
    if (worst < result.worst_jacobian) {
      result.worst_jacobian = worst;
      result.worst_at = middle;
    }
    result.best_jacobian = std::max(result.best_jacobian, worst);
    at_points.of(nodes);
    for (int q = 0; q < at_points.points(); ++q) {
      double weight = 1;
      for (int k = 0, rest = q; k < Dim; ++k, rest /= q1d)
        weight *= gauss.weights[static_cast<std::size_t>(rest % q1d)];
      result.volume += weight * at_points.determinant(q);
    }
    const auto corners = detail::corners_of<Dim>(nodes.data(), mesh.order);
    const auto corner = [&](int c) { return corners.data() + Dim * c; };
    for (int c = 0; c < 1 << Dim; ++c) {
      for (int k = 0; k < Dim; ++k) {
        if ((c >> k & 1) != 0) continue;
        double square = 0;
        for (int m = 0; m < Dim; ++m)
          square += (corner(c | 1 << k)[m] - corner(c)[m]) * (corner(c | 1 << k)[m] - corner(c)[m]);
        result.shortest_edge = std::min(result.shortest_edge, std::sqrt(square));
        result.longest_edge = std::max(result.longest_edge, std::sqrt(square));
      }
    }
  }
  return result;
}
template MeshQuality<2> quality_of(const Mesh<2>&);
template MeshQuality<3> quality_of(const Mesh<3>&);

template <int Dim>
BoundaryCounts boundary_counts(const Mesh<Dim>& mesh) {
  const auto place = [](const ElementSide& side) { return side.element * 2 * Dim + side.side; };
  std::vector<index_t> outer;  // ascending, as boundary_of is
  for (const ElementSide& side : boundary_of(mesh)) outer.push_back(place(side));
  std::vector<bool> listed(outer.size(), false);
  BoundaryCounts result{static_cast<index_t>(outer.size()), 0, 0};
  for (const BoundarySide& side : mesh.sides) {
    const auto at = std::lower_bound(outer.begin(), outer.end(), place(side.at));
    if (at == outer.end() || *at != place(side.at)) {
      ++result.listed_between;
    } else {
      listed[static_cast<std::size_t>(at - outer.begin())] = true;
    }
  }
  result.unlisted = std::count(listed.begin(), listed.end(), false);
  return result;
}
template BoundaryCounts boundary_counts(const Mesh<2>&);
template BoundaryCounts boundary_counts(const Mesh<3>&);

}  // namespace kolam::fem
