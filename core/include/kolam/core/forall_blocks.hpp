// SPDX-License-Identifier: Apache-2.0
// Loops over N blocks of X, X x Y or X x Y x Z threads, like MFEM_FORALL_2D and MFEM_FORALL_3D.
//
//   kolam::forall_3d(exec, "fill", elements, {p, q, r},
//       KOKKOS_LAMBDA(const kolam::Block<Exec>& block, kolam::index_t e) {
//         block.foreach_z(r, [&](int k) {
//           block.foreach_y(q, [&](int j) {
//             block.foreach_x(p, [&](int i) { a(i, j, k, e) = i + j + k; }); }); }); });
#pragma once

#include <kolam/core/detail/block_launch.hpp>

namespace kolam {

///@{
/// Runs `body(block, e)` for e in [0, n), each e with one block of shape `threads`, on `exec` (by
/// default, on the default execution space); asynchronously if `exec` is asynchronous. The shape is
/// `{x}` for forall, `{x, y}` for forall_2d and `{x, y, z}` for forall_3d, or a StaticShape.
///
/// On GPUs a block is a team of x*y*z threads, numbered with x fastest. On host backends
/// one thread runs the loops of the block one after the other, and the shape has no effect. nvcc
/// accepts no generic lambda here, so the body names the type of its block: `Block<Exec>`, or
/// `Block<Exec, StaticShape<...>>` for a shape known at compile time.
///
/// `scratch_and_body` is either the body alone, or a Scratch or ScratchArray followed by a body
/// `body(block, scratch, e)`:
/// \code
///   struct Shared { double u[8][8]; };  // (for nvcc not within a function)
///   ...
///   kolam::forall_2d(exec, "contract", n, {8, 8}, kolam::Scratch<Shared>{},
///       KOKKOS_LAMBDA(const kolam::Block<Exec>& block, Shared& s, kolam::index_t e) { ... });
/// \endcode
///
/// All of them throw InvalidArgument if n < 0, if an extent of the shape is not positive, if an
/// extent beyond the dimension of the call is not one, or if the block needs more threads or
/// scratch than the device has.
template <ExecutionSpace Exec, BlockShape Shape = DynamicShape, class... ScratchAndBody>
void forall(const Exec& exec, const std::string& label, index_t n, const Shape& threads,
            const ScratchAndBody&... scratch_and_body) {
  detail::launch_blocks<1>(exec, label, n, threads, scratch_and_body...);
}
template <BlockShape Shape = DynamicShape, class... ScratchAndBody>
void forall(const std::string& label, index_t n, const Shape& threads,
            const ScratchAndBody&... scratch_and_body) {
  forall(Kokkos::DefaultExecutionSpace{}, label, n, threads, scratch_and_body...);
}

template <ExecutionSpace Exec, BlockShape Shape = DynamicShape, class... ScratchAndBody>
void forall_2d(const Exec& exec, const std::string& label, index_t n, const Shape& threads,
               const ScratchAndBody&... scratch_and_body) {
  detail::launch_blocks<2>(exec, label, n, threads, scratch_and_body...);
}
template <BlockShape Shape = DynamicShape, class... ScratchAndBody>
void forall_2d(const std::string& label, index_t n, const Shape& threads,
               const ScratchAndBody&... scratch_and_body) {
  forall_2d(Kokkos::DefaultExecutionSpace{}, label, n, threads, scratch_and_body...);
}

template <ExecutionSpace Exec, BlockShape Shape = DynamicShape, class... ScratchAndBody>
void forall_3d(const Exec& exec, const std::string& label, index_t n, const Shape& threads,
               const ScratchAndBody&... scratch_and_body) {
  detail::launch_blocks<3>(exec, label, n, threads, scratch_and_body...);
}
template <BlockShape Shape = DynamicShape, class... ScratchAndBody>
void forall_3d(const std::string& label, index_t n, const Shape& threads,
               const ScratchAndBody&... scratch_and_body) {
  forall_3d(Kokkos::DefaultExecutionSpace{}, label, n, threads, scratch_and_body...);
}
///@}

}  // namespace kolam
