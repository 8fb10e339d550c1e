// SPDX-License-Identifier: Apache-2.0
// Prolongation from a coarse space to a finer one and its transpose, the transfers of multigrid.
#pragma once

#include <Kokkos_Core.hpp>
#include <kolam/core/detail/allocate.hpp>
#include <kolam/fem/operator.hpp>
#include <type_traits>
#include <utility>

namespace kolam::fem {
namespace detail {

// The points of a coarse element are nodes of the finer space. Exactly one element owns each node.
template <class T, int Dim, int Components, ExecutionSpace Exec>
struct OwnedPoints {
  Kokkos::View<const int*, typename Exec::memory_space> owned;  // [points, elements]: the fine
                                                                // unknown, or negative
  Kokkos::View<T*, typename Exec::memory_space> fine;           // [entries, Components]
  index_t elements;
  index_t entries;
  index_t counted;  // fine unknowns that this process owns: the first entries of `fine`
  int q1d;

  // Calls body(lane, unknown) for every SIMD lane whose element owns the point.
  template <class Point, class Body>
  KOKKOS_FUNCTION void each(const Point& at, const Body& body) const {
    const int points = kolam::detail::power(q1d, Dim);
    const int point = at.index[0] + q1d * (at.index[1] + (Dim == 3 ? q1d * at.index[Dim - 1] : 0));
    for (int lane = 0; lane < simd_width<Exec, T>; ++lane) {
      if (at.element + lane >= elements) return;
      const int dof = owned(point + points * (at.element + lane));
      if (dof >= 0) body(lane, dof);
    }
  }
};

// fine += P coarse.
template <class T, int Dim, int Components, ExecutionSpace Exec>
struct Prolongation : OwnedPoints<T, Dim, Components, Exec> {
  static constexpr int components = Components;
  static constexpr auto reads = Evaluation::values;
  static constexpr auto writes = Evaluation::none;
  using sizes = ElementSizeList<>;

  template <ExecutionSpace Other>
  Prolongation<T, Dim, Components, Other> on_space() const {
    return {{this->owned, this->fine, this->elements, this->entries, this->counted, this->q1d}};
  }

  template <class Point>
  KOKKOS_FUNCTION void operator()(Point& at) const {
    T values[Components][simd_width<Exec, T>];
    for (int c = 0; c < Components; ++c) kolam::detail::store_simd(values[c], at.value[c]);
    this->each(at, [&](int lane, index_t dof) {
      for (int c = 0; c < Components; ++c) this->fine(dof + c * this->entries) += values[c][lane];
    });
  }
};

// coarse += P^T fine.
template <class T, int Dim, int Components, ExecutionSpace Exec>
struct RestrictionToCoarse : OwnedPoints<T, Dim, Components, Exec> {
  static constexpr int components = Components;
  static constexpr auto reads = Evaluation::none;
  static constexpr auto writes = Evaluation::values;
  using sizes = ElementSizeList<>;

  template <ExecutionSpace Other>
  RestrictionToCoarse<T, Dim, Components, Other> on_space() const {
    return {{this->owned, this->fine, this->elements, this->entries, this->counted, this->q1d}};
  }

  template <class Point>
  KOKKOS_FUNCTION void operator()(Point& at) const {
    T values[Components][simd_width<Exec, T>] = {};
    this->each(at, [&](int lane, index_t dof) {
      if (dof >= this->counted) return;
      for (int c = 0; c < Components; ++c) values[c][lane] = this->fine(dof + c * this->entries);
    });
    for (int c = 0; c < Components; ++c)
      at.value[c] = kolam::detail::load_simd<typename Point::value_type>(values[c]);
  }
};

// owned = unknown of each point; first = first point of each unknown.
template <class Exec, class FineDof>
struct FindFirstPoints {
  index_t each;
  FineDof fine_dof;
  Kokkos::View<index_t*, typename Exec::memory_space> first;
  Kokkos::View<int*, typename Exec::memory_space> owned;
  KOKKOS_FUNCTION void operator()(index_t n) const {
    const index_t dof = fine_dof(n / each, static_cast<int>(n % each));
    owned(n) = static_cast<int>(dof);
    if (dof >= 0) Kokkos::atomic_min(&first(dof), n);
  }
};

template <class Exec>
struct KeepFirstPoints {
  Kokkos::View<index_t*, typename Exec::memory_space> first;
  Kokkos::View<int*, typename Exec::memory_space> owned;
  KOKKOS_FUNCTION void operator()(index_t n) const {
    if (owned(n) >= 0 && first(owned(n)) != n) owned(n) = -1;
  }
};

// owned(n) = the unknown of point n if n is the first point of that unknown, else negative.
template <ExecutionSpace Exec, class FineDof>
void own_points(const Exec& exec, index_t count, index_t each, const FineDof& fine_dof,
                const Kokkos::View<index_t*, typename Exec::memory_space>& first,
                const Kokkos::View<int*, typename Exec::memory_space>& owned) {
  forall(exec, "kolam::first points", count,
         FindFirstPoints<Exec, FineDof>{each, fine_dof, first, owned});
  forall(exec, "kolam::owned points", count, KeepFirstPoints<Exec>{first, owned});
  exec.fence("kolam::own_points");
}

}  // namespace detail

/// The prolongation P from a coarse space to a finer one that contains it, and its transpose. The
/// fine space has a higher order on the same mesh, or order 1 on a mesh with halved elements. P
/// evaluates coarse functions at the nodes of the fine space. Copies share the memory: one use at a
/// time. All processes of the spaces call it. Throws InvalidArgument if a vector is too short.
template <class T, int Dim, ExecutionSpace Exec>
class SpaceTransfer {
 public:
  /// Sets up the transfer. `points` are the nodes of the fine space along one direction of a coarse
  /// element, on [0, 1]. fine_dof(e, i), callable on Exec, returns the unknown of the fine space at
  /// point i (x fastest) of coarse element e, or a negative number. `fine_rows` are the rows of the
  /// fine space, with the number of components of vectors; one and Dim components take one kernel,
  /// other numbers one kernel per component. Waits. Takes 4 bytes for each point of each element.
  template <class FineDof>
  SpaceTransfer(const FunctionSpace<T, Dim, Exec>& coarse, const std::vector<double>& points,
                const comm::RowDistribution& fine_rows, const FineDof& fine_dof)
      : coarse_(coarse),
        fine_rows_(fine_rows),
        owned_(own(coarse, points, fine_rows.here, fine_dof)) {
    basis_.values = lagrange_basis(coarse.basis.nodes, points);
    basis_.gradients = lagrange_basis(points, points);
    basis_.nodes = coarse.basis.nodes;
    basis_.quadrature = {points, std::vector<double>(points.size(), 1.0)};
    basis_.collocated = false;
    matrices_ = std::make_shared<kolam::detail::RunTimeMatrices<T, Exec>>(coarse.exec, basis_);
  }

