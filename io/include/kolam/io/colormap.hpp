// SPDX-License-Identifier: Apache-2.0
// Numbers to colours.
#pragma once

#include <cstdint>

namespace kolam {

/// An sRGB colour, 8 bits a channel.
struct Rgb {
  std::uint8_t red = 0;    ///< 0 to 255
  std::uint8_t green = 0;  ///< 0 to 255
  std::uint8_t blue = 0;   ///< 0 to 255

  /// Whether all channels are the same.
  friend constexpr bool operator==(const Rgb&, const Rgb&) = default;
};

/// The colour of NaN and Inf: a yellow that diverging_color never gives.
inline constexpr Rgb not_finite_color{255, 215, 0};

/// The colour of `t` in a diverging map for signed data: -1 dark blue, 0 near white, 1 dark red,
/// linear in sRGB between the eleven control points; what lies outside [-1, 1] is clamped, and
/// NaN gives not_finite_color. Readable with every common kind of colour blindness.
/// Source: class RdBu (11 colours) of ColorBrewer 2.0, C. A. Brewer, Pennsylvania State University,
/// https://colorbrewer2.org (Apache-2.0), here from blue to red.
Rgb diverging_color(double t);

}  // namespace kolam
