// SPDX-License-Identifier: Apache-2.0
// Representations of the geometry of an operator's elements.
#pragma once

#include <string_view>

namespace kolam::fem {

/// Representation of the geometry of elements: see OnStored, OnAffine and OnTrilinear.
enum class Geometry {
  automatic,  ///< affine if elements and coefficients suit it (suits_affine), else stored
  stored,     ///< data for every quadrature point: any elements, any coefficients
  affine,     ///< computed from a few numbers per element: parallelograms, parallelepipeds
  trilinear   ///< computed from the corners: elements with straight edges
};

///@{
/// Converts to and from the names above. Throws InvalidArgument, naming the value and the allowed
/// names, if the text is not among them.
std::string_view name(Geometry geometry);
Geometry parse_geometry(std::string_view text);
///@}

/// A Geometry chosen at compile time: only the kernels of this geometry are compiled.
template <Geometry>
struct GeometryTag {};
///@{
/// Tags for the constructor of Operator.
inline constexpr GeometryTag<Geometry::automatic> automatic;
inline constexpr GeometryTag<Geometry::stored> stored;
inline constexpr GeometryTag<Geometry::affine> affine;
inline constexpr GeometryTag<Geometry::trilinear> trilinear;
///@}

}  // namespace kolam::fem
