// SPDX-License-Identifier: Apache-2.0
// Dirichlet conditions on all components of a solution, or on some of them.
#pragma once

#include <kolam/fem/mesh_attributes.hpp>
#include <string>
#include <utility>

namespace kolam::fem {

/// A boundary of a mesh with a Dirichlet condition: 3, "inflow", or {"symmetry", "x"} for a
/// condition on the component along x alone (a roller, a plane of symmetry).
class DirichletCondition {
 public:
  ///@{
  /// Constrains all components.
  DirichletCondition(int attribute) : where_(attribute) {}
  DirichletCondition(const char* attribute) : where_(attribute) {}
  DirichletCondition(std::string attribute) : where_(std::move(attribute)) {}
  DirichletCondition(Attribute attribute) : where_(std::move(attribute)) {}
  ///@}
  /// Constrains the named components, some of "xyz".
  DirichletCondition(Attribute attribute, std::string components)
      : where_(std::move(attribute)), components_(std::move(components)) {}

  /// Returns the attribute of the boundary.
  const Attribute& where() const { return where_; }
  /// Returns the constrained components as bits (bit c for component c); for a condition on all
  /// components, one bit per dimension. Throws InvalidArgument if the letters are empty, repeated,
  /// or not those of the dimensions.
  unsigned components(int dimensions) const;

 private:
  Attribute where_;
  std::string components_ = "all";
};

}  // namespace kolam::fem
