// SPDX-License-Identifier: Apache-2.0
// Selection of backends by name at run time. `with_backend` turns the choice into an
// execution-space instance once; all code below it is a template on the execution space.
#pragma once

#include <Kokkos_Core.hpp>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

namespace kolam {

/// A backend of Kokkos. The configuration of Kokkos determines which backends a build has.
enum class Backend { cuda, hip, sycl, openmp, threads, serial };

namespace detail {

template <class Exec>
struct BackendOf;

// The execution spaces of this build, fastest first.
template <class... Execs>
struct ExecutionSpaceList {};

template <class... Lists>
struct Concatenate;
template <class... A>
struct Concatenate<ExecutionSpaceList<A...>> {
  using type = ExecutionSpaceList<A...>;
};
template <class... A, class... B, class... Rest>
struct Concatenate<ExecutionSpaceList<A...>, ExecutionSpaceList<B...>, Rest...>
    : Concatenate<ExecutionSpaceList<A..., B...>, Rest...> {};

#ifdef KOKKOS_ENABLE_CUDA
template <>
struct BackendOf<Kokkos::Cuda> : std::integral_constant<Backend, Backend::cuda> {};
using CudaList = ExecutionSpaceList<Kokkos::Cuda>;
#else
using CudaList = ExecutionSpaceList<>;
#endif
#ifdef KOKKOS_ENABLE_HIP
template <>
struct BackendOf<Kokkos::HIP> : std::integral_constant<Backend, Backend::hip> {};
using HipList = ExecutionSpaceList<Kokkos::HIP>;
#else
using HipList = ExecutionSpaceList<>;
#endif
#ifdef KOKKOS_ENABLE_SYCL
template <>
struct BackendOf<Kokkos::SYCL> : std::integral_constant<Backend, Backend::sycl> {};
using SyclList = ExecutionSpaceList<Kokkos::SYCL>;
#else
using SyclList = ExecutionSpaceList<>;
#endif
#ifdef KOKKOS_ENABLE_OPENMP
template <>
struct BackendOf<Kokkos::OpenMP> : std::integral_constant<Backend, Backend::openmp> {};
using OpenMPList = ExecutionSpaceList<Kokkos::OpenMP>;
#else
using OpenMPList = ExecutionSpaceList<>;
#endif
#ifdef KOKKOS_ENABLE_THREADS
template <>
struct BackendOf<Kokkos::Threads> : std::integral_constant<Backend, Backend::threads> {};
using ThreadsList = ExecutionSpaceList<Kokkos::Threads>;
#else
using ThreadsList = ExecutionSpaceList<>;
#endif
#ifdef KOKKOS_ENABLE_SERIAL
template <>
struct BackendOf<Kokkos::Serial> : std::integral_constant<Backend, Backend::serial> {};
using SerialList = ExecutionSpaceList<Kokkos::Serial>;
#else
using SerialList = ExecutionSpaceList<>;
#endif

using ExecutionSpaces =
    Concatenate<CudaList, HipList, SyclList, OpenMPList, ThreadsList, SerialList>::type;

template <class F, class First, class... Rest>
decltype(auto) dispatch(Backend backend, F&& f, ExecutionSpaceList<First, Rest...>) {
  if constexpr (sizeof...(Rest) > 0) {
    if (backend != BackendOf<First>::value)
      return dispatch(backend, std::forward<F>(f), ExecutionSpaceList<Rest...>{});
  }
  return std::forward<F>(f)(First{});
}

}  // namespace detail

/// Returns the lower-case name of a backend, as `--backend` takes it.
std::string_view name(Backend backend);

/// Returns the backends of this build, fastest first; never empty.
const std::vector<Backend>& backends();

/// Returns the fastest backend of this build.
Backend default_backend();

/// Returns the backend called `text`.
/// Throws InvalidArgument for an unknown name and BackendUnavailable for a backend that this build
/// lacks. Both messages list the available backends; the latter also names the CMake option that
/// adds the backend.
Backend parse_backend(std::string_view text);

/// The backend of an execution space type.
template <class Exec>
inline constexpr Backend backend_of = detail::BackendOf<Exec>::value;

/// Calls `f` with a default instance of the execution space of `backend`:
/// \code
///   kolam::with_backend(kolam::parse_backend("openmp"),
///                       [&](const auto& exec) { solve(exec, ...); });
/// \endcode
/// `f` must return the same type for every execution space. Throws BackendUnavailable if the build
/// lacks `backend`.
template <class F>
decltype(auto) with_backend(Backend backend, F&& f) {
  parse_backend(name(backend));
  return detail::dispatch(backend, std::forward<F>(f), detail::ExecutionSpaces{});
}

}  // namespace kolam
