// SPDX-License-Identifier: Apache-2.0
// The materials of cells: the regions of a heat problem on devices, and functors that use them.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <kolam/grid/detail/vector_ghosts.hpp>
#include <kolam/grid/heat.hpp>

namespace kolam::grid::detail {

template <int N>
Extents<N> cells_of(const HeatOptions& options) {
  Extents<N> cells{options.nx, options.ny};
  if constexpr (N == 3) cells[2] = options.nz;
  return cells;
}

// A HeatRegion for devices, without std::array.
struct Region {
  HeatRegion::Shape shape;
  double from[3], to[3];
  double radius, density, energy;

  Region() = default;
  explicit Region(const HeatRegion& of)
      : shape(of.shape), radius(of.radius), density(of.density), energy(of.energy) {
    std::copy(of.from.begin(), of.from.end(), from);
    std::copy(of.to.begin(), of.to.end(), to);
  }
};

// The materials of the cells.
template <int N, class Space>
struct Material {
  Kokkos::View<const Region*, Space> regions;
  double from[N], width[N];
  index_t cells[N];

  // Returns the last region that has the cell; cells beyond a side count as the nearest cell.
  KOKKOS_FUNCTION Region at(const PerDimension<index_t, N>& where) const {
    PerDimension<index_t, N> cell = where;
    for (std::size_t d = 0; d < N; ++d)
      cell[d] = Kokkos::max(index_t{0}, Kokkos::min(cell[d], cells[d] - 1));
    auto last = static_cast<index_t>(regions.extent(0)) - 1;
    while (last > 0 && !has(regions(last), cell)) --last;
    return regions(last);
  }

 private:
  KOKKOS_FUNCTION bool has(const Region& region, const PerDimension<index_t, N>& cell) const {
    double square = 0;
    bool result = true;
    for (std::size_t d = 0; d < N; ++d) {
      // Positions in units of cells.
      const double first = (region.from[d] - from[d]) / width[d];
      const double last = (region.to[d] - from[d]) / width[d];
      const auto low = static_cast<double>(cell[d]);
      const double off = (low + 0.5 - first) * width[d];
      square += off * off;
      if (region.shape == HeatRegion::Shape::box)
        result = result && low + 1 >= first + 0.01 && low < last - 0.01;
      if (region.shape == HeatRegion::Shape::point)
        result = result && low <= first && first < low + 1;
    }
    if (region.shape == HeatRegion::Shape::ball) return square <= region.radius * region.radius;
    return result;
  }
};

template <int N, class Space>
struct ConductivityAt {
  Material<N, Space> material;
  bool of_density;
  template <class... Index>
  KOKKOS_FUNCTION double operator()(Index... index) const {
    const double density = material.at({index...}).density;
    return of_density ? density : 1 / density;
  }
};

// u at the start: energy times density.
template <int N, class Space>
struct StartAt {
  Material<N, Space> material;
  template <class... Index>
  KOKKOS_FUNCTION double operator()(Index... index) const {
    const Region region = material.at({index...});
    return region.density * region.energy;
  }
};

// sums += density, u, density u.
template <int N, class Space>
struct AddUp {
  Material<N, Space> material;
  PerDimension<index_t, N> own, first;
  const double* u;

  KOKKOS_FUNCTION void operator()(index_t i, index_t j, double (&sums)[3]) const {
    add({i, j}, sums);
  }
  KOKKOS_FUNCTION void operator()(index_t i, index_t j, index_t k, double (&sums)[3]) const {
    add({i, j, k}, sums);
  }

 private:
  KOKKOS_FUNCTION void add(const PerDimension<index_t, N>& at, double (&sums)[3]) const {
    PerDimension<index_t, N> cell = at;
    for (std::size_t d = 0; d < N; ++d) cell[d] += first[d];
    const double density = material.at(cell).density;
    const double value = u[kolam::detail::vector_place<N>(own, at)];
    sums[0] += density;
    sums[1] += value;
    sums[2] += density * value;
  }
};

}  // namespace kolam::grid::detail
