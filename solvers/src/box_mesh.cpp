// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <kolam/core/error.hpp>
#include <kolam/solvers/box_mesh.hpp>

namespace kolam {

template <int Dim>
void validate(const BoxMesh<Dim>& mesh) {
  for (std::size_t k = 0; k < Dim; ++k) {
    if (mesh.elements[k] < 1) {
      throw InvalidArgument(fmt::format("a box of {} elements in {}; it needs at least 1",
                                        mesh.elements[k], "xyz"[k]));
    }
    if (!(mesh.upper[k] > mesh.lower[k])) {
      throw InvalidArgument(fmt::format("a box from {} to {} in {}; the upper end must be above",
                                        mesh.lower[k], mesh.upper[k], "xyz"[k]));
    }
  }
}
template void validate(const BoxMesh<2>&);
template void validate(const BoxMesh<3>&);

std::uint32_t attribute_bits(int dimensions, const std::vector<int>& attributes) {
  std::uint32_t bits = 0;
  for (const int attribute : attributes) {
    if (attribute < 1 || attribute > 2 * dimensions) {
      throw InvalidArgument(fmt::format("boundary attribute {}: a box in {}D has 1 to {}",
                                        attribute, dimensions, 2 * dimensions));
    }
    bits |= 1U << (attribute - 1);
  }
  return bits;
}

}  // namespace kolam
