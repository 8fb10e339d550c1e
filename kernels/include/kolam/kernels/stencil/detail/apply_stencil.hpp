// SPDX-License-Identifier: Apache-2.0
// Products of a stencil's matrix with vectors.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <kolam/core/for_each.hpp>
#include <kolam/kernels/box_sums.hpp>
#include <kolam/kernels/stencil/detail/apply_stencil_host.hpp>
#include <string>
#include <utility>

namespace kolam::detail {

// (Called without sums if the target adds none.)
template <class Matrix, class X, class Target>
struct ApplyInside {
  // (On an H200 the seven-point operator takes 0.87 of the time with 64 registers a thread instead of
  // the compiler's choice, and x . A x takes 0.86 with 72 instead of 64.)
  static constexpr unsigned resident_blocks = Matrix::fields > 1 ? 0 : Target::adds_dot ? 7 : 8;
  Matrix matrix;
  X x;
  Target target;
  FoldedSides<Matrix::N> sides;
  KOKKOS_FORCEINLINE_FUNCTION double at(const PerDimension<index_t, Matrix::N>& point) const {
    return at(point, typename Matrix::Fields{});
  }
  template <std::size_t... Field>
  KOKKOS_FORCEINLINE_FUNCTION double at(const PerDimension<index_t, Matrix::N>& point,
                                        std::index_sequence<Field...> fields) const {
    const index_t row = matrix.row_of(point);
    return put_fields(
        matrix, target, x, row,
        matrix.at(point, FoldedNeighbours<X, Matrix::N>(x + matrix.first_row(Field) + row, sides,
                                                        matrix.sides.own, point)...),
        fields);
  }
  KOKKOS_FORCEINLINE_FUNCTION void operator()(index_t i, index_t j) const { at({i, j}); }
  KOKKOS_FORCEINLINE_FUNCTION void operator()(index_t i, index_t j, index_t k) const {
    at({i, j, k});
  }
  KOKKOS_FORCEINLINE_FUNCTION void operator()(index_t i, index_t j, double (&sums)[1]) const {
    sums[0] += at({i, j});
  }
  KOKKOS_FORCEINLINE_FUNCTION void operator()(index_t i, index_t j, index_t k,
                                              double (&sums)[1]) const {
    sums[0] += at({i, j, k});
  }
};

template <class Matrix, class X, class Target>
struct ApplyAtRim {
  Matrix matrix;
  X x;
  Target target;
  RimPoints<Matrix::N> rim;
  KOKKOS_FUNCTION void operator()(index_t number) const { at(rim.point(number)); }
  KOKKOS_FUNCTION void operator()(index_t number, double (&sums)[1]) const {
    sums[0] += at(rim.point(number));
  }

 private:
  KOKKOS_FUNCTION double at(const PerDimension<index_t, Matrix::N>& point) const {
    return put_at(matrix, target, x, point, typename Matrix::Fields{});
  }
};

// Workspace of x . A x; `wait` returns the value after inside and rim have been applied.
template <int N, ExecutionSpace Exec>
class StencilDot {
 public:
  StencilDot(const Exec& exec, const PerDimension<index_t, N>& own, const Boundaries<N>& boundaries)
      : StencilDot(exec, own, FoldedSides<N>(own, boundaries).inside) {}

  template <class Apply>
  void add_inside(const std::string& label, const Box<N>& inside, const Apply& apply) const {
    Inside::add_blocks(blocks_.exec(), label, inside, apply, blocks_of(0, inside_));
  }
  // Then calls then(sums) on the device, once.
  template <class Apply, class Then>
  void add_rim(const std::string& label, index_t points, const Apply& apply,
               const Then& then) const {
    Rim::add_blocks(blocks_.exec(), label, points, apply, blocks_of(inside_, blocks_.blocks()));
    blocks_.finish("kolam::stencil: x . A x", then);
  }
  StoreSums<1> store() const { return blocks_.store(); }
  double wait() const { return blocks_.wait("kolam::stencil: x . A x")[0]; }

