// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <kolam/core/error.hpp>
#include <kolam/core/index.hpp>

namespace kolam {

index_t checked_product(const std::string& what, std::initializer_list<index_t> factors) {
  index_t product = std::count(factors.begin(), factors.end(), 0) > 0 ? 0 : 1;
  bool fits = true;
  std::string text;
  for (const index_t factor : factors) {
    text += (text.empty() ? "" : " x ") + std::to_string(factor);
    fits = fits && factor >= 0 && !__builtin_mul_overflow(product, factor, &product);
  }
  if (!fits) {
    throw InvalidArgument(what + " = " + text +
                          " is negative or passes the limit of 2^63 - 1; use smaller sizes");
  }
  return product;
}

}  // namespace kolam
