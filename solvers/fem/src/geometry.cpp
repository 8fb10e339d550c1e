// SPDX-License-Identifier: Apache-2.0
#include <kolam/fem/geometry.hpp>

#include "names.hpp"

namespace kolam::fem {
namespace {

constexpr std::pair<Geometry, std::string_view> geometries[] = {{Geometry::automatic, "automatic"},
                                                                {Geometry::stored, "stored"},
                                                                {Geometry::affine, "affine"},
                                                                {Geometry::trilinear, "trilinear"}};

}  // namespace

std::string_view name(Geometry v) { return detail::name_of<Geometry>(geometries, v); }
Geometry parse_geometry(std::string_view text) { return detail::parse<Geometry>(geometries, text); }

}  // namespace kolam::fem
