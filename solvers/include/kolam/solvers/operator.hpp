// SPDX-License-Identifier: Apache-2.0
// What solvers ask of an operator, and the operators of finite elements without a matrix.
#pragma once

#include <Kokkos_Core.hpp>
#include <concepts>
#include <kolam/kernels/element_diagonal.hpp>
#include <kolam/solvers/function_space.hpp>

namespace kolam {

/// Vectors of an operator or solver.
template <class T, ExecutionSpace Exec>
using Vector = Kokkos::View<T*, typename Exec::memory_space>;
template <class T, ExecutionSpace Exec>
using ConstVector = Kokkos::View<const T*, typename Exec::memory_space>;

namespace detail {

template <class T, ExecutionSpace Exec>
Vector<T, Exec> zeros(const Exec& exec, const char* label, index_t n) {
  return Vector<T, Exec>(Kokkos::view_alloc(kokkos_instance(exec), std::string(label)),
                         static_cast<std::size_t>(n));
}

}  // namespace detail

/// y = A x, asynchronously on the operator's instance. What a preconditioner is too.
template <class A, class T, class Exec>
concept Applicable = requires(const A& a, const ConstVector<T, Exec>& x, const Vector<T, Exec>& y) {
  a.apply(x, y);
};

/// A square matrix as far as solvers know it: also y += A x, its diagonal and its size.
template <class A, class T, class Exec>
concept LinearOperator = Applicable<A, T, Exec> &&
    requires(const A& a, const ConstVector<T, Exec>& x, const Vector<T, Exec>& y) {
  a.apply_add(x, y);
  a.diagonal(y);
  { a.rows() } -> std::convertible_to<index_t>;
  { a.exec() } -> std::convertible_to<Exec>;
};

/// The operator of an integrand on the unknowns of a space. Rows of Dirichlet nodes do not exist,
/// so it is symmetric if the integrand is. Copies share the memory.
template <class T, int Dim, ExecutionSpace Exec, Integrand F>
class MatrixFree {
 public:
  using value_type = T;
  using execution_space = Exec;
  static constexpr int components = F::components;

  MatrixFree(const FunctionSpace<T, Dim, Exec>& space, const F& integrand)
      : space_(space), integrand_(integrand) {}

  [[nodiscard]] const FunctionSpace<T, Dim, Exec>& space() const { return space_; }
  [[nodiscard]] const F& integrand() const { return integrand_; }
  [[nodiscard]] const Exec& exec() const { return space_.exec; }
  [[nodiscard]] index_t rows() const { return space_.unknowns.entries * components; }

  /// y = A x; [rows()] both. See apply_elements for what it costs.
  void apply(const ConstVector<T, Exec>& x, const Vector<T, Exec>& y) const {
    Kokkos::deep_copy(kokkos_instance(exec()), y, T(0));
    apply_add(x, y);
  }
  /// y += A x.
  void apply_add(const ConstVector<T, Exec>& x, const Vector<T, Exec>& y) const {
    apply_elements<Dim, T, Exec>(exec(), space_.basis, integrand_, space_.unknowns, x,
                                 space_.unknowns, y);
  }
  /// b -= A g: what known values on Dirichlet nodes are for the right-hand side. g: [nodes,
  /// components], nodes fastest, zero where there are unknowns.
  void subtract_known(const ConstVector<T, Exec>& g, const Vector<T, Exec>& b) const {
    const Vector<T, Exec> a_g = space_.vector("kolam::A g", components);
    apply_elements<Dim, T, Exec>(exec(), space_.basis, integrand_, space_.nodes, g, space_.unknowns,
                                 a_g);
    forall(
        exec(), "kolam::subtract_known", rows(), KOKKOS_LAMBDA(index_t i) { b(i) -= a_g(i); });
    exec().fence("kolam::subtract_known: A g ends here");
  }
  /// d = the diagonal; [rows()]. Set-up: see add_element_diagonal.
  void diagonal(const Vector<T, Exec>& d) const {
    Kokkos::deep_copy(kokkos_instance(exec()), d, T(0));
    add_element_diagonal<Dim, T, Exec>(exec(), space_.basis, integrand_, space_.unknowns, d);
  }

 private:
  FunctionSpace<T, Dim, Exec> space_;
  F integrand_;
};

/// b += (f, v) for each of `Components` components; f is a functor on MappedPoint<T, Dim>. b: of
/// space.vector(label, Components). Waits.
template <int Components = 1, class T, int Dim, ExecutionSpace Exec, class F>
void add_source(const FunctionSpace<T, Dim, Exec>& space, const F& f,
                const std::type_identity_t<Vector<T, Exec>>& b) {
  const Source<T, Components, Exec> source{
      mass_data<Dim>(space.exec, space.basis, space.nodes, space.coordinates, f)};
  apply_elements<Dim, T, Exec>(space.exec, space.basis, source, space.unknowns, {}, space.unknowns,
                               b);
  space.exec.fence("kolam::add_source: the data end here");
}

}  // namespace kolam
