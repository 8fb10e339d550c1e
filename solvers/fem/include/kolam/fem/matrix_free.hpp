// SPDX-License-Identifier: Apache-2.0
// Operators of finite elements that are applied without a matrix, and their right-hand sides.
#pragma once

#include <Kokkos_Core.hpp>
#include <kolam/fem/function_space.hpp>
#include <kolam/kernels/element_diagonal.hpp>
#include <kolam/kernels/element_geometry.hpp>
#include <kolam/linear/operator.hpp>
#include <memory>
#include <string>
#include <utility>

namespace kolam::fem {
namespace detail {

// x = numbers by where the node lies.
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

// See MatrixFree.
template <class T, int Dim, ExecutionSpace Exec>
void fill_random(const FunctionSpace<T, Dim, Exec>& space, int components,
                 const std::type_identity_t<linear::Vector<T, Exec>>& x) {
  forall(space.exec, "kolam::fill_random", space.nodes.entries,
         FillByPosition<T, Dim, Exec>{space.nodes.entries, space.dofs.entries, components,
                                      space.dof_of_node, space.coordinates, x});
}

// An integrand as an operator needs it, without its type.
template <class T, int Dim, ExecutionSpace Exec>
struct AnyIntegrand {
  virtual ~AnyIntegrand() = default;
  // What apply_elements and add_element_diagonal do.
  virtual void apply(const Exec& exec, const ElementBasis& basis,
                     const ElementRestriction<T, Exec>& from, const linear::ConstVector<T, Exec>& x,
                     const ElementRestriction<T, Exec>& to,
                     const linear::Vector<T, Exec>& y) const = 0;
  virtual void add_diagonal(const Exec& exec, const ElementBasis& basis,
                            const ElementRestriction<T, Exec>& map,
                            const linear::Vector<T, Exec>& d) const = 0;
};
template <class T, int Dim, ExecutionSpace Exec, Integrand F>
struct IntegrandOf final : AnyIntegrand<T, Dim, Exec> {
  F f;
  explicit IntegrandOf(const F& integrand) : f(integrand) {}
  void apply(const Exec& exec, const ElementBasis& basis, const ElementRestriction<T, Exec>& from,
             const linear::ConstVector<T, Exec>& x, const ElementRestriction<T, Exec>& to,
             const linear::Vector<T, Exec>& y) const override {
    apply_elements<Dim, T, Exec>(exec, basis, f, from, x, to, y);
  }
  void add_diagonal(const Exec& exec, const ElementBasis& basis,
                    const ElementRestriction<T, Exec>& map,
                    const linear::Vector<T, Exec>& d) const override {
    add_element_diagonal<Dim, T, Exec>(exec, basis, f, map, d);
  }
};

}  // namespace detail

/// An operator on the unknowns of a space, whatever its integrand and the number of its components:
/// what solvers of any integrand are compiled for. MatrixFree makes one. Rows of Dirichlet nodes do
/// not exist, so it is symmetric if the integrand is. Copies share the memory. If several processes
/// have the space, all of them call the functions on vectors, and wait for each other's messages
/// there.
template <class T, int Dim, ExecutionSpace Exec>
class SpaceOperator {
 public:
  using value_type = T;          ///< of vectors
  using execution_space = Exec;  ///< that it works on

  /// The space that it was made of.
  const FunctionSpace<T, Dim, Exec>& space() const { return space_; }
  /// The instance that it works on: that of the space.
  const Exec& exec() const { return space_.exec; }
  /// The length of vectors in this process: unknowns of all components.
  index_t rows() const { return space_.dofs.entries * components_; }
  /// The same, and which of them count here in sums.
  comm::RowDistribution row_distribution() const { return space_.rows(components_); }

  /// y = A x; [rows()] both. See apply_elements for what it costs.
  void apply(const linear::ReadVector<T, Exec>& x, const linear::WriteVector<T, Exec>& y) const {
    const linear::ConstVector<T, Exec> values = x.read(exec());
    const linear::Vector<T, Exec> result = y.write(exec());
    Kokkos::deep_copy(kokkos_instance(exec()), result, T(0));
    add(values, result);
  }
  /// y += A x.
  void apply_add(const linear::ReadVector<T, Exec>& x,
                 const linear::WriteVector<T, Exec>& y) const {
    add(x.read(exec()), y.read_write(exec()));
  }
  /// b -= A g: what known values on Dirichlet nodes are for the right-hand side. g: [nodes,
  /// components], nodes fastest, zero where there are unknowns.
  void apply_lift(const linear::ReadVector<T, Exec>& g,
                  const linear::WriteVector<T, Exec>& b) const {
    const linear::ConstVector<T, Exec> values = g.read(exec());
    const linear::detail::WorkVector<T, Exec> a_g(exec(), "A g", rows());
    space_.add_up(a_g, components_, [&] {
      integrand_->apply(exec(), space_.basis, space_.nodes, values, space_.dofs, a_g);
    });
    linear::detail::subtract<T, Exec>(exec(), a_g, b.read_write(exec()));
  }
  /// d = the diagonal; [rows()]. Set-up: see add_element_diagonal.
  void diagonal(const linear::WriteVector<T, Exec>& d) const {
    const linear::Vector<T, Exec> result = d.write(exec());
    Kokkos::deep_copy(kokkos_instance(exec()), result, T(0));
    space_.add_up(result, components_,
                  [&] { integrand_->add_diagonal(exec(), space_.basis, space_.dofs, result); });
  }
  /// x = numbers from -1 to 1 that look random, always the same where the nodes are the same,
  /// however they are numbered.
  void fill_random(const linear::WriteVector<T, Exec>& x) const {
    detail::fill_random(space_, components_, x.write(exec()));
  }

