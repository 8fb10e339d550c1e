// SPDX-License-Identifier: Apache-2.0
// A block of threads, as passed to the bodies of forall, forall_2d and forall_3d.
#pragma once

#include <Kokkos_Core.hpp>
#include <concepts>
#include <kolam/core/execution.hpp>

namespace kolam {

/// A block shape known at run time: threads along x (fastest), y and z.
struct DynamicShape {
  int x = 1;  ///< at least 1; x*y*z at most 1024 if blocks have threads
  int y = 1;  ///< likewise
  int z = 1;  ///< likewise
};

/// A block shape known at compile time: indices are cheaper to compute, and the compiler knows how
/// many registers a thread may use. At least `MinBlocks` blocks fit on a multiprocessor (0: the
/// compiler's choice).
template <int X, int Y = 1, int Z = 1, int MinBlocks = 0>
struct StaticShape {
  static_assert(X > 0 && Y > 0 && Z > 0, "a block has at least one thread in each direction");
  static constexpr int x = X;                   ///< as DynamicShape::x
  static constexpr int y = Y;                   ///< as DynamicShape::y
  static constexpr int z = Z;                   ///< as DynamicShape::z
  static constexpr int min_blocks = MinBlocks;  ///< per multiprocessor; 0: the compiler's choice
};

namespace detail {
template <class Shape>
inline constexpr bool is_static_shape = false;
template <int X, int Y, int Z, int M>
inline constexpr bool is_static_shape<StaticShape<X, Y, Z, M>> = true;
}  // namespace detail

/// A DynamicShape or a StaticShape.
template <class Shape>
concept BlockShape = std::same_as<Shape, DynamicShape> || detail::is_static_shape<Shape>;

namespace detail {

// The number of lanes that run in lockstep and exchange registers: the part of a block along x that
// fits Kokkos' vector level. Only a static shape is known before the launch.
template <class Shape>
inline constexpr int vector_length = 1;
template <int X, int Y, int Z, int M>
inline constexpr int vector_length<StaticShape<X, Y, Z, M>> = X % 32 == 0 ? 32 : 1;

// Scratch for two values of each thread row: see Block::reduce.
inline constexpr int reduce_value_bytes = 16;
template <class Shape>
KOKKOS_FUNCTION constexpr int reduce_bytes(int rows) {
  return vector_length<Shape> > 1 && rows > 1 ? 2 * reduce_value_bytes * rows : 0;
}

// The largest block of any GPU, so that 20 bits are enough for the division below.
inline constexpr int max_block_threads = 1024;

// Division of a rank in a block by an extent of its shape: a multiplication and a shift, because a
// hardware division would take longer than many bodies. Exact for 0 <= n < 1024, 0 < d <= 1024: the
// multiplier is at most (d - 1) / d too large, and n times this error stays below 2^20 / d.
class Divisor {
 public:
  explicit constexpr Divisor(int d) : multiplier_(((1U << 20) + unsigned(d) - 1) / unsigned(d)) {}
  KOKKOS_FUNCTION constexpr int divide(int n) const {
    return static_cast<int>(static_cast<unsigned>(n) * multiplier_ >> 20);
  }

