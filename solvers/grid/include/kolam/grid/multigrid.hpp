// SPDX-License-Identifier: Apache-2.0
// Multigrid for stencils on grids.
#pragma once

#include <Kokkos_Core.hpp>
#include <kolam/grid/detail/grid_transfer.hpp>
#include <kolam/grid/stencil_operator.hpp>
#include <kolam/linear/multigrid.hpp>
#include <memory>
#include <vector>

namespace kolam::grid {
namespace detail {

// A stencil with the weights of all neighbours, corners included, stored at each point: x fastest,
// from (-1, -1[, -1]) to (1, 1[, 1]).
template <int N>
struct StoredStencil {
  static constexpr int dimensions = N;
  static constexpr int coefficients = N == 2 ? 9 : 27;
  static constexpr bool corners = true;

  template <class U, class... K>
  KOKKOS_FUNCTION auto operator()(const U& u, const K&... weights) const {
    auto sum = 0 * u.center();
    int number = 0;
    ((sum += weights * at(u, number++)), ...);
    return sum;
  }

 private:
  template <class U>
  KOKKOS_FORCEINLINE_FUNCTION static auto at(const U& u, int number) {
    if constexpr (N == 2) return u(number % 3 - 1, number / 3 - 1);
    if constexpr (N == 3) return u(number % 3 - 1, number / 3 % 3 - 1, number / 9 - 1);
  }
};

// Colours of the points of a dimension: a point and its two neighbours have different colours.
struct Colours {
  index_t extent;
  bool periodic;

