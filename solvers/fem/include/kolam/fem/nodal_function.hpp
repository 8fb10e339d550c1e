// SPDX-License-Identifier: Apache-2.0
// Functions given by their values at the nodes of a space: Dirichlet values, integrals and errors.
#pragma once

#include <Kokkos_Core.hpp>
#include <cmath>
#include <kolam/core/error.hpp>
#include <kolam/fem/operator.hpp>
#include <kolam/kernels/vector_sums.hpp>
#include <string>

namespace kolam::fem {
namespace detail {

// data[0] = the integrand of the integral of u, including its weight.
template <class T, ExecutionSpace Exec>
struct IntegralDensity {
  static constexpr int components = 1;
  static constexpr auto reads = Evaluation::values;
  static constexpr auto writes = Evaluation::none;
  static constexpr bool stores_data = true;
  using sizes = ElementSizeList<>;
  QuadratureData<T, 1, Exec> data;

  template <class Point>
  KOKKOS_FUNCTION void operator()(Point& at) const {
    at.data[0] = at.data[0] * at.value[0];
  }
};

// data[0] = the integrand of (u - exact)^2; data[1] is the exact value.
template <class T, ExecutionSpace Exec>
struct L2Density {
  static constexpr int components = 1;
  static constexpr auto reads = Evaluation::values;
  static constexpr auto writes = Evaluation::none;
  static constexpr bool stores_data = true;
  using sizes = ElementSizeList<>;
  QuadratureData<T, 2, Exec> data;

  template <class Point>
  KOKKOS_FUNCTION void operator()(Point& at) const {
    const auto error = at.value[0] - at.data[1];
    at.data[0] = at.data[0] * error * error;
  }
};

// data[0] = the integrand of |grad u - exact|^2. The data are those of diffusion, followed by the
// exact gradient on the reference element.
template <class T, int Dim, ExecutionSpace Exec>
struct H1Density {
  static constexpr int components = 1;
  static constexpr auto reads = Evaluation::gradients;
  static constexpr auto writes = Evaluation::none;
  static constexpr bool stores_data = true;
  using sizes = ElementSizeList<>;
  QuadratureData<T, symmetric_size<Dim> + Dim, Exec> data;

