// SPDX-License-Identifier: Apache-2.0
#include <kolam/kernels/element/geometry.hpp>
#include <sstream>
#include <string_view>

namespace kolam::detail {

void refuse_element(index_t element, int point, double determinant) {
  std::ostringstream text;
  text << "element " << element << " is "
       << (determinant < 0    ? "inverted"
           : determinant == 0 ? "flat"
                              : "not a number")
       << ": the determinant of its map is " << determinant << " at quadrature point " << point
       << "; a map must keep the orientation of the axes and fold nothing";
  throw InvalidArgument(text.str());
}

void refuse_shape(const char* shape, index_t element, double deviation) {
  std::ostringstream text;
  text << "element " << element << " is not " << shape << ": a node lies " << deviation
       << " of the element's largest coordinate off where its corners put it; store the "
          "geometry of every point instead";
  if (std::string_view(shape) == "affine") text << ", or try trilinear geometry";
  throw InvalidArgument(text.str());
}

}  // namespace kolam::detail
