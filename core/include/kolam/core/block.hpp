// SPDX-License-Identifier: Apache-2.0
// One block of threads, as the body of forall_2d and its sisters sees it.
#pragma once

#include <Kokkos_Core.hpp>
#include <concepts>
#include <kolam/core/execution.hpp>

namespace kolam {

/// Threads of a block along x (fastest), y and z, known at run time.
struct DynamicShape {
  int x = 1;
  int y = 1;
  int z = 1;
};

/// The same, known at compile time: indices cost less, and the compiler knows how many registers a
/// thread may have. At least `MinBlocks` blocks shall fit on a multiprocessor (0: its choice).
template <int X, int Y = 1, int Z = 1, int MinBlocks = 0>
struct StaticShape {
  static_assert(X > 0 && Y > 0 && Z > 0, "a block has at least one thread in each direction");
  static constexpr int x = X;
  static constexpr int y = Y;
  static constexpr int z = Z;
  static constexpr int min_blocks = MinBlocks;
};

namespace detail {

template <class Exec>
struct TeamMember {
  using type = typename Kokkos::TeamPolicy<Exec>::member_type;
};

// A member of a team of HostTeams.
struct HostTeamMember {
  Turns* turns;
  int rank;
};

template <>
struct TeamMember<HostTeams> {
  using type = HostTeamMember;
};

}  // namespace detail

/// The threads of one block. Every thread of the block must reach the same `sync` and `sum`.
///
/// Primary template: blocks that have threads of their own (GPUs, HostTeams).
template <ExecutionSpace Exec = Kokkos::DefaultExecutionSpace, class Shape = DynamicShape>
class Block {
 public:
  using Member = typename detail::TeamMember<Exec>::type;

  KOKKOS_FUNCTION Block(const Member& member, const Shape& shape) : member_(member), shape_(shape) {
    const int r = rank();
    x_ = r % shape_.x;
    y_ = r / shape_.x % shape_.y;
    z_ = r / shape_.x / shape_.y;
  }

  /// Calls f(i) for i in [0, n), shared out among the threads along x; likewise y and z. i has n's type.
  template <std::integral I, class F>
  KOKKOS_FUNCTION void foreach_x(I n, const F& f) const {
    for (I i = x_; i < n; i += shape_.x) f(i);
  }
  template <std::integral I, class F>
  KOKKOS_FUNCTION void foreach_y(I n, const F& f) const {
    for (I i = y_; i < n; i += shape_.y) f(i);
  }
  template <std::integral I, class F>
  KOKKOS_FUNCTION void foreach_z(I n, const F& f) const {
    for (I i = z_; i < n; i += shape_.z) f(i);
  }

  /// Calls f() in one thread of the block.
  template <class F>
  KOKKOS_FUNCTION void once(const F& f) const {
    if (rank() == 0) f();
  }

  /// A barrier: what threads of the block wrote before it, all read after it.
  KOKKOS_FUNCTION void sync() const {
    if constexpr (std::same_as<Exec, HostTeams>) {
      member_.turns->barrier(member_.rank);
    } else {
      member_.team_barrier();
    }
  }

  /// Every thread's `value` joined by a Kokkos reducer, such as Kokkos::Max<double>, and returned to
  /// all, always in the same order. A barrier.
  template <class Reducer>
  [[nodiscard]] KOKKOS_FUNCTION typename Reducer::value_type reduce(
      typename Reducer::value_type value) const {
    if constexpr (std::same_as<Exec, HostTeams>) {
      using Value = typename Reducer::value_type;
      detail::Turns& turns = *member_.turns;
      turns.template slot<Value>(member_.rank) = value;
      sync();
      Value result;
      const Reducer reducer(result);
      reducer.init(result);
      for (int r = 0; r < turns.size(); ++r) reducer.join(result, turns.template slot<Value>(r));
      sync();
      return result;
    } else {
      member_.team_reduce(Reducer(value));
      return value;
    }
  }
  /// The sum of every thread's `value`. A barrier.
  template <class T>
  [[nodiscard]] KOKKOS_FUNCTION T sum(T value) const {
    return reduce<Kokkos::Sum<T>>(value);
  }

 private:
  [[nodiscard]] KOKKOS_FUNCTION int rank() const {
    if constexpr (std::same_as<Exec, HostTeams>) {
      return member_.rank;
    } else {
      return member_.team_rank();
    }
  }

  const Member& member_;
  Shape shape_;
  int x_;
  int y_;
  int z_;
};

/// Blocks of one thread: host backends, where the loops of a block are plain loops.
template <ExecutionSpace Exec, class Shape>
  requires(!has_block_threads<Exec>)
class Block<Exec, Shape> {
 public:
  template <std::integral I, class F>
  KOKKOS_FORCEINLINE_FUNCTION void foreach_x(I n, const F& f) const {
    for (I i = 0; i < n; ++i) f(i);
  }
  template <std::integral I, class F>
  KOKKOS_FORCEINLINE_FUNCTION void foreach_y(I n, const F& f) const {
    for (I i = 0; i < n; ++i) f(i);
  }
  template <std::integral I, class F>
  KOKKOS_FORCEINLINE_FUNCTION void foreach_z(I n, const F& f) const {
    for (I i = 0; i < n; ++i) f(i);
  }
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void once(const F& f) const {
    f();
  }
  KOKKOS_FORCEINLINE_FUNCTION void sync() const {}
  template <class Reducer>
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION typename Reducer::value_type reduce(
      typename Reducer::value_type value) const {
    return value;
  }
  template <class T>
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION T sum(T value) const {
    return value;
  }
};

}  // namespace kolam
