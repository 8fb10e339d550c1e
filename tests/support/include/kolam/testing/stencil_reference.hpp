// SPDX-License-Identifier: Apache-2.0
// The serial oracle of stencil sweeps and fused steps: simple, and written independently.
#pragma once

#include <Kokkos_Core.hpp>
#include <array>
#include <cstddef>
#include <kolam/kernels/stencil/operands.hpp>
#include <random>
#include <vector>

namespace kolam::testing {

/// A field with its ghosts, on the host.
template <class T, int N>
struct LocalField {
  FieldLayout<N> layout;
  std::vector<T> values = std::vector<T>(static_cast<std::size_t>(layout.size));

  /// Returns the value at own indices; ghosts have negative indices, or follow the own points.
  T& operator()(index_t x, index_t y, index_t z = 0) {
    return values[static_cast<std::size_t>(place(x, y, z))];
  }
  const T& operator()(index_t x, index_t y, index_t z = 0) const {
    return values[static_cast<std::size_t>(place(x, y, z))];
  }

 private:
  index_t place(index_t x, index_t y, index_t z) const {
    return layout.origin + x + y * layout.stride[1] + (N == 3 ? z * layout.stride[N - 1] : 0);
  }
};

/// Calls f(x, y, z) for all own points and `ghosts` layers around them.
template <int N, class F>
void for_each_point(const FieldLayout<N>& layout, index_t ghosts, const F& f) {
  const index_t layers = N == 3 ? layout.own[N - 1] + ghosts : 1;
  for (index_t z = N == 3 ? -ghosts : 0; z < layers; ++z)
    for (index_t y = -ghosts; y < layout.own[1] + ghosts; ++y)
      for (index_t x = -ghosts; x < layout.own[0] + ghosts; ++x) f(x, y, z);
}

/// Returns values in [-1, 1) at all points and ghosts; the rest is NaN.
template <class T, int N>
LocalField<T, N> random_local_field(const FieldLayout<N>& layout, unsigned seed) {
  LocalField<T, N> field{layout};
  for (T& value : field.values) value = Kokkos::Experimental::quiet_NaN_v<T>;
  std::mt19937 engine(seed);
  std::uniform_real_distribution<T> value(-1, 1);
  for_each_point(layout, layout.depth,
                 [&](index_t x, index_t y, index_t z) { field(x, y, z) = value(engine); });
  return field;
}

/// Does one step of `update(at, c)`, where at(dx, dy, dz) is a neighbour and c the local
/// coefficient, at all points whose neighbours are in memory except ghosts at `fixed` sides. Own
/// points are correct for as many steps as there are ghost layers. Returns the sum of (new - old)^2
/// over the own points.
template <class T, int N, class Update>
double reference_step(LocalField<T, N>& u, const LocalField<T, N>& coefficient,
                      const FixedSides<N>& fixed, const Update& update) {
  const LocalField<T, N> old = u;
  const auto is_own = [&](std::size_t d, index_t i) { return i >= 0 && i < u.layout.own[d]; };
  const auto is_fixed = [&](std::size_t d, index_t i) {
    return (i < 0 && fixed[d][0]) || (i >= u.layout.own[d] && fixed[d][1]);
  };
  double sum = 0;
  for_each_point(u.layout, u.layout.depth - 1, [&](index_t x, index_t y, index_t z) {
    const std::array<index_t, 3> p{x, y, z};
    bool keep = false;
    bool own = true;
    for (std::size_t d = 0; d < N; ++d) {
      keep = keep || is_fixed(d, p[d]);
      own = own && is_own(d, p[d]);
    }
    if (keep) return;
    const auto at = [&](int dx, int dy, int dz) { return old(x + dx, y + dy, z + dz); };
    u(x, y, z) = update(at, coefficient(x, y, z));
    const double change = u(x, y, z) - old(x, y, z);
    if (own) sum += change * change;
  });
  return sum;
}

}  // namespace kolam::testing
