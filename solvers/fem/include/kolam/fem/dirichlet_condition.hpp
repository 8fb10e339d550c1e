// SPDX-License-Identifier: Apache-2.0
// Boundaries where the solution is known: all of it, or some of its components.
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
  /// On all components.
  DirichletCondition(int attribute) : where_(attribute) {}
  DirichletCondition(const char* attribute) : where_(attribute) {}
  DirichletCondition(std::string attribute) : where_(std::move(attribute)) {}
  DirichletCondition(Attribute attribute) : where_(std::move(attribute)) {}
  ///@}
  /// On these, some of "xyz".
  DirichletCondition(Attribute attribute, std::string components)
      : where_(std::move(attribute)), components_(std::move(components)) {}

  /// Of the boundary.
  const Attribute& where() const { return where_; }
  /// Bit c for component c; of a condition on all, those of so many dimensions. Throws
  /// InvalidArgument for letters that are not the dimensions', or none, or twice the same.
  unsigned components(int dimensions) const;

 private:
  Attribute where_;
  std::string components_ = "all";
};

}  // namespace kolam::fem
