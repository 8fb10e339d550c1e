// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <kolam/core/error.hpp>
#include <kolam/kernels/stencil/field_layout.hpp>
#include <limits>
#include <string>

namespace kolam {

template <int N>
FieldLayout<N> field_layout(const std::array<index_t, N>& own, index_t depth,
                            std::size_t value_size) {
  const auto line = static_cast<index_t>(128 / value_size);
  const auto lines = [&](index_t values) { return (values + line - 1) / line * line; };
  std::string text;
  for (const index_t n : own) text.append(text.empty() ? "" : " x ").append(std::to_string(n));
  constexpr index_t most = std::numeric_limits<index_t>::max() / 4;
  if (*std::min_element(own.begin(), own.end()) < 0 || depth < 0 ||
      *std::max_element(own.begin(), own.end()) > most || depth > most) {
    throw InvalidArgument("field of " + text + " points with ghosts of depth " +
                          std::to_string(depth) + ": sizes must be between 0 and 2^61 - 1");
  }
  FieldLayout<N> layout{{}, {1}, depth, lines(depth), 0};
  std::copy(own.begin(), own.end(), layout.own.data());
  layout.stride[1] = lines(lines(depth) + own[0] + depth);
  if constexpr (N == 3) {
    layout.stride[2] =
        checked_product("plane of a field of " + text, {layout.stride[1], own[1] + 2 * depth});
  }
  for (std::size_t d = 1; d < N; ++d) layout.origin += depth * layout.stride[d];
  layout.size = checked_product("field of " + text + " points",
                                {layout.stride[N - 1], own[N - 1] + 2 * depth}) +
                line;
  return layout;
}

template FieldLayout<2> field_layout<2>(const std::array<index_t, 2>&, index_t, std::size_t);
template FieldLayout<3> field_layout<3>(const std::array<index_t, 3>&, index_t, std::size_t);

}  // namespace kolam
