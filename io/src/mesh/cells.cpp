// SPDX-License-Identifier: Apache-2.0
#include "cells.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <kolam/kernels/element/detail/layout.hpp>
#include <limits>
#include <map>
#include <utility>

#include "input.hpp"

namespace kolam::meshes {
namespace {

int place(const std::array<int, 3>& at, int d1d) { return at[0] + d1d * (at[1] + d1d * at[2]); }

// Sets the nodes of a serendipity element that are on no edge, by linear blending of its edges.
// element: [dimensions, (order + 1)^dimensions], x fastest.
void complete_serendipity(std::vector<double>& element, int dim, int order) {
  const int d1d = order + 1;
  const int count = kolam::detail::power(d1d, dim);
  const auto at = [&](const std::array<int, 3>& p) {
    return element.data() + dim * (p[0] + d1d * (p[1] + d1d * p[2]));
  };
  for (int node = 0; node < count; ++node) {
    const std::array<int, 3> p{node % d1d, node / d1d % d1d, node / d1d / d1d};
    const auto free =
        std::count_if(p.begin(), p.end(), [&](int i) { return i != 0 && i != order; });
    if (free < 2) continue;  // on an edge
    std::array<double, 3> x{};
    const auto weight = [&](const std::array<int, 3>& corner, int skipped) {
      double w = 1;
      for (std::size_t k = 0; k < static_cast<std::size_t>(dim); ++k) {
        const double t = static_cast<double>(p[k]) / order;
        if (static_cast<int>(k) != skipped) w *= corner[k] == 0 ? 1 - t : t;
      }
      return w;
    };
    // The straight element, plus the deviation of each edge from its straight line.
    for (int c = 0; c < 1 << dim; ++c) {
      std::array<int, 3> corner{};
      for (std::size_t k = 0; k < 3; ++k) corner[k] = (c >> k & 1) * order;
      for (std::size_t m = 0; m < static_cast<std::size_t>(dim); ++m)
        x[m] += weight(corner, -1) * at(corner)[m];
      for (std::size_t k = 0; k < static_cast<std::size_t>(dim); ++k) {
        if (corner[k] != 0) continue;
        std::array<int, 3> end = corner;
        std::array<int, 3> middle = corner;
        end[k] = order;
        middle[k] = p[k];
        const double t = static_cast<double>(p[k]) / order;
        for (std::size_t m = 0; m < static_cast<std::size_t>(dim); ++m)
          x[m] += weight(corner, static_cast<int>(k)) *
                  (at(middle)[m] - (1 - t) * at(corner)[m] - t * at(end)[m]);
      }
    }
    std::copy_n(x.begin(), dim, at(p));
  }
}

}  // namespace

const char* plural(Shape shape) {
  constexpr const char* names[] = {"points",     "lines",     "triangles", "quadrilaterals",
                                   "tetrahedra", "hexahedra", "prisms",    "pyramids"};
  return names[static_cast<std::size_t>(shape)];
}
int dimensions_of(Shape shape) {
  constexpr int dimensions[] = {0, 1, 2, 2, 3, 3, 3, 3};
  return dimensions[static_cast<std::size_t>(shape)];
}

Cells::Cells(std::filesystem::path path, const CellFormat& format)
    : path_(std::move(path)), format_(format) {}

void Cells::add_node(Label label, const std::array<double, 3>& position) {
  labels_.push_back(label);
  positions_.push_back(position);
}

CellBlock& Cells::block(const CellBlock& kind) {
  if (blocks_.empty() || blocks_.back().shape != kind.shape || blocks_.back().order != kind.order ||
      blocks_.back().complete != kind.complete || blocks_.back().attribute != kind.attribute)
    blocks_.push_back(kind);
  return blocks_.back();
}

RawMesh Cells::mesh() {
  RawMesh raw;
  for (const CellBlock& b : blocks_)
    if (b.size() > 0) raw.dimensions = std::max(raw.dimensions, dimensions_of(b.shape));
  if (raw.dimensions < 2) refuse_to_read(path_, "it has no quadrilaterals and no hexahedra");
  refuse_other_shapes(raw.dimensions);
  numbers_ = Numbers(labels_);
  place_.assign(numbers_.size(), 0);
  for (std::size_t i = 0; i < labels_.size(); ++i)
    place_[static_cast<std::size_t>(numbers_.of(labels_[i]))] = i;
  if (numbers_.size() != labels_.size()) {
    std::sort(labels_.begin(), labels_.end());
    refuse_to_read(path_, fmt::format("two nodes have the same number, {}; each needs its own",
                                      *std::adjacent_find(labels_.begin(), labels_.end())));
  }
  add_elements(raw);
  add_facets(raw);
  return raw;
}

void Cells::refuse_other_shapes(int dimensions) const {
  const Shape wanted = dimensions == 2 ? Shape::quadrilateral : Shape::hexahedron;
  std::map<Shape, std::size_t> others;
  for (const CellBlock& b : blocks_)
    if (dimensions_of(b.shape) == dimensions && b.shape != wanted && b.size() > 0)
      others[b.shape] += b.size();
  if (others.empty()) return;
  std::vector<std::string> counts;
  for (const auto& [shape, number] : others)
    counts.push_back(fmt::format("{} {}", number, plural(shape)));
  refuse_to_read(path_, fmt::format("it has {}, and kolam works with {} alone; {}",
                                    fmt::join(counts, " and "), plural(wanted),
                                    dimensions == 2 ? format_.how_to_quadrilaterals
                                                    : format_.how_to_hexahedra));
}

const std::array<double, 3>& Cells::position(const CellBlock& block, std::size_t place) const {
  const index_t number = numbers_.of(block.nodes[place]);
  if (number < 0) {
    refuse_to_read(path_, block.line(place / static_cast<std::size_t>(block.nodes_each)),
                   fmt::format("an element has node {}, which there is not; give it a node of the "
                               "file, or add this one",
                               block.nodes[place]));
  }
  return positions_[place_[static_cast<std::size_t>(number)]];
}

void Cells::add_elements(RawMesh& raw) const {
  raw.order = 0;
  std::size_t without = 0;
  std::size_t all = 0;
  for (const CellBlock& b : blocks_) {
    if (dimensions_of(b.shape) != raw.dimensions || b.size() == 0) continue;
    if (raw.order != 0 && b.order != raw.order) {
      refuse_to_read(path_,
                     fmt::format("it has elements of orders {} and {}; all must have the same",
                                 raw.order, b.order));
    }
    raw.order = b.order;
    all += b.size();
    if (b.attribute == 0) without += b.size();
  }
  if (without != 0 && without != all) {
    refuse_to_read(path_,
                   fmt::format("{} of {} elements {}", without, all, format_.without_attribute));
  }
  require_flat(raw.dimensions);
  const int dim = raw.dimensions;
  const int d1d = raw.order + 1;
  const auto corners = static_cast<std::size_t>(1 << dim);
  std::vector<double> element(static_cast<std::size_t>(dim * kolam::detail::power(d1d, dim)));
  for (const CellBlock& b : blocks_) {
    if (dimensions_of(b.shape) != dim) continue;
    const auto places = format_.places(dim, raw.order, b.complete);
    for (std::size_t e = 0; e < b.size(); ++e) {
      const Label* const nodes = b.nodes.data() + e * places.size();
      for (std::size_t n = 0; n < places.size(); ++n) {
        const auto& x = position(b, e * places.size() + n);
        for (int k = 0; k < dim; ++k)
          element[static_cast<std::size_t>(k + dim * place(places[n], d1d))] =
              x[static_cast<std::size_t>(k)];
      }
      if (!b.complete) complete_serendipity(element, dim, raw.order);
      raw.nodes.insert(raw.nodes.end(), element.begin(), element.end());
      // (Corners come first, and go around.)
      for (std::size_t c = 0; c < corners; ++c) raw.corners.push_back(nodes[c ^ (c >> 1 & 1)]);
      raw.attributes.push_back(std::max(b.attribute, 1));
    }
    raw.lines.insert(raw.lines.end(), b.lines.begin(), b.lines.end());
  }
  to_gauss_lobatto(raw.nodes, dim, uniform_points(raw.order));
}

// Throws FileError unless two-dimensional elements lie in a plane z = const.
void Cells::require_flat(int dimensions) const {
  if (dimensions != 2) return;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::array<double, 3> low{infinity, infinity, infinity};
  std::array<double, 3> high{-infinity, -infinity, -infinity};
  for (const CellBlock& b : blocks_) {
    if (dimensions_of(b.shape) != 2) continue;
    for (std::size_t n = 0; n < b.nodes.size(); ++n) {
      const auto& x = position(b, n);
      for (std::size_t k = 0; k < 3; ++k) {
        low[k] = std::min(low[k], x[k]);
        high[k] = std::max(high[k], x[k]);
      }
    }
  }
  const double size = std::max(high[0] - low[0], high[1] - low[1]);
  if (high[2] - low[2] > 1e-9 * size) {
    refuse_to_read(path_,
                   fmt::format("its quadrilaterals are a surface in space (z is {} to {}); they "
                               "must lie in a plane z = const",
                               low[2], high[2]));
  }
}

void Cells::add_facets(RawMesh& raw) const {
  const Shape wanted = raw.dimensions == 2 ? Shape::line : Shape::quadrilateral;
  const auto corners = static_cast<std::size_t>(1 << (raw.dimensions - 1));
  for (const CellBlock& b : blocks_) {
    if (dimensions_of(b.shape) != raw.dimensions - 1 || b.attribute == 0) continue;
    if (b.shape != wanted)
      refuse_to_read(path_,
                     fmt::format("{} {} are no sides of hexahedra", b.size(), plural(b.shape)));
    for (std::size_t f = 0; f < b.size(); ++f) {
      const Label* const nodes = b.nodes.data() + f * static_cast<std::size_t>(b.nodes_each);
      raw.facets.insert(raw.facets.end(), nodes, nodes + corners);
      raw.facet_attributes.push_back(b.attribute);
    }
    raw.facet_lines.insert(raw.facet_lines.end(), b.lines.begin(), b.lines.end());
  }
}

}  // namespace kolam::meshes
