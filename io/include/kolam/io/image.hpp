// SPDX-License-Identifier: Apache-2.0
// Pictures of scalar fields.
#pragma once

#include <cstdint>
#include <filesystem>
#include <kolam/io/colormap.hpp>
#include <vector>

namespace kolam {

/// An RGB image: pixels row by row from the top, left to right.
struct Image {
  std::int64_t width = 0;   ///< pixels in a row
  std::int64_t height = 0;  ///< rows
  std::vector<Rgb> pixels;  ///< width * height

  /// Returns the pixel in column `x` from the left and row `y` from the top, from 0; not checked.
  Rgb at(std::int64_t x, std::int64_t y) const {
    return pixels[static_cast<std::size_t>(y * width + x)];
  }
};

/// Draws columns 0 .. nx-1 of `data`, [pitch, ny] in host memory with x fastest.
///
/// x grows to the right and y upwards, as in a plot: data row 0 is the lowest row of pixels.
/// Colours are those of diverging_color over [-m, m], where m is the largest magnitude shown, so
/// that zero always has the middle colour. A field of more than 1024 points on its longest side is
/// averaged over equal square blocks (narrower at the far edges); a field below 256 points is
/// enlarged by repeating points. A pixel that covers a NaN or Inf has not_finite_color.
/// Throws InvalidArgument unless nx, ny >= 1 and pitch >= nx. T is float or double.
/// Reads the field once, on one thread.
template <class T>
Image draw_field(const T* data, std::int64_t nx, std::int64_t ny, std::int64_t pitch);

/// Writes `image` as an 8-bit RGB PNG, atomically (see write_file). Throws FileError.
void write_png(const std::filesystem::path& path, const Image& image);

/// Draws a field and writes it as PNG; throws as draw_field and write_png do:
/// \code
///   kolam::write_image("field.png", field.read(kolam::host).data(), nx, ny, pitch);
/// \endcode
template <class T>
void write_image(const std::filesystem::path& path, const T* data, std::int64_t nx, std::int64_t ny,
                 std::int64_t pitch) {
  write_png(path, draw_field(data, nx, ny, pitch));
}

/// \cond
extern template Image draw_field(const float*, std::int64_t, std::int64_t, std::int64_t);
extern template Image draw_field(const double*, std::int64_t, std::int64_t, std::int64_t);
/// \endcond

}  // namespace kolam