  /// Adds P coarse to `fine`, [fine unknowns, components]. `coarse` has the same number of
  /// components on the coarse unknowns.
  void prolongate(const linear::ConstVector<T, Exec>& coarse,
                  const linear::Vector<T, Exec>& fine) const {
    require(coarse.extent(0), fine.extent(0));
    each_group([&]<int N>(std::integral_constant<int, N>, int first) {
      const detail::Prolongation<T, Dim, N, Exec> up{points_of<N>(fine, first)};
      apply(up, from(coarse, first, coarse_.dofs.entries), {});
    });
  }
  /// Computes coarse = P^T fine.
  void restrict_to_coarse(const linear::Vector<T, Exec>& fine,
                          const linear::Vector<T, Exec>& coarse) const {
    require(coarse.extent(0), fine.extent(0));
    linear::detail::set_zero<T>(coarse_.exec, coarse);
    coarse_.begin_sum(coarse, fine_rows_.components);
    each_group([&]<int N>(std::integral_constant<int, N>, int first) {
      const detail::RestrictionToCoarse<T, Dim, N, Exec> down{points_of<N>(fine, first)};
      apply(down, {}, from(coarse, first, coarse_.dofs.entries));
    });
    coarse_.end_sum(coarse, fine_rows_.components);
  }

 private:
  using Owned = Kokkos::View<int*, typename Exec::memory_space>;

  void require(std::size_t coarse, std::size_t fine) const {
    kolam::detail::require_length("fine", fine, fine_rows_.here, fine_rows_.components);
    kolam::detail::require_length("coarse", coarse, coarse_.dofs.entries, fine_rows_.components);
  }
  // Calls body(N, first) for every group of N components from `first` on that share a kernel.
  template <class Body>
  void each_group(const Body& body) const {
    if (fine_rows_.components == Dim) {
      body(std::integral_constant<int, Dim>{}, 0);
    } else {
      for (int c = 0; c < fine_rows_.components; ++c) body(std::integral_constant<int, 1>{}, c);
    }
  }
  // Returns the part of a vector from a component on.
  template <class View>
  static View from(const View& vector, int component, index_t entries) {
    return Kokkos::subview(vector,
                           std::pair(component * entries, static_cast<index_t>(vector.extent(0))));
  }
  template <int N>
  detail::OwnedPoints<T, Dim, N, Exec> points_of(const linear::Vector<T, Exec>& fine,
                                                 int first) const {
    return {owned_,
            from(fine, first, fine_rows_.here),
            coarse_.elements(),
            fine_rows_.here,
            fine_rows_.owned,
            basis_.q1d()};
  }
  template <class F>
  void apply(const F& f, const linear::ConstVector<T, Exec>& from,
             const linear::Vector<T, Exec>& to) const {
    const ElementRestriction<T, Exec>& map = coarse_.dofs;
    const auto a = kolam::detail::make_operator<Dim, T, Exec>(coarse_.exec, basis_, f, map, map,
                                                              matrices_.get());
    a.apply_add(from, to);
    a.finish();
  }

  // Returns the unknown of each point that is the first point of its unknown; negative elsewhere.
  template <class FineDof>
  static Owned own(const FunctionSpace<T, Dim, Exec>& coarse, const std::vector<double>& points,
                   index_t fine_unknowns, const FineDof& fine_dof) {
    const Exec& exec = coarse.exec;
    const index_t each = kolam::detail::power(static_cast<int>(points.size()), Dim);
    const index_t count = each * coarse.elements();
    const auto owned = kolam::detail::allocate_view<Owned>(exec, "kolam::owned points", count);
    const auto first =
        kolam::detail::allocate_view<Kokkos::View<index_t*, typename Exec::memory_space>>(
            exec, "kolam::first points", fine_unknowns);
    Kokkos::deep_copy(kokkos_instance(exec), first, count);
    detail::own_points(exec, count, each, fine_dof, first, owned);
    return owned;
  }

  FunctionSpace<T, Dim, Exec> coarse_;
  comm::RowDistribution fine_rows_;
  Owned owned_;
  ElementBasis basis_;
  std::shared_ptr<kolam::detail::RunTimeMatrices<T, Exec>>
      matrices_;  // and a workspace: one use at a time
};

}  // namespace kolam::fem
