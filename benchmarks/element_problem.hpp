// SPDX-License-Identifier: Apache-2.0
// The bake-off problems that the element benchmarks apply: space, integrand, vector, checksum.
#pragma once

#include <Kokkos_Core.hpp>
#include <kolam/core/detail/allocate.hpp>
#include <kolam/fem/operator.hpp>
#include <string>
#include <type_traits>

#include "element_work.hpp"

namespace kolam::benchmarks {

/// Shears the box, so that elements are not cubes.
struct Sheared {
  template <class X>
  KOKKOS_FUNCTION void operator()(X& x) const {
    x[0] += 0.3 * x[1];
    x[2] += 0.2 * x[0] - 0.1 * x[1];
  }
};

template <class T, class Exec>
using Space = fem::FunctionSpace<T, 3, Exec>;

template <class T, class Exec>
Space<T, Exec> space_of(const Exec& exec, const ElementWork& work) {
  return fem::box_space<T>(
      exec, fem::BoxMesh<3>{{work.n, work.n, work.n}},
      work.collocated() ? lobatto_element(work.order) : gauss_element(work.order, work.order + 2),
      Sheared{}, 0U);
}

template <class T, class Exec>
struct FillRough {
  linear::ConstVector<T, Exec> at;
  index_t nodes;
  int components;
  linear::Vector<T, Exec> x;
  KOKKOS_FUNCTION void operator()(index_t i) const {
    const double phase =
        400 * (static_cast<double>(at(i)) + 1.3 * at(i + nodes) + 1.7 * at(i + 2 * nodes));
    for (int c = 0; c < components; ++c) x(i + c * nodes) = static_cast<T>(Kokkos::cos(phase));
  }
};

/// Returns a zeroed View, usable with other libraries.
template <class T, class Exec>
linear::Vector<T, Exec> zeros(const Exec& exec, const char* label, index_t size) {
  return detail::allocate_zeros<linear::Vector<T, Exec>>(exec, label, size);
}

/// Returns a rough vector, so that nothing cancels. It depends on the position alone, and all
/// components are equal.
template <class T, class Exec>
linear::Vector<T, Exec> rough_vector(const Exec& exec, const Space<T, Exec>& space,
                                     int components) {
  const linear::Vector<T, Exec> x = zeros<T>(exec, "x", space.dofs.entries * components);
  forall(exec, "fill", space.nodes.entries,
         FillRough<T, Exec>{space.coordinates->read(exec), space.nodes.entries, components, x});
  return x;
}

template <class T, class Exec>
struct AddSquare {
  linear::Vector<T, Exec> y;
  KOKKOS_FUNCTION void operator()(index_t i, double& sum) const {
    sum += static_cast<double>(y(i)) * y(i);
  }
};
template <class T, class Exec>
double sum_of_squares(const Exec& exec, const linear::Vector<T, Exec>& y) {
  return sum<double>(exec, "checksum", static_cast<index_t>(y.extent(0)), AddSquare<T, Exec>{y});
}

/// Calls body(form) with the form of the problem.
template <class Body>
auto with_form(const ElementWork& work, const Body& body) {
  if (work.mass()) {
    return work.components() == 1 ? body(fem::Mass{}) : body(fem::componentwise<3>(fem::Mass{}));
  }
  return work.components() == 1 ? body(fem::Diffusion{})
                                : body(fem::componentwise<3>(fem::Diffusion{}));
}
template <class T, class Exec>
fem::Operator<T, 3, Exec> operator_of(const Space<T, Exec>& space, const ElementWork& work) {
  return with_form(work, [&](const auto& form) {
    return fem::Operator<T, 3, Exec>(space, form, work.geometry);
  });
}

/// Returns the name of the checksum that all geometries and backends share.
inline std::string subject_of(const ElementWork& work) {
  return std::string(name(work.problem)) + " " + std::to_string(work.order) + " " +
         std::to_string(work.n);
}
template <class T>
inline constexpr double tolerance = std::is_same_v<T, float> ? 1e-3 : 1e-9;

}  // namespace kolam::benchmarks