 protected:
  /// \cond
  using AnyIntegrand = detail::AnyIntegrand<T, Dim, Exec>;
  SpaceOperator(const FunctionSpace<T, Dim, Exec>& space, int components,
                std::shared_ptr<const AnyIntegrand> integrand)
      : space_(space), components_(components), integrand_(std::move(integrand)) {}
  const AnyIntegrand& any_integrand() const { return *integrand_; }
  /// \endcond

 private:
  void add(const linear::ConstVector<T, Exec>& x, const linear::Vector<T, Exec>& y) const {
    space_.add_up(y, components_,
                  [&] { integrand_->apply(exec(), space_.basis, space_.dofs, x, space_.dofs, y); });
  }

  FunctionSpace<T, Dim, Exec> space_;
  int components_;
  std::shared_ptr<const AnyIntegrand> integrand_;
};

/// The operator of an integrand on the unknowns of a space. As a SpaceOperator it works in the same
/// way.
template <class T, int Dim, ExecutionSpace Exec, Integrand F>
class MatrixFree : public SpaceOperator<T, Dim, Exec> {
 public:
  static constexpr int components = F::components;  ///< of a field

  /// Keeps copies of both.
  MatrixFree(const FunctionSpace<T, Dim, Exec>& space, const F& integrand)
      : SpaceOperator<T, Dim, Exec>(space, components, std::make_shared<const Model>(integrand)) {}

  /// The integrand that it was made of.
  const F& integrand() const { return static_cast<const Model&>(this->any_integrand()).f; }

 private:
  using Model = detail::IntegrandOf<T, Dim, Exec, F>;
};

/// `Count` numbers for each quadrature point, see kolam::mapped_data.
template <int Count, class T, int Dim, ExecutionSpace Exec, class Fill>
auto mapped_data(const FunctionSpace<T, Dim, Exec>& space, const Fill& fill) {
  return kolam::mapped_data<Dim, Count>(space.exec, space.basis, space.nodes, space.coordinates,
                                        fill);
}

///@{
/// What kolam::mass_data, diffusion_data, helmholtz_data, affine_elements and trilinear_elements
/// make of the elements of a space, and of coefficients c and d, functors on MappedPoint<T, Dim>.
template <class T, int Dim, ExecutionSpace Exec, class C>
auto mass_data(const FunctionSpace<T, Dim, Exec>& space, const C& c) {
  return kolam::mass_data<Dim>(space.exec, space.basis, space.nodes, space.coordinates, c);
}
template <class T, int Dim, ExecutionSpace Exec, class C>
auto diffusion_data(const FunctionSpace<T, Dim, Exec>& space, const C& c) {
  return kolam::diffusion_data<Dim>(space.exec, space.basis, space.nodes, space.coordinates, c);
}
template <class T, int Dim, ExecutionSpace Exec, class C, class D>
auto helmholtz_data(const FunctionSpace<T, Dim, Exec>& space, const C& c, const D& d) {
  return kolam::helmholtz_data<Dim>(space.exec, space.basis, space.nodes, space.coordinates, c, d);
}
template <class T, int Dim, ExecutionSpace Exec, class C, class D>
auto affine_elements(const FunctionSpace<T, Dim, Exec>& space, const C& c, const D& d) {
  return kolam::affine_elements<Dim>(space.exec, space.basis, space.nodes, space.coordinates, c, d);
}
template <class T, int Dim, ExecutionSpace Exec, class C, class D>
auto trilinear_elements(const FunctionSpace<T, Dim, Exec>& space, const C& c, const D& d) {
  return kolam::trilinear_elements<Dim>(space.exec, space.basis, space.nodes, space.coordinates, c,
                                        d);
}
///@}

namespace detail {

// See below.
template <class T, int Dim, ExecutionSpace Exec, class F>
void add_source(const FunctionSpace<T, Dim, Exec>& space, const F& f, int components,
                const linear::Vector<T, Exec>& b) {
  const index_t entries = space.dofs.entries;
  kolam::detail::require_length("b", b.extent(0), entries, components);
  const Source<T, 1, Exec> source{mass_data(space, f)};
  space.add_up(b, components, [&] {
    for (int c = 0; c < components; ++c) {
      apply_elements<Dim, T, Exec>(space.exec, space.basis, source, space.dofs, {}, space.dofs,
                                   Kokkos::subview(b, std::pair(c * entries, (c + 1) * entries)));
    }
  });
  space.exec.fence("kolam::add_source: the data end here");
}

}  // namespace detail

/// b += (f, v) for each of `Components` components; f is a functor on MappedPoint<T, Dim>. b: of
/// space.vector(label, Components). Throws InvalidArgument for a b that is too short. Waits. All
/// processes of the space call it.
template <int Components = 1, class T, int Dim, ExecutionSpace Exec, class F>
void add_source(const FunctionSpace<T, Dim, Exec>& space, const F& f,
                const std::type_identity_t<linear::WriteVector<T, Exec>>& b) {
  detail::add_source(space, f, Components, b.read_write(space.exec));
}

}  // namespace kolam::fem
