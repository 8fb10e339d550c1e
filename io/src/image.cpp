// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <kolam/core/error.hpp>
#include <kolam/io/file.hpp>
#include <kolam/io/image.hpp>
#include <limits>
#include <string>
#include <vector>

namespace kolam {
namespace {

constexpr std::int64_t longest_side = 1024;
constexpr std::int64_t shortest_longest_side = 256;

constexpr std::int64_t divide_up(std::int64_t a, std::int64_t b) { return (a - 1) / b + 1; }

// Tests the bits, so that a compiler that assumes finite numbers cannot remove the test.
bool is_finite(double x) {
  constexpr std::uint64_t exponent = 0x7ff0000000000000;
  return (std::bit_cast<std::uint64_t>(x) & exponent) != exponent;
}

struct Averages {
  std::int64_t nx;
  std::int64_t ny;
  std::vector<double> values;  // [nx, ny]
};

// Averages over blocks of block x block points. A NaN or Inf in a block makes its average such.
template <class T>
Averages average(const T* data, std::int64_t nx, std::int64_t ny, std::int64_t pitch,
                 std::int64_t block) {
  Averages a{divide_up(nx, block), divide_up(ny, block), {}};
  a.values.assign(static_cast<std::size_t>(a.nx * a.ny), 0.0);
  for (std::int64_t y = 0; y < ny; ++y) {
    double* const row = a.values.data() + y / block * a.nx;
    for (std::int64_t x = 0; x < a.nx; ++x) {
      const std::int64_t first = x * block;
      const std::int64_t last = std::min(first + block, nx);
      const std::int64_t rows = std::min(block, ny - y / block * block);
      // Weights values before the sum, because a sum of huge values could overflow.
      const double weight = 1.0 / static_cast<double>((last - first) * rows);
      double sum = 0;
      for (std::int64_t i = first; i < last; ++i) sum += weight * data[y * pitch + i];
      row[x] += sum;
    }
  }
  return a;
}

}  // namespace

template <class T>
Image draw_field(const T* data, std::int64_t nx, std::int64_t ny, std::int64_t pitch) {
  if (nx < 1 || ny < 1 || pitch < nx) {
    throw InvalidArgument(fmt::format(
        "cannot draw a field of nx = {}, ny = {}, pitch = {}: nx and ny must be at least 1 and "
        "pitch at least nx",
        nx, ny, pitch));
  }
  const std::int64_t side = std::max(nx, ny);
  const std::int64_t scale =
      divide_up(shortest_longest_side, std::min(side, shortest_longest_side));
  const Averages field = average(data, nx, ny, pitch, divide_up(side, longest_side));

  double range = 0;
  for (const double value : field.values) {
    if (is_finite(value)) range = std::max(range, std::abs(value));
  }
  const auto color = [range](double value) {
    if (!is_finite(value)) return not_finite_color;
    return diverging_color(range > 0 ? value / range : 0.0);
  };

  Image image{field.nx * scale, field.ny * scale, {}};
  image.pixels.reserve(static_cast<std::size_t>(image.width * image.height));
  for (std::int64_t y = image.height - 1; y >= 0; --y) {
    for (std::int64_t x = 0; x < image.width; ++x) {
      image.pixels.push_back(
          color(field.values[static_cast<std::size_t>(y / scale * field.nx + x / scale)]));
    }
  }
  return image;
}

template Image draw_field(const float*, std::int64_t, std::int64_t, std::int64_t);
template Image draw_field(const double*, std::int64_t, std::int64_t, std::int64_t);

void write_png(const std::filesystem::path& path, const Image& image) {
  static_assert(sizeof(Rgb) == 3, "libpng reads the pixels as they lie");
  constexpr std::int64_t limit = std::numeric_limits<std::int32_t>::max() / 3;
  if (image.width < 1 || image.height < 1 || image.width > limit || image.height > limit ||
      image.pixels.size() != static_cast<std::size_t>(image.width * image.height)) {
    throw InvalidArgument(fmt::format("no picture can have {} x {} pixels, {} of them given",
                                      image.width, image.height, image.pixels.size()));
  }
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = static_cast<png_uint_32>(image.width);
  png.height = static_cast<png_uint_32>(image.height);
  png.format = PNG_FORMAT_RGB;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(png);
  std::string bytes(size, '\0');
  if (png_image_write_to_memory(&png, bytes.data(), &size, 0, image.pixels.data(), 0, nullptr) ==
      0) {
    throw FileError(fmt::format("cannot write '{}': libpng says '{}'", path.string(), png.message));
  }
  bytes.resize(size);
  write_file(path, bytes);
}

}  // namespace kolam