  // (If the end of a periodic dimension would not match its beginning, its last points have their
  // own colours.)
  KOKKOS_FUNCTION index_t rest() const { return periodic ? extent % 3 : 0; }
  index_t count() const { return std::min(extent, index_t{3} + rest()); }
  KOKKOS_FUNCTION index_t of(index_t index) const {
    if (extent <= 5 && periodic) return index;
    return index < extent - rest() ? index % 3 : 3 + index - (extent - rest());
  }
  // Returns the offset, -1 to 1, of the point with a colour next to or at `index`; 2 if there is
  // none.
  KOKKOS_FUNCTION int neighbour(index_t index, index_t colour) const {
    const int offsets[] = {0, -1, 1};
    for (const int offset : offsets) {
      index_t next = index + offset;
      if (periodic) next = (next + extent) % extent;
      if (next >= 0 && next < extent && of(next) == colour) return offset;
    }
    return 2;
  }
};

// Sets x to 1 at the points of a colour, else to 0.
template <class T, int N>
struct SetColour {
  Kokkos::Array<Colours, static_cast<std::size_t>(N)> colours;
  PerDimension<index_t, N> own, first, colour;
  T* x;
  template <class... Index>
  KOKKOS_FUNCTION void operator()(Index... index) const {
    const PerDimension<index_t, N> at{index...};
    bool has_it = true;
    for (std::size_t d = 0; d < N; ++d)
      has_it = has_it && colours[d].of(first[d] + at[d]) == colour[d];
    x[kolam::detail::vector_place<N>(own, at)] = has_it ? T(1) : T(0);
  }
};

// Stores a product with a colour: it has the weights of the neighbours of that colour.
template <class T, int N>
struct StoreWeights {
  Kokkos::Array<Colours, static_cast<std::size_t>(N)> colours;
  PerDimension<index_t, N> own, first, colour;
  const T* product;
  Kokkos::Array<T*, static_cast<std::size_t>(StoredStencil<N>::coefficients)> weights;
  template <class... Index>
  KOKKOS_FUNCTION void operator()(Index... index) const {
    const PerDimension<index_t, N> at{index...};
    int number = 0;
    for (std::size_t d = N; d-- > 0;) {
      const int offset = colours[d].neighbour(first[d] + at[d], colour[d]);
      if (offset > 1) return;
      number = 3 * number + offset + 1;
    }
    const index_t row = kolam::detail::vector_place<N>(own, at);
    weights[static_cast<std::size_t>(number)][row] = product[row];
  }
};

// Returns P^T A P. Points of a coarser grid that are two apart or more are not coupled, so one
// application of A gives the weights of all points of a colour.
template <class T, class S, ExecutionSpace Exec, class F, int N = S::dimensions>
StencilOperator<T, StoredStencil<N>, Exec> galerkin(const StencilOperator<T, S, Exec, F>& fine,
                                                    const GridTransfer<T, N, Exec>& transfer) {
  const Exec& exec = fine.exec();
  const comm::Decomposition<N>& cut = transfer.coarse_cut();
  Grid<N> grid = fine.grid();
  grid.extents = cut.extents();
  // (Weights beyond sides are 0, but boundaries still determine how the next grid is interpolated.)
  for (auto& sides : grid.boundaries)
    for (Boundary& side : sides) {
      if (side == Boundary::mirror) side = Boundary::no_flux;
      if (side != Boundary::periodic && side != Boundary::no_flux) side = Boundary::dirichlet;
    }
  StencilOperator<T, StoredStencil<N>, Exec> coarse(exec, {}, grid, {}, cut);

  constexpr auto count = static_cast<std::size_t>(StoredStencil<N>::coefficients);
  std::vector<linear::detail::WorkVector<T, Exec>> weights;
  StoreWeights<T, N> store{};
  for (std::size_t w = 0; w < count; ++w) {
    weights.emplace_back(exec, "weights of a coarser stencil", coarse.rows());
    store.weights[w] = weights[w].data();
  }
  const linear::detail::WorkVector<T, Exec> x(exec, "coarse colour", coarse.rows());
  const linear::detail::WorkVector<T, Exec> y(exec, "coarse product", coarse.rows());
  const linear::detail::WorkVector<T, Exec> fine_x(exec, "fine colour", fine.rows());
  const linear::detail::WorkVector<T, Exec> fine_y(exec, "fine product", fine.rows());
  const Box<N> own = coarse.own();
  index_t colours = 1;
  for (std::size_t d = 0; d < N; ++d) {
    store.colours[d] = {grid.extents[d], grid.boundaries[d][0] == Boundary::periodic};
    store.own[d] = own[d].end - own[d].begin;
    store.first[d] = own[d].begin;
    colours *= store.colours[d].count();
  }
  store.product = y.data();
  const Box<N> all = transfer.coarse_layout().all();
  for (index_t number = 0; number < colours; ++number) {
    index_t rest = number;
    for (std::size_t d = 0; d < N; ++d) {
      store.colour[d] = rest % store.colours[d].count();
      rest /= store.colours[d].count();
    }
    for_each(exec, "kolam::grid: colour", all,
             SetColour<T, N>{store.colours, store.own, store.first, store.colour, x.data()});
    linear::detail::set_zero<T>(exec, fine_x);
    transfer.prolongate(x, fine_x);
    fine.apply(fine_x, fine_y);
    transfer.restrict_to_coarse(fine_y, y);
    for_each(exec, "kolam::grid: weights", all, store);
  }
  for (std::size_t w = 0; w < count; ++w)
    coarse.set_coefficient(static_cast<int>(w), linear::ConstVector<T, Exec>(weights[w]));
  return coarse;
}

// Returns the dimensions that can be coarsened with points in every subdomain; none if at most 100
// points are left.
template <int N>
typename comm::Decomposition<N>::Flags dimensions_to_coarsen(const comm::Decomposition<N>& cut) {
  typename comm::Decomposition<N>::Flags result{};
  index_t points = 1;
  for (const index_t extent : cut.extents()) points *= extent;
  if (points <= 100) return result;
  result.fill(true);
  for (std::size_t d = 0; d < N; ++d) result[d] = cut.extents()[d] >= 3;
  for (int part = 0; part < cut.subdomains(); ++part) {
    const Box<N> own = cut.own(part);
    for (std::size_t d = 0; d < N; ++d)
      result[d] = result[d] && (own[d].begin + 1) / 2 < (own[d].end + 1) / 2;
  }
  return result;
}

template <class A, class T, ExecutionSpace Exec>
void add_coarser(const A& fine, linear::Multigrid<T, Exec>& result) {
  constexpr int N = A::dimensions;
  const auto dimensions = dimensions_to_coarsen<N>(fine.decomposition());
  if (dimensions == typename comm::Decomposition<N>::Flags{}) return;
  using Transfer = GridTransfer<T, N, Exec>;
  const auto transfer = std::make_shared<const Transfer>(
      fine.exec(), fine.grid(), fine.decomposition(),
      own_boundaries<N>(fine.grid(), fine.decomposition()), dimensions);
  const auto coarse = galerkin(fine, *transfer);
  result.add(linear::AnyOperator{coarse},
             {[=](const auto& from, const auto& to) { transfer->prolongate(from, to); },
              [=](const auto& from, const auto& to) { transfer->restrict_to_coarse(from, to); }});
  add_coarser(coarse, result);
}

}  // namespace detail

/// Returns multigrid for a symmetric positive definite stencil operator on any grid: a
/// preconditioner of conjugate gradients. A level has every second point of the level before, in
/// every dimension with 3 points or more, until 100 points are left or a process would have none.
/// Its matrix is P^T A P with P linear interpolation, 9 or 27 weights stored at each point.
/// Therefore any stencil, coefficients and boundaries are allowed; convergence is slower if
/// coefficients jump by orders of magnitude or differ much between directions.
/// \code
///   const auto m = kolam::grid::multigrid(a);
///   ...
///   const auto result = kolam::conjugate_gradient(a, m, old, u, {.rtol = 1e-12});
/// \endcode
/// Set-up: 9 or 27 applications of each level, more in periodic dimensions, and that of
/// Multigrid::add. Memory of all coarser levels: 4.3 vectors of the grid of `a` in 2D, 4.4 in 3D. All
/// processes call it. Waits. Throws OutOfMemory, and InvalidArgument for a coefficient that was never set.
/// (Briggs, Henson and McCormick 2000.)
template <class T, class S, ExecutionSpace Exec, class F>
linear::Multigrid<T, Exec> multigrid(const StencilOperator<T, S, Exec, F>& a,
                                     const linear::MultigridOptions& options = {}) {
  static_assert(stencil_fields<S> == 1, "grid::multigrid is for stencils of one field");
  linear::Multigrid<T, Exec> result(linear::AnyOperator{a}, options);
  detail::add_coarser(a, result);
  return result;
}

}  // namespace kolam::grid
