// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <kolam/io/colormap.hpp>

namespace kolam {
namespace {

constexpr std::array<Rgb, 11> control_points{{
    {0x05, 0x30, 0x61},
    {0x21, 0x66, 0xac},
    {0x43, 0x93, 0xc3},
    {0x92, 0xc5, 0xde},
    {0xd1, 0xe5, 0xf0},
    {0xf7, 0xf7, 0xf7},
    {0xfd, 0xdb, 0xc7},
    {0xf4, 0xa5, 0x82},
    {0xd6, 0x60, 0x4d},
    {0xb2, 0x18, 0x2b},
    {0x67, 0x00, 0x1f},
}};

}  // namespace

Rgb diverging_color(double t) {
  if (t != t) return not_finite_color;
  const double position = (std::clamp(t, -1.0, 1.0) + 1) / 2 * (control_points.size() - 1);
  const auto index =
      std::min(static_cast<std::size_t>(position), std::size_t{control_points.size() - 2});
  const double weight = position - static_cast<double>(index);
  const auto mix = [weight](std::uint8_t a, std::uint8_t b) {
    return static_cast<std::uint8_t>(std::lround(a + weight * (b - a)));
  };
  const Rgb& low = control_points[index];
  const Rgb& high = control_points[index + 1];
  return {mix(low.red, high.red), mix(low.green, high.green), mix(low.blue, high.blue)};
}

}  // namespace kolam
