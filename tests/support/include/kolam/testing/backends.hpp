// SPDX-License-Identifier: Apache-2.0
// Lists of the execution spaces of this build, for typed tests.
#pragma once

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <kolam/core/backend.hpp>
#include <kolam/core/detail/sanitizers.hpp>
#include <kolam/core/execution.hpp>
#include <string>
#include <type_traits>
#include <vector>

namespace kolam::testing {

/// Whether the tests are compiled with optimisation. If not (bounds checks, sanitizers), long
/// series of cases run only in part.
#ifdef NDEBUG
inline constexpr bool optimised = true;
#else
inline constexpr bool optimised = false;
#endif

/// float, or double if the build leaves out finite elements in float (KOLAM_ELEMENTS).
using Single = std::conditional_t<KOLAM_TESTS_HAVE_FLOAT_ELEMENTS, float, double>;

/// Whether the thread sanitizer is active.
using kolam::detail::thread_sanitized;

template <class List>
struct TestTypes;
template <class... Execs>
struct TestTypes<kolam::detail::ExecutionSpaceList<Execs...>> {
  using alone = ::testing::Types<Execs...>;
  using with_host_teams = ::testing::Types<Execs..., HostTeams>;
};

/// Every execution space of the build, fastest first, and HostTeams (left out under the thread
/// sanitizer, because its threads run one at a time):
/// \code
///   template <class Exec> class Forall : public ::testing::Test {};
///   TYPED_TEST_SUITE(Forall, ExecutionSpaces, ExecutionSpaceNames);
/// \endcode
using ExecutionSpaces =
    std::conditional_t<thread_sanitized, TestTypes<kolam::detail::ExecutionSpaces>::alone,
                       TestTypes<kolam::detail::ExecutionSpaces>::with_host_teams>;
/// The same without HostTeams: the spaces of Kokkos.
using KokkosSpaces = TestTypes<kolam::detail::ExecutionSpaces>::alone;

/// Names a typed test after its execution space: "Forall/OpenMP.CountsUp".
struct ExecutionSpaceNames {
  template <class Exec>
  static std::string GetName(int) {
    return Exec::name();
  }
};

/// Whether Exec is a GPU.
template <class Exec>
inline constexpr bool is_gpu = has_block_threads<Exec> && !std::is_same_v<Exec, HostTeams>;

/// Returns the values of a contiguous View of any rank and memory space, in the order of its
/// memory. Waits for all pending work.
template <class Data, class... Properties>
auto to_host(const Kokkos::View<Data, Properties...>& view) {
  using View = Kokkos::View<Data, Properties...>;
  using Value = typename View::non_const_value_type;
  using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
  EXPECT_TRUE(view.span_is_contiguous()) << "to_host takes contiguous Views";
  std::vector<Value> values(view.size());
  Kokkos::deep_copy(
      Kokkos::View<Value*, Kokkos::HostSpace, Unmanaged>(values.data(), values.size()),
      Kokkos::View<const Value*, typename View::memory_space, Unmanaged>(view.data(), view.size()));
  return values;
}

}  // namespace kolam::testing
