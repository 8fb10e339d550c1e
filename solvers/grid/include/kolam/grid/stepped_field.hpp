// SPDX-License-Identifier: Apache-2.0
// The interface of a field that steps advance, independent of its stencil.
#pragma once

#include <functional>
#include <kolam/comm/communicator.hpp>
#include <kolam/comm/field_blocks.hpp>
#include <kolam/grid/stencil_run.hpp>
#include <kolam/kernels/stencil/norms.hpp>
#include <memory>
#include <vector>

namespace kolam::grid {

/// The values of a grid on the host: in each process the blocks of its own subdomains.
template <class T>
struct HostField {
  Extents<3> extents{};                          ///< extents of the whole grid, 1 along z in 2D
  std::vector<comm::FieldBlock<T, 3>> blocks{};  ///< blocks in the order of the subdomains
  std::shared_ptr<const void> memory{};          ///< owner of the memory of the blocks
};

/// The interface of StencilSolver without its stencil, dimensions and device: enough to run it in
/// parts, to write its state, and to continue from a written state. All processes call every
/// function together. T is float or double.
template <class T>
class SteppedField {
 public:
  /// A function that writes the values of a box to `to`, the address of its first point.
  using Read = std::function<void(const Box<3>& box, T* to, const comm::Pitches<3>& pitches)>;
  /// The memory of the values that on_host returns.
  enum class Values {
    copied,    ///< a copy, which later steps do not change
    borrowed,  ///< the field's own memory for the host: no copy, valid until the next step
  };

  SteppedField() = default;
  SteppedField(const SteppedField&) = delete;
  SteppedField& operator=(const SteppedField&) = delete;
  ///@{
  /// Moves, for derived classes.
  SteppedField(SteppedField&&) noexcept = default;
  SteppedField& operator=(SteppedField&&) noexcept = default;
  ///@}
  virtual ~SteppedField() = default;

  /// Advances the field. Throws InvalidArgument, see validate.
  virtual StencilResult run(const StencilRun& run) = 0;
  /// Returns sum u^2 and max |u| over all points.
  virtual FieldNorms norms() const = 0;
  /// Returns the values at the stepped points. Throws OutOfMemory.
  virtual HostField<T> on_host(Values values = Values::copied) const = 0;
  /// Replaces the values at the stepped points: calls `read` for each own subdomain. Boundaries
  /// stay. Throws in all processes if `read` throws in one; the values are then unspecified.
  virtual void load(const Read& read) = 0;

  /// Returns the extents of the stepped points in the whole grid, 1 along z in 2D.
  virtual Extents<3> extents() const = 0;
  /// Returns the number of fused steps, at least 1.
  virtual int steps_per_pass() const = 0;
  /// Returns the processes that have the field.
  virtual const Communicator& communicator() const = 0;
};

/// A function that runs a field: at once, or in parts with checkpoints between them.
template <class T>
using FieldRunner = std::function<StencilResult(SteppedField<T>& field, const StencilRun& run)>;

}  // namespace kolam::grid
