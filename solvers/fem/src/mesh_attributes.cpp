// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <kolam/core/error.hpp>
#include <kolam/fem/mesh_attributes.hpp>
#include <map>
#include <set>

namespace kolam::fem {
namespace {

// Returns the numbers of an attribute. what: "element" or "boundary"; numbers and names: those of
// the mesh.
std::set<int> found(const std::string& what, int number, const std::string& name,
                    const std::set<int>& numbers, const AttributeNames& names) {
  if (!name.empty()) {
    const auto known = names.find(name);
    if (known != names.end()) return known->second;
    std::vector<std::string> all;
    for (const auto& [each, its] : names) all.push_back(each);
    throw InvalidArgument(fmt::format("mesh: no {} attribute is named '{}'; {}", what, name,
                                      all.empty()
                                          ? "none has a name: give its number"
                                          : fmt::format("there are '{}'", fmt::join(all, "', '"))));
  }
  if (numbers.count(number) > 0) return {number};
  throw InvalidArgument(fmt::format("mesh: there is no {} attribute {}; {}", what, number,
                                    numbers.empty()
                                        ? std::string("nothing has one")
                                        : fmt::format("there are {}", fmt::join(numbers, ", "))));
}

}  // namespace

template <int Dim>
std::set<int> Attribute::of_boundary(const Mesh<Dim>& mesh) const {
  std::set<int> numbers;
  for (const BoundarySide& side : mesh.sides) numbers.insert(side.attribute);
  if (mesh.cut) numbers.insert(mesh.cut->boundaries.begin(), mesh.cut->boundaries.end());
  return found("boundary", number_, name_, numbers, mesh.boundary_names);
}
template std::set<int> Attribute::of_boundary(const Mesh<2>&) const;
template std::set<int> Attribute::of_boundary(const Mesh<3>&) const;

template <int Dim>
std::set<int> Attribute::of_elements(const Mesh<Dim>& mesh) const {
  std::set<int> numbers(mesh.attributes.begin(), mesh.attributes.end());
  if (mesh.cut) numbers.insert(mesh.cut->attributes.begin(), mesh.cut->attributes.end());
  return found("element", number_, name_, numbers, mesh.element_names);
}
template std::set<int> Attribute::of_elements(const Mesh<2>&) const;
template std::set<int> Attribute::of_elements(const Mesh<3>&) const;

template <int Dim>
std::vector<ElementSide> sides_of(const Mesh<Dim>& mesh, const std::vector<Attribute>& boundaries) {
  std::set<int> wanted;
  for (const Attribute& boundary : boundaries) wanted.merge(boundary.of_boundary(mesh));
  std::vector<ElementSide> result;
  for (const BoundarySide& side : mesh.sides)
    if (wanted.count(side.attribute) > 0) result.push_back(side.at);
  return result;
}
template std::vector<ElementSide> sides_of(const Mesh<2>&, const std::vector<Attribute>&);
template std::vector<ElementSide> sides_of(const Mesh<3>&, const std::vector<Attribute>&);

template <int Dim>
std::vector<double> detail::values_by_attribute(
    const Mesh<Dim>& mesh, const std::vector<std::pair<Attribute, double>>& values) {
  std::map<int, double> by_number;
  for (const auto& [attribute, value] : values) {
    for (const int number : attribute.of_elements(mesh)) {
      if (!by_number.emplace(number, value).second) {
        throw InvalidArgument(fmt::format(
            "per_attribute: two values for the element attribute {}; give one", number));
      }
    }
  }
  std::vector<double> result;
  result.reserve(mesh.attributes.size());
  for (const int number : mesh.attributes) {
    const auto value = by_number.find(number);
    if (value == by_number.end()) {
      throw InvalidArgument(
          fmt::format("per_attribute: no value for the element attribute {}, which element {} has",
                      number, result.size()));
    }
    result.push_back(value->second);
  }
  return result;
}
template std::vector<double> detail::values_by_attribute(
    const Mesh<2>&, const std::vector<std::pair<Attribute, double>>&);
template std::vector<double> detail::values_by_attribute(
    const Mesh<3>&, const std::vector<std::pair<Attribute, double>>&);

}  // namespace kolam::fem
