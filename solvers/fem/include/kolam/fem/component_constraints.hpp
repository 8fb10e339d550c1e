// SPDX-License-Identifier: Apache-2.0
// Dirichlet conditions on single components of a vector field, as on rollers or planes of symmetry.
#pragma once

#include <Kokkos_Core.hpp>
#include <kolam/core/detail/to_space.hpp>
#include <kolam/core/forall.hpp>
#include <kolam/linear/vector.hpp>
#include <optional>
#include <vector>

namespace kolam::fem {
namespace detail {

// Throws InvalidArgument unless `components` is the number that the constraints are made for.
void require_constrained_components(int components, int constrained);

// y = 0 in these rows.
template <class T, class Exec>
struct ZeroRows {
  Kokkos::View<const int*, typename Exec::memory_space> rows;
  linear::Vector<T, Exec> y;
  KOKKOS_FUNCTION void operator()(index_t i) const { y(rows(i)) = T(0); }
};
// kept = y + x in these rows.
template <class T, class Exec>
struct KeepRows {
  Kokkos::View<const int*, typename Exec::memory_space> rows;
  linear::ConstVector<T, Exec> x;
  linear::Vector<T, Exec> y, kept;
  KOKKOS_FUNCTION void operator()(index_t i) const { kept(i) = y(rows(i)) + x(rows(i)); }
};
// y = kept in these rows.
template <class T, class Exec>
struct PutRows {
  Kokkos::View<const int*, typename Exec::memory_space> rows;
  linear::Vector<T, Exec> kept, y;
  KOKKOS_FUNCTION void operator()(index_t i) const { y(rows(i)) = kept(i); }
};
// y = 1 in these rows.
template <class T, class Exec>
struct OneInRows {
  Kokkos::View<const int*, typename Exec::memory_space> rows;
  linear::Vector<T, Exec> y;
  KOKKOS_FUNCTION void operator()(index_t i) const { y(rows(i)) = T(1); }
};

}  // namespace detail

/// The constrained rows of vectors [dofs, components]. Solutions and right-hand sides are zero in
/// these rows, and operators the identity. (A node constrained in all components has no unknown.)
template <ExecutionSpace Exec>
struct ComponentConstraints {
  using memory_space = typename Exec::memory_space;  ///< memory space of the Views

  int components;                               ///< components of a field
  index_t owned;                                ///< constrained rows that this process owns
  Kokkos::View<const int*, memory_space> bits;  ///< constraints of each unknown, bit c: component c
  Kokkos::View<const int*, memory_space> rows;  ///< constrained rows of a vector, ascending

  /// Returns the constraints given by `bits_of_dofs`, the bits of each unknown. This process owns
  /// the first `owned_dofs` unknowns. Waits.
  static ComponentConstraints of(const Exec& exec, int components,
                                 const std::vector<int>& bits_of_dofs, index_t owned_dofs) {
    std::vector<int> rows;
    index_t owned = 0;
    const auto dofs = static_cast<int>(bits_of_dofs.size());
    for (int c = 0; c < components; ++c)
      for (int dof = 0; dof < dofs; ++dof)
        if ((bits_of_dofs[static_cast<std::size_t>(dof)] >> c & 1) != 0) {
          rows.push_back(dof + c * dofs);
          owned += dof < owned_dofs ? 1 : 0;
        }
    return {components, owned,
            kolam::detail::to_space<int>(exec, "kolam::known components", bits_of_dofs),
            kolam::detail::to_space<int>(exec, "kolam::rows of known components", rows)};
  }

  /// Returns the number of constrained rows.
  index_t count() const { return static_cast<index_t>(rows.extent(0)); }

  /// Sets y to 0 in the constrained rows. Throws InvalidArgument if `of_components` differs from
  /// `components`. Asynchronous.
  template <class T>
  void zero(const Exec& exec, const linear::Vector<T, Exec>& y, int of_components) const {
    detail::require_constrained_components(of_components, components);
    forall(exec, "kolam::known components", count(), detail::ZeroRows<T, Exec>{rows, y});
  }
};

namespace detail {

// Makes the constrained rows of an operator the identity: call before() and after() around its
// addition to y. One use at a time.
template <class T, ExecutionSpace Exec>
class ConstrainedApply {
 public:
  ConstrainedApply(const Exec& exec, const ComponentConstraints<Exec>& constraints, index_t rows)
      : exec_(exec),
        rows_(constraints.rows),
        free_(exec, "values of free components", rows),
        kept_(exec, "rows of known components", constraints.count()) {}

  // Keeps y + x of the constrained rows and returns x with zeros there.
  linear::ConstVector<T, Exec> before(const linear::ConstVector<T, Exec>& x,
                                      const linear::Vector<T, Exec>& y) const {
    forall(exec_, "kolam::known components: y + x", count(), KeepRows<T, Exec>{rows_, x, y, kept_});
    Kokkos::deep_copy(kokkos_instance(exec_), linear::Vector<T, Exec>(free_), x);
    forall(exec_, "kolam::known components: x = 0", count(), ZeroRows<T, Exec>{rows_, free_});
    return free_;
  }
  void after(const linear::Vector<T, Exec>& y) const {
    forall(exec_, "kolam::known components: y = y + x", count(), PutRows<T, Exec>{rows_, kept_, y});
  }

 private:
  index_t count() const { return static_cast<index_t>(rows_.extent(0)); }

  Exec exec_;
  Kokkos::View<const int*, typename Exec::memory_space> rows_;
  linear::detail::WorkVector<T, Exec> free_, kept_;
};

}  // namespace detail
}  // namespace kolam::fem
