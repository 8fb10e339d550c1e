// SPDX-License-Identifier: Apache-2.0
// A field that steps advance, to those who need not know its stencil.
#pragma once

#include <functional>
#include <kolam/comm/communicator.hpp>
#include <kolam/comm/field_blocks.hpp>
#include <kolam/grid/stencil_run.hpp>
#include <kolam/kernels/stencil/norms.hpp>
#include <memory>
#include <vector>

namespace kolam::grid {

/// The values of a grid on hosts: in each process the blocks of its own subdomains.
template <class T>
struct HostField {
  Extents<3> extents{};                          ///< of the whole grid; a plane has one layer in z
  std::vector<comm::FieldBlock<T, 3>> blocks{};  ///< in the order of the subdomains
  std::shared_ptr<const void> memory{};          ///< owns what they point to
};

/// What StencilSolver is, without its stencil, its dimensions and its device: enough to run it in
/// parts, to write what it has come to and to go on from what was written. Everything is called by
/// all processes together. T is float or double.
template <class T>
class SteppedField {
 public:
  /// Puts the values of a box at `to`, the place of its first point.
  using Read = std::function<void(const Box<3>& box, T* to, const comm::Pitches<3>& pitches)>;
  /// What on_host gives.
  enum class Values {
    copied,    ///< they stay as they are while steps go on
    borrowed,  ///< where the host can read them: no copy, valid until the next step
  };

  SteppedField() = default;
  SteppedField(const SteppedField&) = delete;
  SteppedField& operator=(const SteppedField&) = delete;
  ///@{
  /// For the classes that are made of this one.
  SteppedField(SteppedField&&) noexcept = default;
  SteppedField& operator=(SteppedField&&) noexcept = default;
  ///@}
  virtual ~SteppedField() = default;

  /// Advances the field. Throws InvalidArgument, see validate.
  virtual StencilResult run(const StencilRun& run) = 0;
  /// sum u^2 and max |u| over all points.
  virtual FieldNorms norms() const = 0;
  /// The values at the points that are stepped. Throws OutOfMemory.
  virtual HostField<T> on_host(Values values = Values::copied) const = 0;
  /// Replaces them: `read` is called for the box of each own subdomain. Boundaries stay. Throws in
  /// all processes what `read` throws in one; the values are then unspecified.
  virtual void load(const Read& read) = 0;

  /// Points that are stepped, of the whole grid; a plane has one layer in z.
  virtual Extents<3> extents() const = 0;
  /// Steps that are taken together: at least 1.
  virtual int steps_per_pass() const = 0;
  /// The processes that have the field.
  virtual const Communicator& communicator() const = 0;
};

/// Runs a field as it likes: at once, or in parts, with checkpoints between them.
template <class T>
using FieldRunner = std::function<StencilResult(SteppedField<T>& field, const StencilRun& run)>;

}  // namespace kolam::grid