 private:
  unsigned multiplier_;
};

// The position of a thread in its block.
struct BlockPlace {
  int x, y, z;
};

// A shape that converts a rank to a position. For a static shape the compiler does the division,
// and sees from the remainders that a loop as long as the shape has one iteration.
template <class Shape>
struct DividedShape : Shape {
  explicit constexpr DividedShape(const Shape& shape) : Shape(shape) {}
  KOKKOS_FUNCTION constexpr BlockPlace place_of(int rank) const {
    // Unsigned, because the compiler would otherwise allow for negative ranks.
    const auto place = [](unsigned n, unsigned extent) { return static_cast<int>(n % extent); };
    const auto r = static_cast<unsigned>(rank);
    constexpr unsigned row = Shape::x;
    constexpr unsigned slice = row * Shape::y;
    return {place(r, row), place(r / row, Shape::y), place(r / slice, Shape::z)};
  }
};
template <>
struct DividedShape<DynamicShape> : DynamicShape {
  explicit constexpr DividedShape(const DynamicShape& shape)
      : DynamicShape(shape), by_x(shape.x), by_y(shape.y) {}
  KOKKOS_FUNCTION constexpr BlockPlace place_of(int rank) const {
    const int row = by_x.divide(rank);
    const int slice = by_y.divide(row);
    return {rank - row * x, row - slice * y, slice};
  }
  Divisor by_x;
  Divisor by_y;
};

// Returns the value of the lane `distance` lanes further along, within 32 lanes. Kokkos has no
// function for this.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T shift_lane([[maybe_unused]] const T& value,
                                         [[maybe_unused]] int distance) {
#if defined(__CUDA_ARCH__)
  return distance > 0 ? __shfl_down_sync(0xffffffffU, value, static_cast<unsigned>(distance))
                      : __shfl_up_sync(0xffffffffU, value, static_cast<unsigned>(-distance));
#elif defined(__HIP_DEVICE_COMPILE__)
  return distance > 0 ? __shfl_down(value, static_cast<unsigned>(distance), 32)
                      : __shfl_up(value, static_cast<unsigned>(-distance), 32);
#else
  return value;
#endif
}

// One thread of a block and its share of the loops.
template <class Shape>
class BlockThread {
 public:
  /// Calls f(i) for i in [0, n), distributed over the threads along x; likewise y and z. i has the
  /// type of n.
  template <std::integral I, class F>
  KOKKOS_FUNCTION void foreach_x(I n, const F& f) const {
    for (I i = place_.x; i < n; i += shape_.x) f(i);
  }
  template <std::integral I, class F>
  KOKKOS_FUNCTION void foreach_y(I n, const F& f) const {
    for (I i = place_.y; i < n; i += shape_.y) f(i);
  }
  template <std::integral I, class F>
  KOKKOS_FUNCTION void foreach_z(I n, const F& f) const {
    for (I i = place_.z; i < n; i += shape_.z) f(i);
  }

  /// Calls f() in one thread of the block.
  template <class F>
  KOKKOS_FUNCTION void once(const F& f) const {
    if (rank_ == 0) f();
  }

 protected:
  KOKKOS_FUNCTION BlockThread(const DividedShape<Shape>& shape, int rank)
      : shape_(shape), rank_(rank), place_(shape.place_of(rank)) {}
  KOKKOS_FUNCTION int rank() const { return rank_; }

 private:
  DividedShape<Shape> shape_;
  int rank_;
  BlockPlace place_;
};

}  // namespace detail

/// The threads of one block, as passed to the body of a loop over blocks. Every thread of the block
/// must reach the same `sync`, `reduce`, `sum`, `min` and `max`.
///
/// `foreach_x(n, f)` calls f(i) for i in [0, n), of n's type, distributed over the threads along x;
/// `foreach_y` and `foreach_z` do the same along y and z. `once(f)` calls f() in one thread. None
/// of these functions is a barrier.
///
/// Primary template: blocks on GPUs.
template <ExecutionSpace Exec = Kokkos::DefaultExecutionSpace, class Shape = DynamicShape>
class Block : public detail::BlockThread<Shape> {
 public:
  /// \cond
  // (Created by the loops over blocks.)
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;

  // `slots`: block scratch of detail::reduce_bytes<Shape>(team size) bytes.
  KOKKOS_FUNCTION Block(const Member& member, const detail::DividedShape<Shape>& shape, void* slots)
      : detail::BlockThread<Shape>(shape, rank_of(member)), member_(member), slots_(slots) {}
  /// \endcond

  /// A barrier for the block: afterwards every thread sees what the others wrote before it.
  KOKKOS_FUNCTION void sync() const { member_.team_barrier(); }

