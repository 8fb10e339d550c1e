// SPDX-License-Identifier: Apache-2.0
// Flat parallel loops and reductions, like MFEM_FORALL.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <concepts>
#include <kolam/core/detail/launch_weight.hpp>
#include <kolam/core/error.hpp>
#include <kolam/core/execution.hpp>
#include <kolam/core/index_box.hpp>
#include <string>

namespace kolam {
namespace detail {

inline void require_count(const std::string& label, index_t n) {
  if (n < 0) {
    throw InvalidArgument(label + ": the loop count is " + std::to_string(n) +
                          "; it must not be negative");
  }
}

template <class Exec, class Body>
using FlatPolicy = Kokkos::RangePolicy<Exec, Kokkos::Schedule<Kokkos::Static>,
                                       Kokkos::IndexType<index_t>, LaunchWeight<Body>>;

// The work of a device thread: every `side_by_side`-th index of the chunk that its block shares.
// Starting a thread for each index costs more than a small body (on an H200, a copy of 4 million
// floats takes 24 microseconds with one index per thread, 10 with four). Chunks begin at cache
// lines: with other strides, updates of five vectors take 1.6 times as long.
template <class Body>
struct Chunked {
  static constexpr index_t side_by_side = 128;
  Body body;
  index_t n, each;

  index_t threads() const {
    const index_t chunk = side_by_side * each;
    return (n + chunk - 1) / chunk * side_by_side;
  }
  KOKKOS_FUNCTION void operator()(index_t thread) const {
    const index_t first = thread / side_by_side * (side_by_side * each) + thread % side_by_side;
    const index_t end = Kokkos::min(n, first + side_by_side * each);
    for (index_t i = first; i < end; i += side_by_side) body(i);
  }
};

// Returns the number of indices per thread: fewer if n is small.
template <class Exec>
index_t indices_each(const Exec& exec, index_t n) {
  return std::clamp<index_t>(n / exec.concurrency(), 1, 4);
}

// The reduction of a host thread, into several adjacent values, which the compiler can keep in SIMD
// lanes. A single value would be a chain of dependent additions.
template <class Reducer, class Body>
struct ReducedInLanes {
  using Value = typename Reducer::value_type;
  Body body;
  index_t n, parts;

