// SPDX-License-Identifier: Apache-2.0
// Vectors of operators and solvers: Arrays for callers, Views for kernels.
#pragma once

#include <Kokkos_Core.hpp>
#include <concepts>
#include <kolam/core/detail/instantiate.hpp>
#include <kolam/core/source_location.hpp>
#include <kolam/memory/array.hpp>
#include <memory>
#include <string>

namespace kolam::linear {

///@{
/// Vectors of an operator or solver in kernels: [rows], several components one after the other.
template <class T, ExecutionSpace Exec>
using Vector = Kokkos::View<T*, typename Exec::memory_space>;
template <class T, ExecutionSpace Exec>
using ConstVector = Kokkos::View<const T*, typename Exec::memory_space>;
///@}

/// A parameter that a function reads: an Array, on which the function takes the intent itself, or a
/// View in the memory of Exec. Both convert implicitly.
template <class T, ExecutionSpace Exec>
class ReadVector {
 public:
  /// Makes a parameter without values.
  ReadVector() = default;
  ///@{
  /// Wraps an argument. `place`: the call, as the location of the intent.
  ReadVector(const Array<T>& array, SourceLocation place = SourceLocation::current())
      : array_(&array), place_(place) {}
  ReadVector(const Array<const T>& array, SourceLocation place = SourceLocation::current())
      : const_array_(&array), place_(place) {}
  template <std::convertible_to<ConstVector<T, Exec>> View>
  ReadVector(const View& view) : view_(view) {}
  ///@}

  /// Returns the newest values, for work on `exec`. Throws as Array::read.
  ConstVector<T, Exec> read(const Exec& exec) const {
    if (array_ != nullptr) return array_->read(exec, place_);
    if (const_array_ != nullptr) return const_array_->read(exec, place_);
    return view_;
  }

 private:
  const Array<T>* array_ = nullptr;
  const Array<const T>* const_array_ = nullptr;
  ConstVector<T, Exec> view_;
  SourceLocation place_;
};

/// A parameter that a function changes, an Array or a View as for ReadVector.
template <class T, ExecutionSpace Exec>
class WriteVector {
 public:
  ///@{
  /// Wraps an argument. `place`: the call, as the location of the intent.
  WriteVector(Array<T>& array, SourceLocation place = SourceLocation::current())
      : array_(&array), place_(place) {}
  template <std::convertible_to<Vector<T, Exec>> View>
  WriteVector(const View& view) : view_(view) {}
  ///@}

  /// Returns the number of values, as a View does.
  std::size_t extent(std::size_t) const {
    return array_ != nullptr ? static_cast<std::size_t>(array_->size()) : view_.extent(0);
  }
  /// Returns the label.
  std::string label() const { return array_ != nullptr ? array_->label() : view_.label(); }

  /// Returns memory that work on `exec` overwrites entirely. Throws as Array::write.
  Vector<T, Exec> write(const Exec& exec) const {
    return array_ != nullptr ? array_->write(exec, place_) : view_;
  }
  /// Returns the newest values, to be changed. Throws as Array::read.
  Vector<T, Exec> read_write(const Exec& exec) const {
    if (array_ == nullptr) return view_;
    static_cast<void>(array_->read(exec, place_));  // (throws if values were never written)
    return array_->read_write(exec, place_);
  }

 private:
  Array<T>* array_ = nullptr;
  Vector<T, Exec> view_;
  SourceLocation place_;
};

namespace detail {

// x = 0, asynchronously.
template <class T, ExecutionSpace Exec>
void set_zero(const Exec& exec, const std::type_identity_t<Vector<T, Exec>>& x) {
  Kokkos::deep_copy(kokkos_instance(exec), x, T(0));
}

}  // namespace detail

/// Returns an array of `size` zeros on the device of `exec`, written asynchronously. Throws
/// OutOfMemory.
template <class T, ExecutionSpace Exec>
Array<T> zeros(const Exec& exec, const std::string& label, index_t size) {
  Array<T> array(label, size);
  detail::set_zero<T>(exec, array.write(exec));
  return array;
}

namespace detail {

// A work vector of a solver, zero at first, used on one instance only: a View that keeps its array
// alive. Copies share the memory.
template <class T, ExecutionSpace Exec>
class WorkVector : public Vector<T, Exec> {
 public:
  WorkVector(const Exec& exec, const std::string& label, index_t size)
      : WorkVector(exec, std::make_shared<Array<T>>(zeros<T>(exec, label, size))) {}

 private:
  WorkVector(const Exec& exec, std::shared_ptr<Array<T>> array)
      : Vector<T, Exec>(array->read_write(exec)), array_(std::move(array)) {}

  std::shared_ptr<Array<T>> array_;
};

}  // namespace detail

// Compiled in the library.
#define KOLAM_VECTORS(KOLAM_EXTERN, T, EXEC)                                                 \
  KOLAM_EXTERN template void detail::set_zero<T, EXEC>(const EXEC&, const Vector<T, EXEC>&); \
  KOLAM_EXTERN template Array<T> zeros<T, EXEC>(const EXEC&, const std::string&, index_t);
#define KOLAM_EXTERN_VECTORS(EXEC)   \
  KOLAM_VECTORS(extern, float, EXEC) \
  KOLAM_VECTORS(extern, double, EXEC)
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_EXTERN_VECTORS)
#undef KOLAM_EXTERN_VECTORS

}  // namespace kolam::linear
