// SPDX-License-Identifier: Apache-2.0
// Transfers between the vectors of a grid and of a coarser one with every second point: linear
// interpolation, and its transpose.
#pragma once

#include <Kokkos_Core.hpp>
#include <kolam/grid/detail/vector_ghosts.hpp>
#include <memory>

namespace kolam::grid::detail {

// A vector with the ghosts from its neighbours, if there are any: values in the subdomain and one
// point around it, but not beyond sides of the grid that are not periodic.
template <class T, int N>
struct ValuesAround {
  const T* x;
  const T* ghosts;
  FieldLayout<N> layout;
  Boundaries<N> boundaries;

  KOKKOS_FUNCTION T operator()(PerDimension<index_t, N> at) const {
    bool own = true;
    for (std::size_t d = 0; d < N; ++d) {
      if (at[d] >= 0 && at[d] < layout.own[d]) continue;
      const Boundary boundary = boundaries[d][at[d] < 0 ? 0 : 1];
      if (boundary == Boundary::periodic) {
        at[d] = at[d] < 0 ? layout.own[d] - 1 : 0;
      } else {
        own = false;
      }
    }
    return own ? x[kolam::detail::vector_place<N>(layout.own, at)]
               : ghosts[kolam::detail::field_place<N>(layout, at)];
  }
};

// Interpolation along one dimension: points of even indices have the values of the coarser grid,
// points between them the mean of their two neighbours.
struct AlongDimension {
  bool coarsened;
  bool periodic;
  // A last point without a second neighbour has the value of the first, else half of it.
  bool keeps_constants;
  index_t extent;  // of the finer grid
  index_t first;   // of its subdomain
  index_t coarse_first;

  struct Part {
    index_t at;  // index in the other grid's subdomain
    double weight;
  };
  // Sets the parts of a fine point: result[0], and result[1] if its weight is not 0.
  KOKKOS_FUNCTION void of_fine(index_t at, Part (&result)[2]) const {
    const index_t global = first + at;
    if (!coarsened || global % 2 == 0) {
      result[0] = {coarsened ? global / 2 - coarse_first : at, 1};
      result[1] = {0, 0};
      return;
    }
    const index_t before = (global - 1) / 2 - coarse_first;
    const bool between = global + 1 < extent || periodic;
    result[0] = {before, between || !keeps_constants ? 0.5 : 1};
    result[1] = {before + 1, between ? 0.5 : 0};
  }
  // The transpose: sets the parts of a coarse point, from the fine points at -1, 0 and 1; parts of
  // weight 0 are ignored.
  KOKKOS_FUNCTION void of_coarse(index_t at, Part (&result)[3]) const {
    if (!coarsened) {
      result[0] = result[2] = {0, 0};
      result[1] = {at, 1};
      return;
    }
    const index_t global = 2 * (coarse_first + at);
    const index_t here = global - first;
    // (In a periodic dimension of odd extent no fine point is between the last and the first.)
    const bool has_before = global > 0 || (periodic && extent % 2 == 0);
    const bool is_between = global + 2 < extent || periodic;
    result[0] = {here - 1, has_before ? 0.5 : 0};
    result[1] = {here, 1};
    result[2] = {here + 1, global + 1 >= extent ? 0 : is_between || !keeps_constants ? 0.5 : 1};
  }
};

// fine += P coarse.
template <class T, int N>
struct Prolongate {
  Kokkos::Array<AlongDimension, static_cast<std::size_t>(N)> along;
  ValuesAround<T, N> coarse;
  PerDimension<index_t, N> fine_own;
  T* fine;

  template <class... Index>
  KOKKOS_FUNCTION void operator()(Index... index) const {
    const PerDimension<index_t, N> at{index...};
    AlongDimension::Part parts[N][2];
    for (std::size_t d = 0; d < N; ++d) along[d].of_fine(at[d], parts[d]);
    double sum = 0;
    for (int corner = 0; corner < 1 << N; ++corner) {
      double weight = 1;
      PerDimension<index_t, N> from{};
      for (std::size_t d = 0; d < N; ++d) {
        const auto& part = parts[d][corner >> d & 1];
        weight *= part.weight;
        from[d] = part.at;
      }
      if (weight != 0) sum += weight * coarse(from);
    }
    fine[kolam::detail::vector_place<N>(fine_own, at)] += static_cast<T>(sum);
  }
};

// coarse = P^T fine.
template <class T, int N>
struct Restrict {
  Kokkos::Array<AlongDimension, static_cast<std::size_t>(N)> along;
  ValuesAround<T, N> fine;
  PerDimension<index_t, N> coarse_own;
  T* coarse;

