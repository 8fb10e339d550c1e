// SPDX-License-Identifier: Apache-2.0
// The serial oracles of the Laplace kernels: as simple as possible, and written independently.
#pragma once

#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

namespace kolam::testing {

/// A field without padding, [nx, ny], x fastest.
template <class T>
struct Field {
  std::size_t nx;
  std::size_t ny;
  std::vector<T> values = std::vector<T>(nx * ny);

  T& operator()(std::size_t x, std::size_t y) { return values[x + nx * y]; }
  const T& operator()(std::size_t x, std::size_t y) const { return values[x + nx * y]; }
};

/// Returns a field of values in [-1, 1).
template <class T>
Field<T> random_field(std::size_t nx, std::size_t ny, unsigned seed) {
  Field<T> u{nx, ny};
  std::mt19937 engine(seed);
  std::uniform_real_distribution<T> value(-1, 1);
  for (T& v : u.values) v = value(engine);
  return u;
}

/// Does one step from u to new_u; returns the norm of the change.
template <class T>
double laplace_sweep(const Field<T>& u, Field<T>& new_u) {
  new_u = u;
  double sum = 0;
  for (std::size_t y = 1; y + 1 < u.ny; ++y) {
    for (std::size_t x = 1; x + 1 < u.nx; ++x) {
      new_u(x, y) = ((u(x - 1, y) + u(x, y - 1)) + (u(x + 1, y) + u(x, y + 1))) / 4;
      const double change = new_u(x, y) - u(x, y);
      sum += change * change;
    }
  }
  for (std::size_t x = 1; x + 1 < u.nx; ++x) {
    new_u(x, 0) = new_u(x, u.ny - 2);
    new_u(x, u.ny - 1) = new_u(x, 1);
  }
  return std::sqrt(sum);
}

/// Returns the bootcamp's start: the sine in columns 0 and nx-1, zero elsewhere.
template <class T>
Field<T> jacobi_start(std::size_t nx, std::size_t ny) {
  Field<T> u{nx, ny};
  for (std::size_t y = 0; y < ny; ++y) {
    const double sine = std::sin(2 * M_PI * static_cast<double>(y) / static_cast<double>(ny - 1));
    u(0, y) = u(nx - 1, y) = static_cast<T>(sine);
  }
  return u;
}

}  // namespace kolam::testing
