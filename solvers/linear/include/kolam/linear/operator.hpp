// SPDX-License-Identifier: Apache-2.0
// The interface that solvers require of an operator, and sums over its rows.
#pragma once

#include <Kokkos_Core.hpp>
#include <array>
#include <concepts>
#include <kolam/comm/shared_dofs.hpp>
#include <kolam/core/forall.hpp>
#include <kolam/kernels/vector_sums.hpp>
#include <kolam/linear/vector.hpp>
#include <span>
#include <string>

namespace kolam::linear {

namespace detail {

// A pseudo-random number of 64 bits (splitmix64), and one from -1 to 1 made from it.
KOKKOS_INLINE_FUNCTION std::uint64_t mixed(std::uint64_t h) {
  h += 0x9e3779b97f4a7c15U;
  h = (h ^ (h >> 30U)) * 0xbf58476d1ce4e5b9U;
  h = (h ^ (h >> 27U)) * 0x94d049bb133111ebU;
  return h ^ (h >> 31U);
}
template <class T>
KOKKOS_FUNCTION T number_of(std::uint64_t h) {
  return static_cast<T>(static_cast<double>(mixed(h) >> 11U) * 0x1p-52 - 1.0);
}
template <class T>
KOKKOS_FUNCTION std::uint64_t bits_of(T value) {
  return Kokkos::bit_cast<std::uint64_t>(static_cast<double>(value) + 0.0);  // (-0 as 0)
}

}  // namespace detail

/// A type with a.apply(x, y): y = A x, asynchronously on its instance. Preconditioners satisfy it.
template <class A, class T, class Exec>
concept Applicable = requires(const A& a, const ConstVector<T, Exec>& x, const Vector<T, Exec>& y) {
  a.apply(x, y);
};

///@{
/// Vectors of an operator or preconditioner: of its value_type, in the memory of its
/// execution_space.
template <class A>
using VectorOf = Vector<typename A::value_type, typename A::execution_space>;
template <class A>
using ConstVectorOf = ConstVector<typename A::value_type, typename A::execution_space>;
template <class A>
using ReadVectorOf = ReadVector<typename A::value_type, typename A::execution_space>;
template <class A>
using WriteVectorOf = WriteVector<typename A::value_type, typename A::execution_space>;
///@}

/// A square matrix for solvers: value_type and execution_space, y = A x, y += A x, its diagonal,
/// its number of rows, and the instance of its kernels.
template <class A>
concept LinearOperator = ExecutionSpace<typename A::execution_space> &&
                         Applicable<A, typename A::value_type, typename A::execution_space> &&
                         requires(const A& a, const ConstVectorOf<A>& x, const VectorOf<A>& y) {
                           a.apply_add(x, y);
                           a.diagonal(y);
                           { a.rows() } -> std::convertible_to<index_t>;
                           { a.exec() } -> std::convertible_to<typename A::execution_space>;
                         };

namespace detail {

// x = pseudo-random numbers by row.
template <class T, class Exec>
struct FillByRow {
  Vector<T, Exec> x;
  KOKKOS_FUNCTION void operator()(index_t i) const {
    x(i) = number_of<T>(static_cast<std::uint64_t>(i));
  }
};

}  // namespace detail

/// Returns the rows of an operator in this process: a.row_distribution() if A has it, else all
/// rows.
template <LinearOperator A>
comm::RowDistribution row_distribution(const A& a) {
  if constexpr (requires { a.row_distribution(); }) {
    return a.row_distribution();
  } else {
    return {a.rows(), a.rows()};
  }
}

/// Fills x with pseudo-random numbers from -1 to 1: by a.fill_random(x) if A has it, else by row
/// number. A must have it if several processes share rows.
template <LinearOperator A>
void fill_random(const A& a, const VectorOf<A>& x) {
  if constexpr (requires { a.fill_random(x); }) {
    a.fill_random(x);
  } else {
    forall(a.exec(), "kolam::fill_random", a.rows(),
           detail::FillByRow<typename A::value_type, typename A::execution_space>{x});
  }
}

/// N sums over the rows of an operator in all its processes: VectorSums over the rows that each
/// process counts, then over processes in the order of ranks.
template <int N, ExecutionSpace Exec>
class RowSums {
 public:
  /// Prepares sums over `rows` on exec. Allocates as VectorSums does.
  RowSums(const Exec& exec, const comm::RowDistribution& rows)
      : rows_(rows), sums_(exec, rows.owned * rows.components) {}

  /// Returns the sums, as VectorSums::of: calls body(row, sums). Waits; all processes call it.
  template <class Body>
  std::array<double, N> of(const std::string& label, const Body& body) const {
    std::array<double, N> sums = sums_.of(label, Counted<Body>{rows_.owned, skipped(), body});
    rows_.communicator.sum(std::span<double>(sums));
    return sums;
  }
  /// Returns whether this process counts all of its rows; a body may then change vectors at its
  /// row.
  bool counts_all() const { return rows_.owned == rows_.here; }
  /// Returns whether all rows are in this process.
  bool of_one_process() const { return rows_.communicator.size() == 1; }
  /// Starts the sums, as VectorSums::start; only if all rows are in this process.
  template <class Body, class Then>
  void start(const std::string& label, const Body& body, const Then& then) const {
    sums_.start(label, body, then);
  }

  /// \cond
  // (Public for nvcc.)
  template <class Body>
  struct Counted {
    index_t owned;
    index_t skipped;  // after the counted rows of a component
    Body body;
    KOKKOS_FUNCTION void operator()(index_t i, double (&sums)[N]) const {
      body(skipped == 0 ? i : i + i / owned * skipped, sums);
    }
  };
  /// \endcond

 private:
  index_t skipped() const { return rows_.components > 1 ? rows_.here - rows_.owned : 0; }

  comm::RowDistribution rows_;
  VectorSums<N, Exec> sums_;
};

namespace detail {

// (Independent of integrands, so that all of them share one compiled kernel.)

template <class T, class Exec>
struct Subtract {
  Vector<T, Exec> x, y;
  KOKKOS_FUNCTION void operator()(index_t i) const { y(i) -= x(i); }
};

// y -= x, over x.extent(0) entries.
template <class T, ExecutionSpace Exec>
void subtract(const Exec& exec, const Vector<T, Exec>& x, const Vector<T, Exec>& y) {
  forall(exec, "kolam::subtract", static_cast<index_t>(x.extent(0)), Subtract<T, Exec>{x, y});
}

}  // namespace detail
}  // namespace kolam::linear