  template <class... Index>
  KOKKOS_FUNCTION void operator()(Index... index) const {
    const PerDimension<index_t, N> at{index...};
    AlongDimension::Part parts[N][3];
    for (std::size_t d = 0; d < N; ++d) along[d].of_coarse(at[d], parts[d]);
    double sum = 0;
    const int planes = N == 3 ? 3 : 1;
    for (int c = 0; c < planes; ++c)
      for (int b = 0; b < 3; ++b)
        for (int a = 0; a < 3; ++a) {
          const int which[3] = {a, b, c};
          double weight = 1;
          PerDimension<index_t, N> from{};
          for (std::size_t d = 0; d < N; ++d) {
            const auto& part = parts[d][which[d]];
            weight *= part.weight;
            from[d] = part.at;
          }
          if (weight != 0) sum += weight * fine(from);
        }
    coarse[kolam::detail::vector_place<N>(coarse_own, at)] = static_cast<T>(sum);
  }
};

// A coarser grid, and the transfers of vectors to it and back.
template <class T, int N, ExecutionSpace Exec>
class GridTransfer {
 public:
  using Flags = typename comm::Decomposition<N>::Flags;

  // grid: the finer Grid<N>, cut as `cut`; dimensions: those to coarsen. Throws as
  // Decomposition::coarser and HaloExchange do.
  template <class Grid>
  GridTransfer(const Exec& exec, const Grid& grid, const comm::Decomposition<N>& cut,
               const Boundaries<N>& own_boundaries, const Flags& dimensions)
      : exec_(exec),
        coarse_cut_(cut.coarser(dimensions)),
        boundaries_(own_boundaries),
        fine_(std::make_shared<VectorGhosts<T, N, Exec>>(exec, grid, cut, own_boundaries,
                                                         Ghosts::corners)),
        coarse_(std::make_shared<VectorGhosts<T, N, Exec>>(exec, grid, coarse_cut_, own_boundaries,
                                                           Ghosts::corners)) {
    const int rank = grid.communicator.rank();
    for (std::size_t d = 0; d < N; ++d) {
      const Boundary end = grid.boundaries[d][1];
      along_[d] = {dimensions[d],
                   end == Boundary::periodic,
                   end == Boundary::no_flux || end == Boundary::mirror,
                   grid.extents[d],
                   cut.own(rank)[d].begin,
                   coarse_cut_.own(rank)[d].begin};
    }
  }

  const comm::Decomposition<N>& coarse_cut() const { return coarse_cut_; }
  // Returns the layout of the coarser grid's subdomain.
  const FieldLayout<N>& coarse_layout() const { return coarse_->layout(); }

  // fine += P coarse. Asynchronous. Moves fine twice and coarse once.
  void prolongate(const linear::ConstVector<T, Exec>& coarse,
                  const linear::Vector<T, Exec>& fine) const {
    for_each(exec_, "kolam::grid: prolongate", fine_->layout().all(),
             Prolongate<T, N>{along_, around(*coarse_, coarse.data()), fine_->layout().own,
                              fine.data()});
  }
  // coarse = P^T fine. Asynchronous. Moves both once.
  void restrict_to_coarse(const linear::ConstVector<T, Exec>& fine,
                          const linear::Vector<T, Exec>& coarse) const {
    for_each(
        exec_, "kolam::grid: restrict", coarse_->layout().all(),
        Restrict<T, N>{along_, around(*fine_, fine.data()), coarse_->layout().own, coarse.data()});
  }

 private:
  ValuesAround<T, N> around(VectorGhosts<T, N, Exec>& ghosts, const T* x) const {
    if (ghosts.has_neighbours()) {
      ghosts.start(x);
      ghosts.finish();
    }
    return {x, ghosts.data(), ghosts.layout(), boundaries_};
  }

  Exec exec_;
  comm::Decomposition<N> coarse_cut_;
  Boundaries<N> boundaries_;
  std::shared_ptr<VectorGhosts<T, N, Exec>> fine_, coarse_;
  Kokkos::Array<AlongDimension, static_cast<std::size_t>(N)> along_ = {};
};

}  // namespace kolam::grid::detail
