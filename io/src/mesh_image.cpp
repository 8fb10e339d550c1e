// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <kolam/core/error.hpp>
#include <kolam/fem/detail/element_nodes.hpp>
#include <kolam/io/mesh_image.hpp>
#include <kolam/kernels/element/basis.hpp>
#include <kolam/kernels/element/detail/layout.hpp>
#include <kolam/kernels/element/quadrature.hpp>
#include <limits>
#include <map>
#include <utility>
#include <vector>

namespace kolam {
namespace {

using Point = std::array<double, 3>;  // in the picture: right, up, towards the viewer

struct Color {
  float red, green, blue;
  Color(Rgb rgb)
      : red(static_cast<float>(rgb.red)),
        green(static_cast<float>(rgb.green)),
        blue(static_cast<float>(rgb.blue)) {}
  Color mixed(Color other, float share) const {
    Color result = *this;
    result.red += share * (other.red - red);
    result.green += share * (other.green - green);
    result.blue += share * (other.blue - blue);
    return result;
  }
};
const Color white(Rgb{255, 255, 255});
const Color black(Rgb{0, 0, 0});
constexpr Rgb no_attribute{190, 190, 190};

// The picture being drawn. Each pixel has fine^2 points; each point keeps its nearest colour.
class Canvas {
 public:
  static constexpr int fine = 2;

  Canvas(std::int64_t width, std::int64_t height)
      : width_(width * fine),
        height_(height * fine),
        colors_(static_cast<std::size_t>(width_ * height_), white),
        depths_(colors_.size(), -std::numeric_limits<float>::infinity()) {}

  // Coordinates are in points, y upwards.
  void triangle(const Point& a, const Point& b, const Point& c, Color color) {
    const double area = cross(a, b, c[0], c[1]);
    if (area == 0) return;
    const auto [left, right] = std::minmax({a[0], b[0], c[0]});
    const auto [low, high] = std::minmax({a[1], b[1], c[1]});
    for (auto j = first(low); j <= last(high, height_); ++j) {
      for (auto i = first(left); i <= last(right, width_); ++i) {
        const double x = static_cast<double>(i) + 0.5;
        const double y = static_cast<double>(j) + 0.5;
        const double of_a = cross(b, c, x, y) / area;
        const double of_b = cross(c, a, x, y) / area;
        const double of_c = 1 - of_a - of_b;
        constexpr double seam = -1e-9;  // tolerance: no gaps between neighbours
        if (of_a < seam || of_b < seam || of_c < seam) continue;
        set(i, j, of_a * a[2] + of_b * b[2] + of_c * c[2], color);
      }
    }
  }
  void line(const Point& a, const Point& b, double thickness, Color color) {
    const double length = std::hypot(b[0] - a[0], b[1] - a[1]);
    const auto steps = static_cast<std::int64_t>(std::ceil(2 * length)) + 1;
    for (std::int64_t s = 0; s <= steps; ++s) {
      const double t = static_cast<double>(s) / static_cast<double>(steps);
      Point at;
      for (std::size_t k = 0; k < 3; ++k) at[k] = a[k] + t * (b[k] - a[k]);
      const double radius = thickness / 2;
      for (auto j = first(at[1] - radius); j <= last(at[1] + radius, height_); ++j)
        for (auto i = first(at[0] - radius); i <= last(at[0] + radius, width_); ++i)
          if (std::hypot(static_cast<double>(i) + 0.5 - at[0],
                         static_cast<double>(j) + 0.5 - at[1]) <= std::max(radius, 0.75))
            set(i, j, at[2], color);
    }
  }

  Image image() const {
    Image result{width_ / fine, height_ / fine, {}};
    result.pixels.reserve(static_cast<std::size_t>(result.width * result.height));
    for (std::int64_t y = result.height; y-- > 0;) {
      for (std::int64_t x = 0; x < result.width; ++x) {
        Color sum(Rgb{0, 0, 0});
        for (int j = 0; j < fine; ++j) {
          for (int i = 0; i < fine; ++i) {
            const Color& color = colors_[place(x * fine + i, y * fine + j)];
            sum.red += color.red;
            sum.green += color.green;
            sum.blue += color.blue;
          }
        }
        const auto channel = [](float value) {
          return static_cast<std::uint8_t>(std::lround(value / (fine * fine)));
        };
        result.pixels.push_back({channel(sum.red), channel(sum.green), channel(sum.blue)});
      }
    }
    return result;
  }