 private:
  using Inside = BoxSums<1, N, Exec>;
  using Rim = VectorSums<1, Exec>;

  StencilDot(const Exec& exec, const PerDimension<index_t, N>& own, const Box<N>& inside)
      : inside_(Inside::blocks_of(inside)),
        blocks_(exec, inside_ + Rim::blocks_of(RimPoints<N>(own, inside).count())) {}

  typename Rim::Partial blocks_of(index_t first, index_t end) const {
    return Kokkos::subview(blocks_.partial(), std::pair(first, end), Kokkos::ALL);
  }

  index_t inside_;  // blocks of the inside, before those of the rim
  SumsOfBlocks<1, Exec> blocks_;
};

// On hosts: one sum for each part of the points.
template <int N, ExecutionSpace Exec>
  requires(!has_block_threads<Exec>)
class StencilDot<N, Exec> {
 public:
  StencilDot(const Exec& exec, const PerDimension<index_t, N>& own, const Boundaries<N>&)
      : parts(exec, (points_of(own) + entries_of_block - 1) / entries_of_block) {}

  SumsOfBlocks<1, Exec> parts;

  StoreSums<1> store() const { return parts.store(); }
  double wait() const {
    parts.finish("kolam::stencil: x . A x", store());
    return parts.wait("kolam::stencil: x . A x")[0];
  }

 private:
  static index_t points_of(const PerDimension<index_t, N>& own) {
    index_t points = 1;
    for (std::size_t d = 0; d < N; ++d) points *= own[d];
    return points;
  }
};

// Puts a product of the matrix with x, a const T* or Combination<T>, in some rows, into a target.
// `dot` is for targets that add a dot product; on devices the rows of the rim, which come last, then
// call then(sums) with it.
template <class Exec, class Matrix, class X, class Target, class Then = StoreSums<1>>
void apply_stencil(const Exec& exec, const Matrix& matrix, const X& x, const Target& target,
                   StencilRows which,
                   [[maybe_unused]] const StencilDot<Matrix::N, Exec>* dot = nullptr,
                   [[maybe_unused]] const Then& then = {}) {
  constexpr int N = Matrix::N;
  constexpr bool with_sums = Target::adds_dot;
  if constexpr (has_block_threads<Exec>) {
    const FoldedSides<N> folded(matrix.sides.own, matrix.sides.boundaries);
    if (which != StencilRows::rim) {
      const char* const label = "kolam::stencil: y = A x";
      const ApplyInside<Matrix, X, Target> apply{matrix, x, target, folded};
      if constexpr (with_sums) {
        dot->add_inside(label, folded.inside, apply);
      } else {
        for_each_in_tiles(exec, label, folded.inside, apply);  // (One kernel to compile, not two.)
      }
    }
    if (which != StencilRows::inside) {
      const char* const label = "kolam::stencil: y = A x at sides";
      const RimPoints<N> rim(matrix.sides.own, folded.inside);
      const ApplyAtRim<Matrix, X, Target> apply{matrix, x, target, rim};
      if constexpr (with_sums) {
        dot->add_rim(label, rim.count(), apply, then);
      } else {
        forall(exec, label, rim.count(), apply);
      }
    }
  } else {
    using Apply = HostApply<Matrix, X, Target>;
    const BoxRows<N> rows(matrix.layout.all());
    index_t parts = std::min<index_t>(rows.points(), exec.concurrency());
    double* sums = nullptr;
    if constexpr (with_sums) {
      parts = dot->parts.blocks();
      sums = dot->parts.partial().data();
    }
    Kokkos::parallel_for("kolam::stencil: y = A x", FlatPolicy<Exec, Apply>(exec, 0, parts),
                         Apply{{rows, parts}, matrix, x, target, which, sums});
  }
}

}  // namespace kolam::detail
