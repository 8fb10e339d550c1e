// SPDX-License-Identifier: Apache-2.0
// Attributes of elements and of boundaries, by number or by name: materials, and conditions.
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

/// An attribute of a mesh, by its number or by its name.
class Attribute {
 public:
  ///@{
  /// Either converts.
  Attribute(int number) : number_(number) {}
  Attribute(const char* name) : name_(name) {}
  Attribute(std::string name) : name_(std::move(name)) {}
  ///@}

  ///@{
  /// Its numbers: of a name all that it stands for. Throws InvalidArgument, with those that there
  /// are, if no side (or no element) of the mesh has the number, or nothing has the name.
  template <int Dim>
  std::set<int> of_boundary(const Mesh<Dim>& mesh) const;
  template <int Dim>
  std::set<int> of_elements(const Mesh<Dim>& mesh) const;
  ///@}

 private:
  int number_ = 0;
  std::string name_;
};

/// The sides of the mesh with one of the boundary attributes, in its order. Throws InvalidArgument
/// as Attribute::of_boundary does.
template <int Dim>
std::vector<ElementSide> sides_of(const Mesh<Dim>& mesh, const std::vector<Attribute>& boundaries);

/// A coefficient with a value for each element: see per_attribute. Copies share its memory.
template <class T, ExecutionSpace Exec>
struct PerElement {
  Kokkos::View<const T*, typename Exec::memory_space> values;  ///< of each element
  int refinements = 0;  ///< of the mesh that is asked for to the one of the values

  /// At any of its points; of an element that was refined, that of its first child.
  template <class U, int Dim>
  KOKKOS_FUNCTION T operator()(const MappedPoint<U, Dim>& at) const {
    return values(at.element << (Dim * refinements));
  }
  /// The same, for a mesh that was refined so many times to become that of the values: what
  /// multigrid asks coefficients for, if they have it.
  PerElement coarsened(int times) const { return {values, refinements + times}; }
};

namespace detail {
template <int Dim>
std::vector<double> values_by_attribute(const Mesh<Dim>& mesh,
                                        const std::vector<std::pair<Attribute, double>>& values);
}

/// A coefficient with a value for each attribute of elements:
/// \code
///   const kolam::fem::Diffusion conduction{
///       kolam::fem::per_attribute<double>(exec, mesh, {{"steel", 50.0}, {"foam", 0.02}})};
/// \endcode
/// Throws InvalidArgument for attributes that no element has, twice the same, or elements whose
/// attribute has no value. Waits.
template <class T, int Dim, ExecutionSpace Exec>
PerElement<T, Exec> per_attribute(const Exec& exec, const Mesh<Dim>& mesh,
                                  const std::vector<std::pair<Attribute, double>>& values) {
  return {kolam::detail::to_space<T>(exec, "kolam::values of elements",
                                     detail::values_by_attribute(mesh, values))};
}

}  // namespace kolam::fem
