// SPDX-License-Identifier: Apache-2.0
// Attributes of elements (materials) and of boundaries (conditions), by number or by name.
#pragma once

#include <Kokkos_Core.hpp>
#include <kolam/core/detail/to_space.hpp>
#include <kolam/core/execution.hpp>
#include <kolam/fem/mesh.hpp>
#include <kolam/kernels/element/mapped_points.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace kolam::fem {

/// An attribute of a mesh, given by number or by name.
class Attribute {
 public:
  ///@{
  /// Implicit conversion from a number or a name.
  Attribute(int number) : number_(number) {}
  Attribute(const char* name) : name_(name) {}
  Attribute(std::string name) : name_(std::move(name)) {}
  ///@}

  ///@{
  /// Returns the attribute numbers: the number itself, or all numbers that the name stands for.
  /// Throws InvalidArgument, listing the existing attributes, if no side (or element) of the mesh
  /// has the number, or if the name does not exist.
  template <int Dim>
  std::set<int> of_boundary(const Mesh<Dim>& mesh) const;
  template <int Dim>
  std::set<int> of_elements(const Mesh<Dim>& mesh) const;
  ///@}

 private:
  int number_ = 0;
  std::string name_;
};

/// Returns the sides of the mesh with one of the boundary attributes, in the order of mesh.sides.
/// Throws InvalidArgument as Attribute::of_boundary does.
template <int Dim>
std::vector<ElementSide> sides_of(const Mesh<Dim>& mesh, const std::vector<Attribute>& boundaries);

/// A coefficient with one value per element: see per_attribute. Copies share the memory.
template <class T, ExecutionSpace Exec>
struct PerElement {
  Kokkos::View<const T*, typename Exec::memory_space> values;  ///< value of each element
  int refinements = 0;  ///< refinements from the evaluated mesh to the mesh of the values

  /// Returns the value of the point's element; for a coarser element, that of its first descendant.
  template <class U, int Dim>
  KOKKOS_FUNCTION T operator()(const MappedPoint<U, Dim>& at) const {
    return values(at.element << (Dim * refinements));
  }
  /// Returns the coefficient on the coarser mesh from which this one's mesh was refined `times`
  /// times. Multigrid calls this member if there is one.
  PerElement coarsened(int times) const { return {values, refinements + times}; }
};

namespace detail {
template <int Dim>
std::vector<double> values_by_attribute(const Mesh<Dim>& mesh,
                                        const std::vector<std::pair<Attribute, double>>& values);
}

/// Returns a coefficient with a value for each attribute of elements:
/// \code
///   const kolam::fem::Diffusion conduction{
///       kolam::fem::per_attribute<double>(exec, mesh, {{"steel", 50.0}, {"foam", 0.02}})};
/// \endcode
/// Throws InvalidArgument if an attribute does not exist or is given twice, or if an element's
/// attribute has no value. Waits.
template <class T, int Dim, ExecutionSpace Exec>
PerElement<T, Exec> per_attribute(const Exec& exec, const Mesh<Dim>& mesh,
                                  const std::vector<std::pair<Attribute, double>>& values) {
  return {kolam::detail::to_space<T>(exec, "kolam::values of elements",
                                     detail::values_by_attribute(mesh, values))};
}

}  // namespace kolam::fem
