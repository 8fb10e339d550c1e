// SPDX-License-Identifier: Apache-2.0
// Where the geometry of an operator's elements comes from.
#pragma once

#include <string_view>

namespace kolam::fem {

/// Where the geometry of elements comes from: see OnStored, OnAffine and OnTrilinear.
enum class Geometry {
  automatic,  ///< affine if all elements are and coefficients are Constant, else stored
  stored,     ///< numbers of every quadrature point: any elements, any coefficients
  affine,     ///< computed from some numbers of each element: parallelograms, parallelepipeds
  trilinear   ///< computed from the corners: elements with straight edges
};

///@{
/// The names above. `parse` throws InvalidArgument that names the value and those there are.
std::string_view name(Geometry geometry);
Geometry parse_geometry(std::string_view text);
///@}

/// A Geometry that is known when a program is compiled: kernels of the others are not.
template <Geometry>
struct GeometryTag {};
///@{
/// For Operator.
inline constexpr GeometryTag<Geometry::automatic> automatic;
inline constexpr GeometryTag<Geometry::stored> stored;
inline constexpr GeometryTag<Geometry::affine> affine;
inline constexpr GeometryTag<Geometry::trilinear> trilinear;
///@}

}  // namespace kolam::fem
