// SPDX-License-Identifier: Apache-2.0
// The serial oracle of stencil solvers: a whole grid, with its boundary, step by step.
#pragma once

#include <cmath>
#include <cstddef>
#include <functional>
#include <kolam/comm/decomposition.hpp>
#include <vector>

namespace kolam::testing {

/// A grid of T, x fastest, with a boundary of one point around it.
template <class T, int N>
class GridReference {
 public:
  using Flags = typename comm::Decomposition<N>::Flags;
  using Point = std::array<index_t, 3>;

  /// Sets each point, and the boundary (indices -1 and extent), to start(point).
  GridReference(const Extents<N>& extents, const Flags& periodic,
                const std::function<T(const Point&)>& start)
      : periodic_(periodic) {
    for (std::size_t d = 0; d < N; ++d) extents_[d] = extents[d];
    const index_t layers = N == 3 ? 1 : 0;
    for (index_t z = -layers; z < extents_[2] + layers; ++z)
      for (index_t y = -1; y <= extents_[1]; ++y)
        for (index_t x = -1; x <= extents_[0]; ++x) values_.push_back(start({x, y, z}));
  }

  T at(Point p) const {
    for (std::size_t d = 0; d < N; ++d)
      if (periodic_[d]) p[d] = (p[d] + extents_[d]) % extents_[d];
    return values_[place(p)];
  }

  /// Sets each point to update(at, point), with at(dx, dy, dz). Returns the norm of the change.
  template <class Update>
  double step(const Update& update) {
    GridReference next = *this;
    double sum = 0;
    for_each([&](const Point& p) {
      const auto around = [&](int dx, int dy, int dz) {
        return at({p[0] + dx, p[1] + dy, p[2] + dz});
      };
      const T value = update(around, p);
      const double change = value - at(p);
      sum += change * change;
      next.values_[place(p)] = value;
    });
    *this = next;
    return std::sqrt(sum);
  }

  /// Returns the values without the boundary.
  std::vector<T> values() const {
    std::vector<T> result;
    for_each([&](const Point& p) { result.push_back(at(p)); });
    return result;
  }

 private:
  template <class F>
  void for_each(const F& f) const {
    for (index_t z = 0; z < extents_[2]; ++z)
      for (index_t y = 0; y < extents_[1]; ++y)
        for (index_t x = 0; x < extents_[0]; ++x) f(Point{x, y, z});
  }
  std::size_t place(const Point& p) const {
    const index_t z = N == 3 ? p[2] + 1 : 0;
    return static_cast<std::size_t>(p[0] + 1 +
                                    (extents_[0] + 2) * (p[1] + 1 + (extents_[1] + 2) * z));
  }

  Point extents_{1, 1, 1};
  Flags periodic_;
  std::vector<T> values_;
};

}  // namespace kolam::testing