  template <class Point>
  KOKKOS_FUNCTION void operator()(Point& at) const {
    using V = typename Point::value_type;
    V error[Dim];
    for (int k = 0; k < Dim; ++k)
      error[k] = at.gradient[0][k] = at.gradient[0][k] - at.data[symmetric_size<Dim> + k];
    kolam::detail::multiply_symmetric(at.data, at.gradient[0]);
    V sum(0);
    for (int k = 0; k < Dim; ++k) sum += error[k] * at.gradient[0][k];
    at.data[0] = sum;
  }
};

template <class Exact>
struct L2Numbers {
  Exact exact;
  template <class T, int Dim>
  KOKKOS_FUNCTION void operator()(const MappedPoint<T, Dim>& at, T (&numbers)[2]) const {
    numbers[0] = at.weight * at.determinant();
    numbers[1] = static_cast<T>(exact(at));
  }
};
template <class Gradient>
struct H1Numbers {
  Gradient exact;
  template <class T, int Dim>
  KOKKOS_FUNCTION void operator()(const MappedPoint<T, Dim>& at,
                                  T (&numbers)[symmetric_size<Dim> + Dim]) const {
    kolam::detail::set_terms<kolam::detail::Terms::metric>(at, T(1), T(1), numbers);
    T gradient[Dim];
    exact(at, gradient);
    for (int k = 0; k < Dim; ++k) {
      T sum = 0;
      for (int i = 0; i < Dim; ++i) sum += at.jacobian[i][k] * gradient[i];
      numbers[symmetric_size<Dim> + k] = sum;
    }
  }
};

// sums += datum 0 of the `count` data of a point.
template <class T, class Exec>
struct AddDensity {
  linear::ConstVector<T, Exec> data;
  kolam::detail::ElementLayout<T, Exec> layout;
  int q1d, points, count;
  KOKKOS_FUNCTION void operator()(index_t n, double (&sums)[1]) const {
    sums[0] += data(layout.datum(n / points, static_cast<int>(n % points), 0, q1d, count));
  }
};

// Whether a component of a node has a Dirichlet condition.
template <class Exec>
struct KnownComponents {
  Kokkos::View<const int*, typename Exec::memory_space> dof;
  Kokkos::View<const int*, typename Exec::memory_space> bits;  // of each unknown, or empty
  KOKKOS_FUNCTION bool operator()(index_t node, index_t c) const {
    const int entry = dof(node);
    return entry < 0 || (bits.extent(0) != 0 && (bits(entry) >> c & 1) != 0);
  }
};
template <class T, int Dim, ExecutionSpace Exec>
KnownComponents<Exec> known_components(const FunctionSpace<T, Dim, Exec>& space, int components) {
  if (!space.constraints) return {space.dof_of_node, {}};
  require_constrained_components(components, space.constraints->components);
  return {space.dof_of_node, space.constraints->bits};
}

// values = `known` at components with a Dirichlet condition.
template <class T, int Dim, class Exec, class Known>
struct SetKnown {
  KnownComponents<Exec> is_known;
  linear::ConstVector<T, Exec> coordinates;
  index_t nodes;
  Known known;
  linear::Vector<T, Exec> values;
  KOKKOS_FUNCTION void operator()(index_t n) const {
    const index_t node = n % nodes;
    const index_t c = n / nodes;
    if (!is_known(node, c)) return;
    double x[Dim];
    for (int k = 0; k < Dim; ++k) x[k] = coordinates(node + k * nodes);
    values(n) = static_cast<T>(component_of(known(x), static_cast<int>(c)));
  }
};

// values = u at components without a Dirichlet condition.
template <class T, class Exec>
struct SetDofs {
  KnownComponents<Exec> is_known;
  index_t nodes, dofs;
  linear::ConstVector<T, Exec> u;
  linear::Vector<T, Exec> values;
  KOKKOS_FUNCTION void operator()(index_t n) const {
    const index_t c = n / nodes;
    if (!is_known(n % nodes, c)) values(n) = u(is_known.dof(n % nodes) + c * dofs);
  }
};

// Returns the sum over all quadrature points of datum 0 of the `count` data of each.
template <class T, int Dim, ExecutionSpace Exec>
double sum_of_densities(const FunctionSpace<T, Dim, Exec>& space,
                        const linear::ConstVector<T, Exec>& data, int count) {
  const int q1d = space.basis.q1d();
  const int points = kolam::detail::power(q1d, Dim);
  const VectorSums<1, Exec> sums(space.exec, space.elements() * points);
  return sums.of("kolam::sum over points",
                 AddDensity<T, Exec>{data, space.nodes.layout, q1d, points, count})[0];
}

template <class T, int Dim, ExecutionSpace Exec, class Density>
double integrate(const FunctionSpace<T, Dim, Exec>& space, const Density& density,
                 const linear::ConstVector<T, Exec>& u) {
  if (static_cast<index_t>(u.size()) < space.nodes.entries) {
    throw InvalidArgument("u has " + std::to_string(u.size()) +
                          " values; integrals and errors need " +
                          std::to_string(space.nodes.entries) +
                          ", one for each node: set_dofs copies the unknowns to their nodes");
  }
  apply_elements<Dim, T, Exec>(space.exec, space.basis, density, space.nodes, u, space.nodes, {});
  return space.sum(sum_of_densities<T, Dim, Exec>(space, density.data.values,
                                                  kolam::detail::data_count<Density>()));
}

}  // namespace detail

/// Returns the values of `known` at nodes and components with a Dirichlet condition, and zero
/// elsewhere: [nodes.entries, components], node index fastest. `known` is a functor on
/// (const double (&x)[Dim]) that returns one number for all components, or one for each (a
/// Kokkos::Array).
template <class T, int Dim, ExecutionSpace Exec, class Known>
Array<T> dirichlet_values(const FunctionSpace<T, Dim, Exec>& space, const Known& known,
                          int components = 1) {
  const index_t count = space.nodes.entries;
  Array<T> values = linear::zeros<T>(space.exec, "nodal values", count * components);
  forall(space.exec, "kolam::dirichlet_values", count * components,
         detail::SetKnown<T, Dim, Exec, Known>{detail::known_components(space, components),
                                               space.coordinates->read(space.exec), count, known,
                                               values.read_write(space.exec)});
  return values;
}

/// Copies the unknowns u, [dofs.entries, components], to their nodes in `values`,
/// [nodes.entries, components]. Entries with a Dirichlet condition are unchanged.
template <class T, int Dim, ExecutionSpace Exec>
void set_dofs(const FunctionSpace<T, Dim, Exec>& space,
              const std::type_identity_t<linear::ReadVector<T, Exec>>& u,
              const std::type_identity_t<linear::WriteVector<T, Exec>>& values,
              int components = 1) {
  const index_t count = space.nodes.entries;
  forall(space.exec, "kolam::set_dofs", count * components,
         detail::SetDofs<T, Exec>{detail::known_components(space, components), count,
                                  space.dofs.entries, u.read(space.exec),
                                  values.read_write(space.exec)});
}

/// Returns the integral of u, given at the nodes: [nodes.entries]. Waits. All processes of the
/// space call it and get the same result; the same holds for the errors below. Throws
/// InvalidArgument if u has fewer values.
template <class T, int Dim, ExecutionSpace Exec>
double integral(const FunctionSpace<T, Dim, Exec>& space,
                const std::type_identity_t<linear::ReadVector<T, Exec>>& u) {
  const ElementPositions<T, Exec> at = space.positions();
  const detail::IntegralDensity<T, Exec> density{
      on_stored<Dim>(space.exec, at.basis, at.nodes, at.coordinates->read(space.exec), Source<>{})
          .data};
  return detail::integrate(space, density, u.read(space.exec));
}

/// Returns the L2 error, the square root of the integral of (u - exact)^2, by the quadrature of the
/// space. `exact` is a functor on MappedPoint<T, Dim>. Waits.
template <class T, int Dim, ExecutionSpace Exec, class Exact>
double l2_error(const FunctionSpace<T, Dim, Exec>& space,
                const std::type_identity_t<linear::ReadVector<T, Exec>>& u, const Exact& exact) {
  const ElementPositions<T, Exec> at = space.positions();
  const detail::L2Density<T, Exec> density{
      kolam::mapped_data<Dim, 2>(space.exec, at.basis, at.nodes, at.coordinates->read(space.exec),
                                 detail::L2Numbers<Exact>{exact})};
  return std::sqrt(detail::integrate(space, density, u.read(space.exec)));
}

/// Returns the H1 seminorm of the error, the square root of the integral of |grad u - exact|^2.
/// exact(point, gradient) fills a T (&)[Dim]. Waits.
template <class T, int Dim, ExecutionSpace Exec, class Gradient>
double h1_error(const FunctionSpace<T, Dim, Exec>& space,
                const std::type_identity_t<linear::ReadVector<T, Exec>>& u, const Gradient& exact) {
  const ElementPositions<T, Exec> at = space.positions();
  const detail::H1Density<T, Dim, Exec> density{kolam::mapped_data<Dim, symmetric_size<Dim> + Dim>(
      space.exec, at.basis, at.nodes, at.coordinates->read(space.exec),
      detail::H1Numbers<Gradient>{exact})};
  return std::sqrt(detail::integrate(space, density, u.read(space.exec)));
}

}  // namespace kolam::fem
