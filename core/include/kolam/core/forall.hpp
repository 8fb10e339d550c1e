// SPDX-License-Identifier: Apache-2.0
// Flat parallel loops and reductions: what MFEM_FORALL is to MFEM.
#pragma once

#include <Kokkos_Core.hpp>
#include <kolam/core/error.hpp>
#include <kolam/core/execution.hpp>
#include <kolam/core/index.hpp>
#include <string>

namespace kolam {
namespace detail {

inline void require_count(const std::string& label, index_t n) {
  if (n < 0) {
    throw InvalidArgument(label + ": the loop count is " + std::to_string(n) +
                          "; it must not be negative");
  }
}

template <class Exec>
using FlatPolicy =
    Kokkos::RangePolicy<Exec, Kokkos::Schedule<Kokkos::Static>, Kokkos::IndexType<index_t>>;

}  // namespace detail

/// Calls `body(i)` for i in [0, n), in any order and in parallel, on `exec`, asynchronously where
/// the execution space is:
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
  } else {
    Kokkos::parallel_for(label, detail::FlatPolicy<Exec>(exec, 0, n), body);
  }
}

/// The same on the default execution space.
template <class Body>
void forall(const std::string& label, index_t n, const Body& body) {
  forall(Kokkos::DefaultExecutionSpace{}, label, n, body);
}

/// Reduces `body(i, value)` over i in [0, n) with a Kokkos reducer, `initial` included, and waits
/// for the result:
/// \code
///   double dot = kolam::reduce<Kokkos::Sum<double>>(exec, "dot", n, 0.0,
///       KOKKOS_LAMBDA(kolam::index_t i, double& sum) { sum += x(i) * y(i); });
/// \endcode
/// The order of a floating-point sum, hence its last bits, depends on the number of threads.
/// Throws InvalidArgument if n < 0.
template <class Reducer, ExecutionSpace Exec, class Body>
[[nodiscard]] typename Reducer::value_type reduce(const Exec& exec, const std::string& label,
                                                  index_t n, typename Reducer::value_type initial,
                                                  const Body& body) {
  detail::require_count(label, n);
  using Value = typename Reducer::value_type;
  Value result{};
  const Reducer reducer(result);
  reducer.init(result);
  if constexpr (std::same_as<Exec, HostTeams>) {
    for (index_t i = n; i-- > 0;) body(i, result);
  } else if (n > 0) {
    Kokkos::parallel_reduce(label, detail::FlatPolicy<Exec>(exec, 0, n), body, reducer);
    exec.fence(label);
  }
  reducer.join(result, initial);
  return result;
}

/// The same on the default execution space.
template <class Reducer, class Body>
[[nodiscard]] typename Reducer::value_type reduce(const std::string& label, index_t n,
                                                  typename Reducer::value_type initial,
                                                  const Body& body) {
  return reduce<Reducer>(Kokkos::DefaultExecutionSpace{}, label, n, initial, body);
}

}  // namespace kolam