  void operator()(index_t part, Value& result) const {
    constexpr index_t lanes = 64;
    const auto [first, end] = share_of(n, parts, part);
    const index_t used = std::min(lanes, end - first);
    const Reducer reducer(result);
    Value values[lanes];
    for (index_t k = 0; k < used; ++k) reducer.init(values[k]);
    for (index_t i = first; i < end; i += lanes) {
      const index_t count = std::min(lanes, end - i);
      for (index_t k = 0; k < count; ++k) body(i + k, values[k]);
    }
    for (index_t k = 0; k < used; ++k) reducer.join(result, values[k]);
  }
};

}  // namespace detail

/// Calls `body(i)` for i in [0, n), in any order and in parallel, on `exec`; asynchronously if
/// `exec` is asynchronous:
/// \code
///   kolam::forall(exec, "scale", n, KOKKOS_LAMBDA(kolam::index_t i) { y(i) *= x(i); });
/// \endcode
/// Throws InvalidArgument if n < 0.
template <ExecutionSpace Exec, class Body>
void forall(const Exec& exec, const std::string& label, index_t n, const Body& body) {
  detail::require_count(label, n);
  if (n == 0) return;
  if constexpr (std::same_as<Exec, HostTeams>) {
    for (index_t i = n; i-- > 0;) body(i);
  } else if constexpr (has_block_threads<Exec>) {
    const detail::Chunked<Body> chunks{body, n, detail::indices_each(exec, n)};
    Kokkos::parallel_for(label, detail::FlatPolicy<Exec, Body>(exec, 0, chunks.threads()), chunks);
  } else {
    Kokkos::parallel_for(label, detail::FlatPolicy<Exec, Body>(exec, 0, n), body);
  }
}

/// The same on the default execution space.
template <class Body>
void forall(const std::string& label, index_t n, const Body& body) {
  forall(Kokkos::DefaultExecutionSpace{}, label, n, body);
}

/// Reduces `body(i, value)` over i in [0, n) and `initial` with a Kokkos reducer, and waits for the
/// result. Sums, minima and maxima have shorter names below:
/// \code
///   double product = kolam::reduce<Kokkos::Prod<double>>(exec, "product", n, 1.0,
///       KOKKOS_LAMBDA(kolam::index_t i, double& value) { value *= x(i); });
/// \endcode
/// The order of a floating-point sum, hence its last bits, depends on the number of threads.
/// Throws InvalidArgument if n < 0.
template <class Reducer, ExecutionSpace Exec, class Body>
typename Reducer::value_type reduce(const Exec& exec, const std::string& label, index_t n,
                                    typename Reducer::value_type initial, const Body& body) {
  detail::require_count(label, n);
  using Value = typename Reducer::value_type;
  Value result{};
  const Reducer reducer(result);
  reducer.init(result);
  if constexpr (std::same_as<Exec, HostTeams>) {
    for (index_t i = n; i-- > 0;) body(i, result);
  } else if (n > 0) {  // (Kokkos waits, because the result is a host scalar.)
    if constexpr (std::floating_point<Value> && !has_block_threads<Exec>) {
      const index_t parts = std::min<index_t>(n, exec.concurrency());
      Kokkos::parallel_reduce(label, detail::FlatPolicy<Exec, Body>(exec, 0, parts),
                              detail::ReducedInLanes<Reducer, Body>{body, n, parts}, reducer);
    } else {
      Kokkos::parallel_reduce(label, detail::FlatPolicy<Exec, Body>(exec, 0, n), body, reducer);
    }
  }
  reducer.join(result, initial);
  return result;
}

/// The same on the default execution space.
template <class Reducer, class Body>
typename Reducer::value_type reduce(const std::string& label, index_t n,
                                    typename Reducer::value_type initial, const Body& body) {
  return reduce<Reducer>(Kokkos::DefaultExecutionSpace{}, label, n, initial, body);
}

///@{
/// Returns the sum, minimum or maximum: `reduce` with the Kokkos reducer. For n = 0 the results
/// are, as in Kokkos, zero, the largest and the lowest number of the type.
/// \code
///   double dot = kolam::sum<double>(exec, "dot", n,
///       KOKKOS_LAMBDA(kolam::index_t i, double& sum) { sum += x(i) * y(i); });
///   double lowest = kolam::min<double>(exec, "lowest", n,
///       KOKKOS_LAMBDA(kolam::index_t i, double& least) { least = Kokkos::min(least, x(i)); });
/// \endcode
template <class T, ExecutionSpace Exec, class Body>
T sum(const Exec& exec, const std::string& label, index_t n, const Body& body) {
  return reduce<Kokkos::Sum<T>>(exec, label, n, Kokkos::reduction_identity<T>::sum(), body);
}
template <class T, ExecutionSpace Exec, class Body>
T min(const Exec& exec, const std::string& label, index_t n, const Body& body) {
  return reduce<Kokkos::Min<T>>(exec, label, n, Kokkos::reduction_identity<T>::min(), body);
}
template <class T, ExecutionSpace Exec, class Body>
T max(const Exec& exec, const std::string& label, index_t n, const Body& body) {
  return reduce<Kokkos::Max<T>>(exec, label, n, Kokkos::reduction_identity<T>::max(), body);
}
///@}

///@{
/// The same on the default execution space.
template <class T, class Body>
T sum(const std::string& label, index_t n, const Body& body) {
  return sum<T>(Kokkos::DefaultExecutionSpace{}, label, n, body);
}
template <class T, class Body>
T min(const std::string& label, index_t n, const Body& body) {
  return min<T>(Kokkos::DefaultExecutionSpace{}, label, n, body);
}
template <class T, class Body>
T max(const std::string& label, index_t n, const Body& body) {
  return max<T>(Kokkos::DefaultExecutionSpace{}, label, n, body);
}
///@}

}  // namespace kolam
