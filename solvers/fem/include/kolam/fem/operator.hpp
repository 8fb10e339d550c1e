// SPDX-License-Identifier: Apache-2.0
// Matrix-free finite element operators, and their right-hand sides.
#pragma once

#include <Kokkos_Core.hpp>
#include <functional>
#include <kolam/core/detail/instantiate.hpp>
#include <kolam/core/error.hpp>
#include <kolam/fem/detail/boundary_mass.hpp>
#include <kolam/fem/detail/components.hpp>
#include <kolam/fem/forms.hpp>
#include <kolam/fem/function_space.hpp>
#include <kolam/kernels/element/diagonal.hpp>
#include <kolam/linear/operator.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kolam::fem {
namespace detail {

// x = pseudo-random numbers from a hash of the node's position.
template <class T, int Dim, class Exec>
struct FillByPosition {
  index_t nodes, dofs;
  int components;
  Kokkos::View<const int*, typename Exec::memory_space> dof;
  linear::ConstVector<T, Exec> coordinates;
  linear::Vector<T, Exec> x;
  KOKKOS_FUNCTION void operator()(index_t node) const {
    if (dof(node) < 0) return;
    std::uint64_t hash = 0;
    for (int k = 0; k < Dim; ++k)
      hash = linear::detail::mixed(hash + linear::detail::bits_of(coordinates(node + k * nodes)));
    for (int c = 0; c < components; ++c)
      x(dof(node) + c * dofs) = linear::detail::number_of<T>(hash + static_cast<unsigned>(c));
  }
};

// See Operator.
template <class T, int Dim, ExecutionSpace Exec>
void fill_random(const FunctionSpace<T, Dim, Exec>& space, int components,
                 const std::type_identity_t<linear::Vector<T, Exec>>& x) {
  forall(space.exec, "kolam::fill_random", space.nodes.entries,
         FillByPosition<T, Dim, Exec>{space.nodes.entries, space.dofs.entries, components,
                                      space.dof_of_node, space.coordinates->read(space.exec), x});
  // (The positions of a shared node may differ between processes by rounding.)
  space.begin_sum(x, components);
  space.end_sum(x, components);
}

// A type-erased integrand on the elements of a space.
template <class T, int Dim, ExecutionSpace Exec>
struct AnyIntegrand {
  int components;
  Geometry geometry;
  AnyIntegrand(int of_field, Geometry of_elements) : components(of_field), geometry(of_elements) {}
  virtual ~AnyIntegrand() = default;
  // Call element_operator and add_element_diagonal for the integrand.
  virtual ElementOperator<T, Exec> plan(const Exec& exec, const ElementBasis& basis,
                                        const ElementRestriction<T, Exec>& from,
                                        const ElementRestriction<T, Exec>& to) const = 0;
  virtual void add_diagonal(const Exec& exec, const ElementBasis& basis,
                            const ElementRestriction<T, Exec>& map,
                            const linear::Vector<T, Exec>& d) const = 0;
};
template <class T, int Dim, ExecutionSpace Exec, class F>
struct IntegrandOf final : AnyIntegrand<T, Dim, Exec> {
  F f;
  IntegrandOf(const F& integrand, Geometry of_elements)
      : AnyIntegrand<T, Dim, Exec>(F::components, of_elements), f(integrand) {}
  ElementOperator<T, Exec> plan(const Exec& exec, const ElementBasis& basis,
                                const ElementRestriction<T, Exec>& from,
                                const ElementRestriction<T, Exec>& to) const override {
    return element_operator<Dim, T, Exec>(exec, basis, f, from, to);
  }
  void add_diagonal(const Exec& exec, const ElementBasis& basis,
                    const ElementRestriction<T, Exec>& map,
                    const linear::Vector<T, Exec>& d) const override {
    add_element_diagonal<Dim, T, Exec>(exec, basis, f, map, d);
  }
};
template <class T, int Dim, ExecutionSpace Exec>
using SharedIntegrand = std::shared_ptr<const AnyIntegrand<T, Dim, Exec>>;

template <class T, int Dim, ExecutionSpace Exec, class F>
SharedIntegrand<T, Dim, Exec> share_integrand(const F& f, Geometry geometry) {
  return std::make_shared<const IntegrandOf<T, Dim, Exec, F>>(f, geometry);
}

// Instantiated in the library for the library's own integrands.
#define KOLAM_SHARED_INTEGRAND(KOLAM_EXTERN, DIM, T, EXEC, ON, ...)                  \
  KOLAM_EXTERN template SharedIntegrand<T, DIM, EXEC> share_integrand<T, DIM, EXEC>( \
      const ON<__VA_ARGS__, T, DIM, EXEC>&, Geometry);
// FOR_EACH: KOLAM_FOR_EACH_PHYSICS_IN_2 and the like.
#define KOLAM_SHARED_INTEGRANDS(FOR_EACH, KOLAM_EXTERN, DIM, T, EXEC)    \
  FOR_EACH(KOLAM_SHARED_INTEGRAND, KOLAM_EXTERN, DIM, T, EXEC, OnStored) \
  FOR_EACH(KOLAM_SHARED_INTEGRAND, KOLAM_EXTERN, DIM, T, EXEC, OnAffine) \
  FOR_EACH(KOLAM_SHARED_INTEGRAND, KOLAM_EXTERN, DIM, T, EXEC, OnTrilinear)
#define KOLAM_EXTERN_SHARED_INTEGRANDS_IN(DIM, EXEC)                                  \
  KOLAM_SHARED_INTEGRANDS(KOLAM_FOR_EACH_PHYSICS_IN_##DIM, extern, DIM, float, EXEC)  \
  KOLAM_SHARED_INTEGRANDS(KOLAM_FOR_EACH_PHYSICS_IN_##DIM, extern, DIM, double, EXEC) \
  KOLAM_SHARED_INTEGRANDS(KOLAM_FOR_ELASTICITY_IN_##DIM, extern, DIM, float, EXEC)    \
  KOLAM_SHARED_INTEGRANDS(KOLAM_FOR_ELASTICITY_IN_##DIM, extern, DIM, double, EXEC)
#define KOLAM_EXTERN_SHARED_INTEGRANDS(EXEC) \
  KOLAM_EXTERN_SHARED_INTEGRANDS_IN(2, EXEC) \
  KOLAM_EXTERN_SHARED_INTEGRANDS_IN(3, EXEC)
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_EXTERN_SHARED_INTEGRANDS)
#undef KOLAM_EXTERN_SHARED_INTEGRANDS

// Returns the integrand of a form on geometry G of the elements of a space.
template <Geometry G, class T, int Dim, ExecutionSpace Exec, class Form>
SharedIntegrand<T, Dim, Exec> integrand_of(const FunctionSpace<T, Dim, Exec>& space,
                                           const Form& form) {
  const auto physics = physics_of<Dim>(form);
  static_assert(
      !requires { physics.data; },
      "physics has no quadrature data of its own: declare coefficients, or say "
      "OnReference{...} if it is an integrand on the reference element");
  const auto c = coarsened(coefficient_of_gradients(form), space.coarsened);
  const auto d = coarsened(coefficient_of_values(form), space.coarsened);
  if constexpr (G == Geometry::automatic) {
    if constexpr (suits_affine<Form>) {
      // (All processes must agree on the geometry.)
      const ElementPositions<T, Exec> at = space.positions();
      const bool affine_here =
          are_affine<Dim>(space.exec, at.basis, at.nodes, at.coordinates->read(space.exec));
      if (space.sum(affine_here ? 0 : 1) == 0) return integrand_of<Geometry::affine>(space, form);
    }
    return integrand_of<Geometry::stored>(space, form);
  } else {
    const auto on = [&]() {
      const ElementPositions<T, Exec> at = space.positions();
      const linear::ConstVector<T, Exec> x = at.coordinates->read(space.exec);
      if constexpr (G == Geometry::stored) {
        return on_stored<Dim>(space.exec, at.basis, at.nodes, x, physics, c, d);
      } else if constexpr (G == Geometry::affine) {
        return on_affine<Dim>(space.exec, at.basis, at.nodes, x, physics, c, d);
      } else {
        return on_trilinear<Dim>(space.exec, at.basis, at.nodes, x, physics, c, d);
      }
    };
    SharedIntegrand<T, Dim, Exec> result;
    comm::throw_together(space.rows().communicator,
                         [&] { result = share_integrand<T, Dim, Exec>(on(), G); });
    return result;
  }
}
template <class T, int Dim, ExecutionSpace Exec, class Form>
SharedIntegrand<T, Dim, Exec> integrand_of(const FunctionSpace<T, Dim, Exec>& space,
                                           const Form& form, Geometry geometry) {
  switch (geometry) {
    case Geometry::stored:
      return integrand_of<Geometry::stored>(space, form);
    case Geometry::affine:
      return integrand_of<Geometry::affine>(space, form);
    case Geometry::trilinear:
      return integrand_of<Geometry::trilinear>(space, form);
    case Geometry::automatic:
      break;
  }
  return integrand_of<Geometry::automatic>(space, form);
}

}  // namespace detail

/// A bilinear form on the unknowns of a space, applied without a matrix. Dirichlet nodes have no
/// rows, and rows of constrained components are the identity, so the operator is symmetric if the
/// form is. The constructor does all set-up and uploads. An application allocates nothing, and
/// copies nothing unless components are constrained. Copies share the memory: one application at a
/// time. All processes of the space call the functions on vectors, which wait for messages.
template <class T, int Dim, ExecutionSpace Exec>
class Operator {
 public:
  using value_type = T;                       ///< type of vector entries
  using execution_space = Exec;               ///< execution space of all kernels
  using Space = FunctionSpace<T, Dim, Exec>;  ///< type of its space

  ///@{
  /// Sets up the operator of a form (Mass, Diffusion, Helmholtz, Elasticity or user-defined
  /// Physics) on a space. The geometry is chosen automatically, or given by a tag (`fem::affine`)
  /// or at run time by a Geometry. The default for user-defined Physics is stored geometry, because
  /// its kernels are compiled for each geometry. Throws InvalidArgument, in all processes, if the
  /// elements do not fit the geometry; throws OutOfMemory. Waits.
  /// Memory of stored geometry per quadrature point, in 3D and double precision: 8 bytes for Mass,
  /// 48 for Diffusion, 56 for Helmholtz, 80 for other Physics, plus 8 for each of its coefficients.
  /// For the others see OnAffine and OnTrilinear.
  template <class Form>
  Operator(const Space& space, const Form& form)
      : Operator(space, form, detail::DefaultGeometry<Form>{}) {}
  template <class Form, Geometry G>
  Operator(const Space& space, const Form& form, GeometryTag<G>)
      : Operator(space, detail::integrand_of<G>(space, form),
                 [form](const Space& other) { return Operator(other, form, GeometryTag<G>{}); }) {}
  template <class Form>
  Operator(const Space& space, const Form& form, Geometry geometry)
      : Operator(space, detail::integrand_of(space, form, geometry),
                 [form, geometry](const Space& other) { return Operator(other, form, geometry); }) {
  }
  ///@}
  ///@{
  /// Sets up the operator of a form with Robin conditions. Throws InvalidArgument for sides that do
  /// not exist. Memory per quadrature point of the sides: 8 bytes, plus one T per component.
  template <class Form, class A>
  Operator(const Space& space, const Robin<Form, A>& form) : Operator(space, form.form) {
    add_boundary(form.terms, [form](const Space& other) { return Operator(other, form); });
  }
  template <class Form, class A, Geometry G>
  Operator(const Space& space, const Robin<Form, A>& form, GeometryTag<G> tag)
      : Operator(space, form.form, tag) {
    add_boundary(form.terms,
                 [form, tag](const Space& other) { return Operator(other, form, tag); });
  }
  template <class Form, class A>
  Operator(const Space& space, const Robin<Form, A>& form, Geometry geometry)
      : Operator(space, form.form, geometry) {
    add_boundary(form.terms,
                 [form, geometry](const Space& other) { return Operator(other, form, geometry); });
  }
  ///@}
  /// Sets up the operator of an integrand that brings its own geometry data, valid for this space.
  template <class F>
  Operator(const Space& space, const OnReference<F>& f)
      : Operator(space, detail::share_integrand<T, Dim, Exec>(f.integrand, Geometry::stored),
                 On()) {}

  /// Returns the space of the operator.
  const Space& space() const { return space_; }
  /// Returns the execution space instance of the space.
  const Exec& exec() const { return space_.exec; }
  /// Returns the length of vectors in this process: unknowns of all components.
  index_t rows() const { return space_.dofs.entries * components(); }
  /// Returns the rows in this process and how many of them it owns.
  comm::RowDistribution row_distribution() const { return space_.rows(components()); }
  /// Returns the number of components of a field.
  int components() const { return integrand_->components; }
  /// Returns the geometry in use, never `automatic`.
  Geometry geometry() const { return integrand_->geometry; }
  /// Returns the operator of the same form on another space. Throws InvalidArgument if this
  /// operator was made from an OnReference integrand.
  Operator on(const Space& space) const {
    if (!on_) {
      throw InvalidArgument(
          "an operator of an integrand with data of its own (OnReference) is for one space alone; "
          "make the operators of other spaces by hand, or of Physics");
    }
    return on_(space);
  }

  /// Computes y = A x; both are [rows()]. For the cost see element_operator.
  void apply(const linear::ReadVector<T, Exec>& x, const linear::WriteVector<T, Exec>& y) const {
    const linear::ConstVector<T, Exec> values = x.read(exec());
    const linear::Vector<T, Exec> result = y.write(exec());
    linear::detail::set_zero<T>(exec(), result);
    add(values, result);
  }
  /// Adds A x to y.
  void apply_add(const linear::ReadVector<T, Exec>& x,
                 const linear::WriteVector<T, Exec>& y) const {
    add(x.read(exec()), y.read_write(exec()));
  }
  /// Subtracts A g, the lift of the Dirichlet values g, from the right-hand side b. g is
  /// [nodes, components], node index fastest, zero at unknowns. For set-up: allocates.
  void apply_lift(const linear::ReadVector<T, Exec>& g,
                  const linear::WriteVector<T, Exec>& b) const;
  /// Sets d, [rows()], to the diagonal of A. For set-up: see add_element_diagonal.
  void diagonal(const linear::WriteVector<T, Exec>& d) const;
  /// Fills x with pseudo-random numbers from -1 to 1 that depend only on the positions of the
  /// nodes, not on their numbering.
  void fill_random(const linear::WriteVector<T, Exec>& x) const;

  /// \cond
  // Returns the element kernels of the operator between other restrictions.
  ElementOperator<T, Exec> plan(const ElementRestriction<T, Exec>& from,
                                const ElementRestriction<T, Exec>& to) const {
    return integrand_->plan(exec(), space_.basis, from, to);
  }
  // Returns the boundary terms of Robin conditions.
  const std::vector<detail::BoundaryMass<T, Dim, Exec>>& boundary() const { return boundary_; }
  /// \endcond

 private:
  using On = std::function<Operator(const Space&)>;
  Operator(const Space& space, detail::SharedIntegrand<T, Dim, Exec> integrand, On on);

  template <class A>
  void add_boundary(const std::vector<RobinTerm<A>>& terms, On on) {
    on_ = std::move(on);
    comm::throw_together(space_.rows().communicator, [&] {
      for (const RobinTerm<A>& term : terms)
        boundary_.emplace_back(space_, detail::sides_on_level(space_, term.sides), term.a,
                               components());
    });
  }

  void add(const linear::ConstVector<T, Exec>& x, const linear::Vector<T, Exec>& y) const;

  Space space_;
  detail::SharedIntegrand<T, Dim, Exec> integrand_;
  On on_;
  ElementOperator<T, Exec> plan_;
  std::optional<detail::ConstrainedApply<T, Exec>> constrained_;
  std::vector<detail::BoundaryMass<T, Dim, Exec>> boundary_;  // of Robin conditions
};

// (Defined outside the class so that only the library compiles its explicit instantiations.)
template <class T, int Dim, ExecutionSpace Exec>
Operator<T, Dim, Exec>::Operator(const Space& space,
                                 detail::SharedIntegrand<T, Dim, Exec> integrand, On on)
    : space_(space),
      integrand_(std::move(integrand)),
      on_(std::move(on)),
      plan_(plan(space_.dofs, space_.dofs)) {
  if (!space_.constraints) return;
  detail::require_constrained_components(components(), space_.constraints->components);
  constrained_.emplace(exec(), *space_.constraints, rows());
}

template <class T, int Dim, ExecutionSpace Exec>
void Operator<T, Dim, Exec>::apply_lift(const linear::ReadVector<T, Exec>& g,
                                        const linear::WriteVector<T, Exec>& b) const {
  const linear::ConstVector<T, Exec> values = g.read(exec());
  const linear::detail::WorkVector<T, Exec> a_g(exec(), "A g", rows());
  const ElementOperator<T, Exec> lift = plan(space_.nodes, space_.dofs);
  space_.begin_sum(a_g, components());
  lift.apply_add(values, a_g);
  for (const auto& on_sides : boundary_) on_sides.lift_add(values, a_g);
  space_.end_sum(a_g, components());
  linear::detail::subtract<T, Exec>(exec(), a_g, b.read_write(exec()));
  lift.finish();
}

template <class T, int Dim, ExecutionSpace Exec>
void Operator<T, Dim, Exec>::diagonal(const linear::WriteVector<T, Exec>& d) const {
  const linear::Vector<T, Exec> result = d.write(exec());
  linear::detail::set_zero<T>(exec(), result);
  space_.begin_sum(result, components());
  integrand_->add_diagonal(exec(), space_.basis, space_.dofs, result);
  for (const auto& on_sides : boundary_) on_sides.add_diagonal(result);
  space_.end_sum(result, components());
  if (space_.constraints) {
    const auto& rows = space_.constraints->rows;
    forall(exec(), "kolam::diagonal: known components", space_.constraints->count(),
           detail::OneInRows<T, Exec>{rows, result});
  }
}

template <class T, int Dim, ExecutionSpace Exec>
void Operator<T, Dim, Exec>::fill_random(const linear::WriteVector<T, Exec>& x) const {
  detail::fill_random(space_, components(), x.write(exec()));
}

template <class T, int Dim, ExecutionSpace Exec>
void Operator<T, Dim, Exec>::add(const linear::ConstVector<T, Exec>& x,
                                 const linear::Vector<T, Exec>& y) const {
  const linear::ConstVector<T, Exec> values = constrained_ ? constrained_->before(x, y) : x;
  space_.begin_sum(y, components());
  plan_.apply_add(values, y, ElementSet::with_shared);
  for (const auto& on_sides : boundary_) on_sides.apply_add(values, y);
  space_.end_sum(y, components(), [&] { plan_.apply_add(values, y, ElementSet::without); });
  if (constrained_) constrained_->after(y);
}

// Instantiated in the library, except for the constructors that take a form.
#define KOLAM_OPERATORS(KOLAM_EXTERN, T, EXEC)                  \
  KOLAM_EXTERN template class detail::BoundaryMass<T, 2, EXEC>; \
  KOLAM_EXTERN template class detail::BoundaryMass<T, 3, EXEC>; \
  KOLAM_EXTERN template class Operator<T, 2, EXEC>;             \
  KOLAM_EXTERN template class Operator<T, 3, EXEC>;
#define KOLAM_EXTERN_OPERATORS(EXEC)   \
  KOLAM_OPERATORS(extern, float, EXEC) \
  KOLAM_OPERATORS(extern, double, EXEC)
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_EXTERN_OPERATORS)
#undef KOLAM_EXTERN_OPERATORS

/// Returns `Count` numbers for each quadrature point, see kolam::mapped_data.
template <int Count, class T, int Dim, ExecutionSpace Exec, class Fill>
auto mapped_data(const FunctionSpace<T, Dim, Exec>& space, const Fill& fill) {
  const ElementPositions<T, Exec> at = space.positions();
  return kolam::mapped_data<Dim, Count>(space.exec, at.basis, at.nodes,
                                        at.coordinates->read(space.exec), fill);
}

namespace detail {

// Refuses a vector of unknowns that is too short, before an intent on it.
template <class Vector>
void require_dofs(const char* who, const Vector& vector, index_t needed) {
  if (static_cast<index_t>(vector.extent(0)) >= needed) return;
  throw InvalidArgument(std::string(who) + ": '" + vector.label() + "' has " +
                        std::to_string(vector.extent(0)) + " values, and the space " +
                        std::to_string(needed) +
                        " unknowns; take a vector from space.vector(label, components)");
}

// See add_source below.
template <class T, int Dim, ExecutionSpace Exec, class F>
void add_source(const FunctionSpace<T, Dim, Exec>& space, const F& f, int components,
                const linear::Vector<T, Exec>& b) {
  const index_t entries = space.dofs.entries;
  const ElementPositions<T, Exec> at = space.positions();
  const auto add = [&](const auto& values, int first, int last) {
    const auto source = element_operator<Dim, T, Exec>(
        space.exec, space.basis,
        on_stored<Dim>(space.exec, at.basis, at.nodes, at.coordinates->read(space.exec), Source<>{},
                       Constant<T>{1}, values),
        space.dofs, space.dofs);
    for (int c = first; c < last; ++c)
      source.apply_add({}, Kokkos::subview(b, std::pair(c * entries, (c + 1) * entries)));
    space.exec.fence("kolam::add_source: the data end here");
  };
  space.begin_sum(b, components);
  if constexpr (has_components<F, MappedPoint<T, Dim>>) {
    for (int c = 0; c < components; ++c) add(ComponentOf<F>{f, c}, c, c + 1);
  } else {
    add(f, 0, components);
  }
  space.end_sum(b, components);
  space.exec.fence("kolam::add_source");
}

}  // namespace detail

/// Adds the source (f, v) to b for each of `Components` components. f is a functor on
/// MappedPoint<T, Dim> that returns one number for all components, or one for each (a
/// Kokkos::Array). b comes from space.vector(label, Components). Throws InvalidArgument if b is too
/// short. Waits. All processes of the space call it.
template <int Components = 1, class T, int Dim, ExecutionSpace Exec, class F>
void add_source(const FunctionSpace<T, Dim, Exec>& space, const F& f,
                const std::type_identity_t<linear::WriteVector<T, Exec>>& b) {
  detail::require_dofs("add_source", b, space.dofs.entries * Components);
  detail::add_source(space, f, Components, b.read_write(space.exec));
}

}  // namespace kolam::fem
