// SPDX-License-Identifier: Apache-2.0
#include "gmsh_elements.hpp"

#include <algorithm>
#include <kolam/kernels/element/detail/layout.hpp>

namespace kolam::meshes {
namespace {

constexpr Shape line = Shape::line;
constexpr Shape tri = Shape::triangle;
constexpr Shape quad = Shape::quadrilateral;
constexpr Shape tet = Shape::tetrahedron;
constexpr Shape hex = Shape::hexahedron;
constexpr Shape prism = Shape::prism;
constexpr Shape pyramid = Shape::pyramid;

// Ascending by number. Refused shapes need the number of nodes, for counting, but not the order.
constexpr GmshType types[] = {
    {1, line, 1, 2, true},        {2, tri, 1, 3, true},         {3, quad, 1, 4, true},
    {4, tet, 1, 4, true},         {5, hex, 1, 8, true},         {6, prism, 1, 6, true},
    {7, pyramid, 1, 5, true},     {8, line, 2, 3, true},        {9, tri, 2, 6, true},
    {10, quad, 2, 9, true},       {11, tet, 2, 10, true},       {12, hex, 2, 27, true},
    {13, prism, 2, 18, true},     {14, pyramid, 2, 14, true},   {15, Shape::point, 0, 1, true},
    {16, quad, 2, 8, false},      {17, hex, 2, 20, false},      {18, prism, 2, 15, true},
    {19, pyramid, 2, 13, true},   {20, tri, 3, 9, true},        {21, tri, 3, 10, true},
    {22, tri, 4, 12, true},       {23, tri, 4, 15, true},       {24, tri, 5, 15, true},
    {25, tri, 5, 21, true},       {26, line, 3, 4, true},       {27, line, 4, 5, true},
    {28, line, 5, 6, true},       {29, tet, 3, 20, true},       {30, tet, 4, 35, true},
    {31, tet, 5, 56, true},       {32, tet, 4, 22, true},       {33, tet, 5, 28, true},
    {36, quad, 3, 16, true},      {37, quad, 4, 25, true},      {38, quad, 5, 36, true},
    {39, quad, 3, 12, false},     {40, quad, 4, 16, false},     {41, quad, 5, 20, false},
    {42, tri, 6, 28, true},       {43, tri, 7, 36, true},       {44, tri, 8, 45, true},
    {45, tri, 9, 55, true},       {46, tri, 10, 66, true},      {47, quad, 6, 49, true},
    {48, quad, 7, 64, true},      {49, quad, 8, 81, true},      {50, quad, 9, 100, true},
    {51, quad, 10, 121, true},    {52, tri, 6, 18, true},       {53, tri, 7, 21, true},
    {54, tri, 8, 24, true},       {55, tri, 9, 27, true},       {56, tri, 10, 30, true},
    {57, quad, 6, 24, false},     {58, quad, 7, 28, false},     {59, quad, 8, 32, false},
    {60, quad, 9, 36, false},     {61, quad, 10, 40, false},    {62, line, 6, 7, true},
    {63, line, 7, 8, true},       {64, line, 8, 9, true},       {65, line, 9, 10, true},
    {66, line, 10, 11, true},     {71, tet, 6, 84, true},       {72, tet, 7, 120, true},
    {73, tet, 8, 165, true},      {74, tet, 9, 220, true},      {75, tet, 10, 286, true},
    {79, tet, 6, 34, true},       {80, tet, 7, 40, true},       {81, tet, 8, 46, true},
    {82, tet, 9, 52, true},       {83, tet, 10, 58, true},      {92, hex, 3, 64, true},
    {93, hex, 4, 125, true},      {94, hex, 5, 216, true},      {95, hex, 6, 343, true},
    {96, hex, 7, 512, true},      {97, hex, 8, 729, true},      {98, hex, 9, 1000, true},
    {99, hex, 3, 32, false},      {100, hex, 4, 44, false},     {101, hex, 5, 56, false},
    {102, hex, 6, 68, false},     {103, hex, 7, 80, false},     {104, hex, 8, 92, false},
    {105, hex, 9, 104, false},    {118, pyramid, 3, 30, true},  {119, pyramid, 4, 55, true},
    {120, pyramid, 5, 91, true},  {121, pyramid, 6, 140, true}, {122, pyramid, 7, 204, true},
    {123, pyramid, 8, 285, true}, {124, pyramid, 9, 385, true}, {125, pyramid, 3, 21, true},
    {126, pyramid, 4, 29, true},  {127, pyramid, 5, 37, true},  {128, pyramid, 6, 45, true},
    {129, pyramid, 7, 53, true},  {130, pyramid, 8, 61, true},  {131, pyramid, 9, 69, true},
    {137, tet, 3, 16, true},
};

using Point = std::array<int, 3>;

Point between(const Point& from, const Point& to, int step, int steps) {
  Point result;
  for (std::size_t k = 0; k < 3; ++k) result[k] = from[k] + (to[k] - from[k]) / steps * step;
  return result;
}

// The corners of a cube or square after one step inwards along each of its directions.
template <std::size_t N>
std::array<Point, N> inside_of(const std::array<Point, N>& corners, int order) {
  std::array<Point, N> result;
  const Point& first = corners[0];
  const Point& last = corners[N == 4 ? 2 : 6];  // opposite
  for (std::size_t c = 0; c < N; ++c) {
    for (std::size_t k = 0; k < 3; ++k) {
      const int low = std::min(first[k], last[k]);
      const int high = std::max(first[k], last[k]);
      const int step = (high - low) / order;  // (0 across a face)
      result[c][k] = corners[c][k] == low ? low + step : high - step;
    }
  }
  return result;
}

void add_edge(std::vector<Point>& all, const Point& from, const Point& to, int order) {
  for (int i = 1; i < order; ++i) all.push_back(between(from, to, i, order));
}

void add_quadrilateral(std::vector<Point>& all, const std::array<Point, 4>& corners, int order,
                       bool complete) {
  if (order == 0) {
    all.push_back(corners[0]);
    return;
  }
  all.insert(all.end(), corners.begin(), corners.end());
  for (std::size_t c = 0; c < 4; ++c) add_edge(all, corners[c], corners[(c + 1) % 4], order);
  if (complete && order > 1) add_quadrilateral(all, inside_of(corners, order), order - 2, true);
}

void add_hexahedron(std::vector<Point>& all, const std::array<Point, 8>& corners, int order,
                    bool complete) {
  constexpr std::size_t edges[][2] = {{0, 1}, {0, 3}, {0, 4}, {1, 2}, {1, 5}, {2, 3},
                                      {2, 6}, {3, 7}, {4, 5}, {4, 7}, {5, 6}, {6, 7}};
  constexpr std::size_t faces[][4] = {{0, 3, 2, 1}, {0, 1, 5, 4}, {0, 4, 7, 3},
                                      {1, 2, 6, 5}, {2, 3, 7, 6}, {4, 5, 6, 7}};
  if (order == 0) {
    all.push_back(corners[0]);
    return;
  }
  all.insert(all.end(), corners.begin(), corners.end());
  for (const auto& [from, to] : edges) add_edge(all, corners[from], corners[to], order);
  if (!complete || order == 1) return;
  for (const auto& face : faces) {
    const std::array<Point, 4> of_face{corners[face[0]], corners[face[1]], corners[face[2]],
                                       corners[face[3]]};
    add_quadrilateral(all, inside_of(of_face, order), order - 2, true);
  }
  add_hexahedron(all, inside_of(corners, order), order - 2, true);
}

}  // namespace

const GmshType* gmsh_type(int number) {
  const auto* const found =
      std::lower_bound(std::begin(types), std::end(types), number,
                       [](const GmshType& type, int wanted) { return type.number < wanted; });
  return found != std::end(types) && found->number == number ? found : nullptr;
}
const GmshType* gmsh_type(Shape shape, int order) {
  const auto* const found =
      std::find_if(std::begin(types), std::end(types), [&](const GmshType& type) {
        return type.shape == shape && type.order == order && type.complete;
      });
  return found != std::end(types) ? found : nullptr;
}

NodePlaces gmsh_nodes(int dimensions, int order, bool complete) {
  const int p = order;
  std::vector<Point> all;
  if (dimensions == 2) {
    add_quadrilateral(all, {Point{0, 0, 0}, {p, 0, 0}, {p, p, 0}, {0, p, 0}}, p, complete);
  } else {
    add_hexahedron(all,
                   {Point{0, 0, 0},
                    {p, 0, 0},
                    {p, p, 0},
                    {0, p, 0},
                    {0, 0, p},
                    {p, 0, p},
                    {p, p, p},
                    {0, p, p}},
                   p, complete);
  }
  return all;
}

}  // namespace kolam::meshes