  /// Returns, in every thread, all threads' `value`s (at most 16 bytes each), reduced by a Kokkos
  /// reducer such as Kokkos::Max<double>, always in the same order. Acts as a barrier.
  template <class Reducer>
  KOKKOS_FUNCTION typename Reducer::value_type reduce(typename Reducer::value_type value) const {
    using Value = typename Reducer::value_type;
    static_assert(sizeof(Value) <= detail::reduce_value_bytes);
    if constexpr (detail::vector_length<Shape> == 1) {
      member_.team_reduce(Reducer(value));
    } else {
      // Lanes are joined through registers, then rows through scratch. With two alternating sets of
      // slots one barrier is enough: there is a barrier between the last read of a set and its next
      // write. (Kokkos' team_reduce takes a barrier for every four rows, which cost the Jacobi
      // sweep a third of its speed.)
      member_.vector_reduce(Reducer(value));
      const int rows = member_.team_size();
      if (rows > 1) {
        auto* const set = reinterpret_cast<Value*>(
            static_cast<char*>(slots_) + index_t{parity_} * rows * detail::reduce_value_bytes);
        parity_ = 1 - parity_;
        if (this->rank() % detail::vector_length<Shape> == 0) set[member_.team_rank()] = value;
        member_.team_barrier();
        value = set[0];
        const Reducer reducer(value);
        for (int row = 1; row < rows; ++row) reducer.join(value, set[row]);
      }
    }
    return value;
  }
  ///@{
  /// Returns the sum, minimum or maximum of all threads' `value`s. A barrier, like `reduce`.
  template <class T>
  KOKKOS_FUNCTION T sum(T value) const {
    return reduce<Kokkos::Sum<T>>(value);
  }
  template <class T>
  KOKKOS_FUNCTION T min(T value) const {
    return reduce<Kokkos::Min<T>>(value);
  }
  template <class T>
  KOKKOS_FUNCTION T max(T value) const {
    return reduce<Kokkos::Max<T>>(value);
  }
  ///@}

  /// Returns the `value` (4 or 8 bytes) of the thread `distance` further along x; undefined if
  /// there is none. The shape must be a StaticShape of 32 threads along x, and all threads of a row
  /// must call this.
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION T shift_x(const T& value, int distance) const {
    static_assert(detail::is_static_shape<Shape> && Shape::x == 32,
                  "shift_x: give the block a StaticShape of 32 threads along x");
    return detail::shift_lane(value, distance);
  }

 private:
  KOKKOS_FUNCTION static int rank_of(const Member& member) {
    constexpr int lanes = detail::vector_length<Shape>;
    int lane_index = 0;
    if constexpr (lanes > 1) {
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(member, lanes),
                           [&](int lane) { lane_index = lane; });
    }
    return member.team_rank() * lanes + lane_index;
  }

  const Member& member_;
  void* slots_;
  mutable int parity_ = 0;
};

/// A block of HostTeams, with the members of the primary template. (Bodies are also compiled for
/// the device, which never calls these members.)
template <class Shape>
class Block<HostTeams, Shape> : public detail::BlockThread<Shape> {
 public:
  /// \cond
  Block(detail::Turns& turns, int rank, const detail::DividedShape<Shape>& shape)
      : detail::BlockThread<Shape>(shape, rank), turns_(&turns) {}

  KOKKOS_FUNCTION void sync() const { KOKKOS_IF_ON_HOST((turns_->barrier(this->rank());)) }
  template <class Reducer>
  KOKKOS_FUNCTION typename Reducer::value_type reduce(typename Reducer::value_type value) const {
    KOKKOS_IF_ON_HOST((turns_->template join<Reducer>(this->rank(), value);))
    return value;
  }
  template <class T>
  KOKKOS_FUNCTION T sum(T value) const {
    return reduce<Kokkos::Sum<T>>(value);
  }
  template <class T>
  KOKKOS_FUNCTION T min(T value) const {
    return reduce<Kokkos::Min<T>>(value);
  }
  template <class T>
  KOKKOS_FUNCTION T max(T value) const {
    return reduce<Kokkos::Max<T>>(value);
  }
  template <class T>
  KOKKOS_FUNCTION T shift_x(T value, [[maybe_unused]] int distance) const {
    KOKKOS_IF_ON_HOST((turns_->shift(this->rank(), value, distance);))
    return value;
  }
  /// \endcond

 private:
  detail::Turns* turns_;
};

/// A block of one thread, on host backends, whose loops are plain loops. It has the members of the
/// primary template except `shift_x`.
template <ExecutionSpace Exec, class Shape>
  requires(!has_block_threads<Exec>)
class Block<Exec, Shape> {
 public:
  /// \cond
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
  KOKKOS_FORCEINLINE_FUNCTION typename Reducer::value_type reduce(
      typename Reducer::value_type value) const {
    return value;
  }
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION T sum(T value) const {
    return value;
  }
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION T min(T value) const {
    return value;
  }
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION T max(T value) const {
    return value;
  }
  /// \endcond
};

}  // namespace kolam