 private:
  // Twice the area of the triangle a, b, (x, y).
  static double cross(const Point& a, const Point& b, double x, double y) {
    return (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
  }
  static std::int64_t first(double from) {
    return std::max<std::int64_t>(0, static_cast<std::int64_t>(std::floor(from - 0.5)));
  }
  static std::int64_t last(double to, std::int64_t count) {
    return std::min(count - 1, static_cast<std::int64_t>(std::ceil(to + 0.5)));
  }
  std::size_t place(std::int64_t i, std::int64_t j) const {
    return static_cast<std::size_t>(j * width_ + i);
  }
  void set(std::int64_t i, std::int64_t j, double depth, Color color) {
    const std::size_t at = place(i, j);
    if (static_cast<float>(depth) < depths_[at]) return;
    depths_[at] = static_cast<float>(depth);
    colors_[at] = color;
  }

  std::int64_t width_, height_;
  std::vector<Color> colors_;
  std::vector<float> depths_;
};

// A quadrilateral in the picture, as a grid of (cells + 1)^2 points.
struct Patch {
  std::vector<Point> points;
  Color color;
  const Point& at(int i, int j, int cells) const {
    return points[static_cast<std::size_t>(i + (cells + 1) * j)];
  }
};
// One side of a patch, numbered as in ElementSide.
struct Stroke {
  std::size_t patch;
  int side;
  Color color;
};

struct Drawing {
  int cells = 1;  // per patch and direction
  std::vector<Patch> patches;
  std::vector<Stroke> strokes;  // thick lines
};

// The nodes on a side of an element with d1d nodes per direction: [coordinates, nodes].
std::vector<double> nodes_of_side(const double* nodes, int side, int d1d) {
  std::vector<double> result;
  for (int i = 0; i < d1d * d1d; ++i) {
    const double* const at = nodes + 3 * fem::detail::place_on_side(side, i, d1d);
    result.insert(result.end(), at, at + 3);
  }
  return result;
}

// `x` turned so that the viewer looks along -z.
Point seen(const Point& x) {
  constexpr double turn = -0.5, tilt = 0.45;  // about z, and upwards
  const double right = std::cos(turn) * x[0] - std::sin(turn) * x[1];
  const double away = std::sin(turn) * x[0] + std::cos(turn) * x[1];
  return {right, std::sin(tilt) * away + std::cos(tilt) * x[2],
          std::sin(tilt) * x[2] - std::cos(tilt) * away};
}

Drawing drawing_of(const fem::Mesh<2>& mesh, const Basis& basis) {
  Drawing result{basis.q1d - 1, {}, {}};
  const auto each = static_cast<std::size_t>(2 * mesh.nodes_of_element());
  for (std::size_t e = 0; e < mesh.corners.size(); ++e) {
    const auto first = mesh.nodes.begin() + static_cast<std::ptrdiff_t>(e * each);
    const auto x = fem::detail::interpolated<2>(
        std::vector<double>(first, first + static_cast<std::ptrdiff_t>(each)), {&basis, &basis});
    Patch& patch = result.patches.emplace_back(
        Patch{{}, Color(attribute_color(mesh.attributes[e])).mixed(white, 0.6F)});
    for (std::size_t i = 0; i < x.size(); i += 2) patch.points.push_back({x[i], x[i + 1], 0});
  }
  for (const fem::BoundarySide& side : mesh.sides)
    result.strokes.push_back({static_cast<std::size_t>(side.at.element), side.at.side,
                              Color(attribute_color(side.attribute))});
  return result;
}

Drawing drawing_of(const fem::Mesh<3>& mesh, const Basis& basis) {
  Drawing result{basis.q1d - 1, {}, {}};
  std::map<std::pair<index_t, int>, int> attributes;
  for (const fem::BoundarySide& side : mesh.sides)
    attributes[{side.at.element, side.at.side}] = side.attribute;
  for (const fem::ElementSide& side : fem::boundary_of(mesh)) {
    const double* const nodes = mesh.nodes.data() + 3 * side.element * mesh.nodes_of_element();
    const auto x = fem::detail::interpolated<2>(nodes_of_side(nodes, side.side, mesh.order + 1),
                                                {&basis, &basis}, 3);
    const auto found = attributes.find({side.element, side.side});
    Patch& patch = result.patches.emplace_back(
        Patch{{}, found == attributes.end() ? no_attribute : attribute_color(found->second)});
    for (std::size_t i = 0; i < x.size(); i += 3)
      patch.points.push_back(seen({x[i], x[i + 1], x[i + 2]}));
  }
  return result;
}

// `color` shaded by the direction of the cell with corners a, b, c.
Color lit(Color color, const Point& a, const Point& b, const Point& c) {
  const Point u{b[0] - a[0], b[1] - a[1], b[2] - a[2]};
  const Point v{c[0] - a[0], c[1] - a[1], c[2] - a[2]};
  const Point n{u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
  const double length = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  if (length == 0) return color;
  constexpr double light[3] = {-0.35, 0.55, 0.758};  // from above, on the left
  double facing = (n[0] * light[0] + n[1] * light[1] + n[2] * light[2]) / length;
  if (n[2] < 0) facing = -facing;
  return color.mixed(black, static_cast<float>(0.5 * (1 - std::max(facing, 0.0))))
      .mixed(white, 0.15F);
}

// Scales the drawing to `pixels` on its longer side, in points of a Canvas; returns its size.
std::array<std::int64_t, 2> fit(Drawing& drawing, std::int64_t pixels) {
  std::array<double, 2> low, high;
  low.fill(std::numeric_limits<double>::infinity());
  high.fill(-std::numeric_limits<double>::infinity());
  for (const Patch& patch : drawing.patches) {
    for (const Point& point : patch.points) {
      for (std::size_t k = 0; k < 2; ++k) {
        if (!std::isfinite(point[k]))
          throw InvalidArgument(
              "draw_mesh: a node of the mesh is not finite; check its coordinates");
        low[k] = std::min(low[k], point[k]);
        high[k] = std::max(high[k], point[k]);
      }
    }
  }
  const double longest = std::max({high[0] - low[0], high[1] - low[1], 1e-300});
  const double margin = 0.03 * static_cast<double>(pixels) + 2;
  const double scale = (static_cast<double>(pixels) - 2 * margin) / longest;
  std::array<std::int64_t, 2> size;
  for (std::size_t k = 0; k < 2; ++k)
    size[k] = std::max<std::int64_t>(1, std::llround((high[k] - low[k]) * scale + 2 * margin));
  for (Patch& patch : drawing.patches) {
    for (Point& point : patch.points) {
      for (std::size_t k = 0; k < 2; ++k)
        point[k] = Canvas::fine * (margin + scale * (point[k] - low[k]));
      point[2] *= Canvas::fine * scale;
    }
  }
  return size;
}

}  // namespace

Rgb attribute_color(int attribute) {
  // Paul Tol's "bright" and "muted" schemes, told apart with every common kind of colour blindness.
  constexpr Rgb colors[] = {{68, 119, 170},  {238, 102, 119}, {34, 136, 51},   {204, 187, 68},
                            {102, 204, 238}, {170, 51, 119},  {221, 204, 119}, {136, 34, 85}};
  constexpr int count = std::size(colors);
  return colors[((attribute - 1) % count + count) % count];
}

template <int Dim>
Image draw_mesh(const fem::Mesh<Dim>& mesh, std::int64_t pixels) {
  if (pixels < 16 || pixels > 8192) {
    throw InvalidArgument(
        fmt::format("draw_mesh: a picture of {} pixels; it must be 16 to 8192", pixels));
  }
  fem::validate(mesh);
  const int cells = mesh.order == 1 ? 1 : std::min(4 * mesh.order, 16);
  std::vector<double> along;
  for (int i = 0; i <= cells; ++i) along.push_back(static_cast<double>(i) / cells);
  Drawing drawing = drawing_of(mesh, lagrange_basis(gauss_lobatto(mesh.order + 1).points, along));
  const auto [width, height] = fit(drawing, pixels);
  Canvas canvas(width, height);
  for (const Patch& patch : drawing.patches) {
    for (int j = 0; j < cells; ++j) {
      for (int i = 0; i < cells; ++i) {
        const Point& a = patch.at(i, j, cells);
        const Point& b = patch.at(i + 1, j, cells);
        const Point& c = patch.at(i, j + 1, cells);
        const Point& d = patch.at(i + 1, j + 1, cells);
        const Color color = Dim == 2 ? patch.color : lit(patch.color, a, b, c);
        canvas.triangle(a, b, c, color);
        canvas.triangle(d, c, b, color);
      }
    }
  }
  const auto stroke = [&](const Patch& patch, int side, double thickness, Color color) {
    for (int i = 0; i < cells; ++i) {
      const int end = side % 2 * cells;
      Point a = side < 2 ? patch.at(end, i, cells) : patch.at(i, end, cells);
      Point b = side < 2 ? patch.at(end, i + 1, cells) : patch.at(i + 1, end, cells);
      a[2] += 1;  // (in front of its elements)
      b[2] += 1;
      canvas.line(a, b, thickness, color);
    }
  };
  const double elements_across = std::sqrt(static_cast<double>(drawing.patches.size()));
  if (elements_across < static_cast<double>(pixels) / 5)
    for (const Patch& patch : drawing.patches)
      for (int side = 0; side < 4; ++side)
        stroke(patch, side, Canvas::fine * 0.9, patch.color.mixed(black, 0.65F));
  for (const Stroke& each : drawing.strokes)
    stroke(drawing.patches[each.patch], each.side, Canvas::fine * 4.0, each.color);
  return canvas.image();
}
template Image draw_mesh(const fem::Mesh<2>&, std::int64_t);
template Image draw_mesh(const fem::Mesh<3>&, std::int64_t);

}  // namespace kolam
