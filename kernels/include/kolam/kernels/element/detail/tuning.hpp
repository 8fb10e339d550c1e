// SPDX-License-Identifier: Apache-2.0
// Choices of the element kernels by order, integrand and precision, tuned on an H200.
#pragma once

#include <concepts>
#include <cstddef>
#include <kolam/core/host_teams.hpp>
#include <kolam/kernels/element/detail/layout.hpp>
#include <kolam/kernels/element/quadrature_point.hpp>
#include <utility>

namespace kolam::detail {

// Tuning parameters of an element kernel on a device, for an H200 in double precision.
template <class T, int Dim, int Q, int Elements, bool Collocated, class F>
struct ElementTuning {
  static constexpr int lines = power(Q, Dim - 1);
  // If one element has nearly all threads, other plane lengths cause fewer bank conflicts.
  static constexpr bool gradients = has_gradients(F::reads) || has_gradients(F::writes);
  static constexpr int row = Q == 10 ? Q : Q | 1;
  static constexpr int plane = row * Q + (Q == 10     ? 5
                                          : gradients ? 0
                                          : Q == 9    ? 7
                                          : Q == 7    ? 5
                                                      : 0);
  // Distance between elements: the next odd multiple of `part`.
  static constexpr int banks = 128 / static_cast<int>(sizeof(T));
  static constexpr int part = Elements < banks ? banks / Elements : 1;
  static constexpr int length = Dim == 3 ? plane * Q : plane;
  static constexpr int volume = (((length + part - 1) / part) | 1) * part;
  // Number of points of each thread's line whose data are requested before anything else is done.
  // Enough bytes are then in flight to keep memory busy; the limit is the registers left for other
  // blocks. (Collocated kernels have more registers left.)
  static constexpr int early = !has_gradients(F::reads) ? (Q >= 9 ? 4 : 0)
                               : Q <= (Collocated ? 6 : 4) || (Collocated && Q == 8)
                                   ? Q
                                   : (Q >= 9 && !Collocated ? 3 : 4);
};

// Arrays of a block of ElementKernel, one for each component and direction, and their size in
// bytes.
template <int Dim, class F>
inline constexpr int element_buffers =
    F::components * (has_gradients(F::reads) || has_gradients(F::writes) ? Dim : 1);
template <class T, int Dim, int Q, int Elements, bool Collocated, class F>
inline constexpr std::size_t scratch_of_elements =
    sizeof(T) * element_buffers<Dim, F> * Elements *
    ElementTuning<T, Dim, Q, Elements, Collocated, F>::volume;

// A GPU gives a block 48 KiB, of which Kokkos takes 8 bytes per thread and alignment some.
// (HostTeams are for tests, which also cover blocks that share a group of data.)
template <class Exec>
inline constexpr std::size_t scratch_of_block =
    std::same_as<Exec, HostTeams> ? 24 * 1024 : 48 * 1024 - 1280;

// Returns how many of the elements whose data lie side by side fit into a block; at least one.
template <class T, class Exec, int Dim, int Q, bool Collocated, class F,
          int Elements = elements_of_block(Dim, Q)>
constexpr int elements_with_room() {
  if constexpr (Elements > 1 && scratch_of_elements < T, Dim, Q, Elements, Collocated,
                F >> scratch_of_block<Exec>) {
    return elements_with_room<T, Exec, Dim, Q, Collocated, F, Elements / 2>();
  } else {
    return Elements;
  }
}

// Whether an integrand keeps little data for a line of points.
template <class V, int Dim, class F>
constexpr bool is_light() {
  using Line = decltype(function_on_line<V>(std::declval<const F&>(), index_t{},
                                            std::declval<const int(&)[Dim]>()));
  return std::is_reference_v<Line> || sizeof(std::remove_reference_t<Line>) <= 64;
}

// F for a kernel that takes one component after the other.
template <class F>
struct OneByOne : F {
  static constexpr int components = 1;
  static constexpr int component_loops = F::components;
};
template <class F>
constexpr int component_loop_count() {
  if constexpr (requires { F::component_loops; }) return F::component_loops;
  return 1;
}

// Whether a kernel takes F's components one after the other. More elements then fit at a time, and
// their data come from the caches for the later components. (Data computed at points are recomputed
// for each component, which is worthwhile if they are cheap or if nothing fits otherwise. On hosts
// all components at once are faster; in 2D it was not measured.)
template <class T, class Exec, int Dim, int Q, bool Collocated, class F>
constexpr bool one_by_one() {
  if constexpr (has_block_threads<Exec> && Dim == 3 && F::components > 1 &&
                is_component_wise<F>()) {
    return is_light<T, Dim, F>() ||
           scratch_of_elements<T, Dim, Q, 1, Collocated, F> > scratch_of_block<Exec>;
  }
  return false;
}

// Whether a block visits the points of a vector field slab by slab: if it has no room otherwise.
// (With HostTeams, which are for tests: if points are not collocated.)
template <class T, class Exec, int Dim, int Q, bool Collocated, class F>
constexpr bool takes_slabs() {
  if constexpr (has_block_threads<Exec> && Dim == 3 && F::components > 1 &&
                (has_gradients(F::reads) || has_gradients(F::writes))) {
    return std::same_as<Exec, HostTeams>
               ? !Collocated
               : scratch_of_elements<T, Dim, Q, 1, Collocated, F> > scratch_of_block<Exec>;
  }
  return false;
}

// Whether a thread takes whole planes: if a plane fits into its registers and the integrand does
// not need them itself.
template <class T, class Exec, int Dim, int Q, bool Collocated, class F>
constexpr bool takes_planes() {
  if constexpr (has_block_threads<Exec> && Dim == 3 && F::components == 1 && data_count<F>() <= 1) {
    if (!has_gradients(F::reads) && !has_gradients(F::writes)) return Q <= 4;
    constexpr bool light = is_light<T, Dim, F>();
    return Q <= (Collocated ? (light ? 5 : 4) : (light ? 4 : 3));
  }
  return false;
}

}  // namespace kolam::detail
