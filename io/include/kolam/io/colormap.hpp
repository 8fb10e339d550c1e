// SPDX-License-Identifier: Apache-2.0
// A colour map for signed data.
#pragma once

#include <cstdint>

namespace kolam {

/// An sRGB colour, 8 bits per channel.
struct Rgb {
  std::uint8_t red = 0;    ///< 0 to 255
  std::uint8_t green = 0;  ///< 0 to 255
  std::uint8_t blue = 0;   ///< 0 to 255

  /// Returns whether all channels are the same.
  friend constexpr bool operator==(const Rgb&, const Rgb&) = default;
};

/// The colour of NaN and Inf: a yellow that diverging_color never gives.
inline constexpr Rgb not_finite_color{255, 215, 0};

/// Returns the colour of `t` in a diverging map for signed data: -1 is dark blue, 0 near white, 1
/// dark red, linear in sRGB between eleven control points. Values outside [-1, 1] are clamped; NaN
/// gives not_finite_color. Readable with every common kind of colour blindness.
/// Source: class RdBu (11 colours) of ColorBrewer 2.0, C. A. Brewer, Pennsylvania State University,
/// https://colorbrewer2.org (Apache-2.0), here from blue to red.
Rgb diverging_color(double t);

}  // namespace kolam
