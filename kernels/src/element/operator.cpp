// SPDX-License-Identifier: Apache-2.0
#include <kolam/core/detail/note.hpp>
#include <kolam/kernels/element/geometry.hpp>
#include <mutex>
#include <set>

namespace kolam {
namespace detail {

// (The kernel for a size depends on whether physics on a computed geometry is called line by line,
// and on how much a line keeps. A compiler that overlooks on_line would choose another kernel,
// which is also correct.)
namespace {
using Trilinear = OnTrilinear<Diffusion<>, double, 3, Kokkos::DefaultExecutionSpace>;
using Affine = OnAffine<Diffusion<>, double, 3, Kokkos::DefaultExecutionSpace>;
using Stored = OnStored<Diffusion<>, double, 3, Kokkos::DefaultExecutionSpace>;
static_assert(!is_light<double, 3, Trilinear>() && is_light<double, 3, Affine>());
static_assert(!std::is_reference_v<decltype(function_on_line<double>(
                  std::declval<const Affine&>(), 0, std::declval<const int (&)[3]>()))>);
static_assert(std::is_reference_v<decltype(function_on_line<double>(
                  std::declval<const Stored&>(), 0, std::declval<const int (&)[3]>()))>);
}  // namespace

void require_apply(int dimensions, const ElementBasis& basis, int map_dimensions, int map_d1d,
                   index_t elements, const char* which) {
  if (map_dimensions == dimensions && map_d1d == basis.d1d()) return;
  throw InvalidArgument("apply_elements in " + std::to_string(dimensions) + "D with " +
                        std::to_string(basis.d1d()) + " nodes in a direction: the map `" + which +
                        "` is of " + std::to_string(elements) + " elements in " +
                        std::to_string(map_dimensions) + "D with " + std::to_string(map_d1d) +
                        "; make it for this basis");
}

void require_same_elements(index_t from, index_t to) {
  if (from == to) return;
  throw InvalidArgument("apply_elements: the map `from` is of " + std::to_string(from) +
                        " elements, `to` of " + std::to_string(to) + "; both are of one mesh");
}

void require_length(const std::string& what, std::size_t length, index_t entries, int components) {
  const index_t needed = checked_product("apply_elements: " + what, {entries, components});
  if (static_cast<index_t>(length) >= needed) return;
  throw InvalidArgument("apply_elements: " + what + " has " + std::to_string(length) +
                        " values; the maps need " + std::to_string(needed));
}

void require_vectors(std::size_t x, index_t x_needed, std::size_t y, index_t y_needed) {
  if (static_cast<index_t>(x) < x_needed) require_length("x", x, x_needed, 1);
  if (static_cast<index_t>(y) < y_needed) require_length("y", y, y_needed, 1);
}

bool is_symmetric(const ElementBasis& basis) {
  const auto mirrored = [](const Basis& b, const auto& entry, double sign) {
    for (int q = 0; q < b.q1d; ++q)
      for (int i = 0; i < b.d1d; ++i)
        if (entry(q, i) != sign * entry(b.q1d - 1 - q, b.d1d - 1 - i)) return false;
    return true;
  };
  const auto value = [&](int q, int i) { return basis.values.value(q, i); };
  const auto gradient = [&](int q, int i) { return basis.gradients.gradient(q, i); };
  return mirrored(basis.values, value, 1) && mirrored(basis.gradients, gradient, -1);
}

template class MatricesOfBasis<float>;
template class MatricesOfBasis<double>;

namespace {

void note_once(const std::string& text) {
  static std::mutex mutex;
  static std::set<std::string> said;
  if (!notes_wanted()) return;
  const std::lock_guard lock(mutex);
  if (said.insert(text).second) note(text);
}

std::string slow_elements(int d1d, int q1d) {
  return "elements of " + std::to_string(d1d) + " nodes and " + std::to_string(q1d) +
         " points a direction run in a slow kernel; ";
}

}  // namespace

void note_size(int d1d, int q1d, bool collocated) {
  const std::string size =
      std::to_string(d1d) + "x" + std::to_string(q1d) + (collocated ? "c" : "");
  note_once(slow_elements(d1d, q1d) + "build kolam with " + size + " in KOLAM_ELEMENT_SIZES");
}

void note_room(int d1d, int q1d, int components) {
  note_once(slow_elements(d1d, q1d) + "a block has no room for " + std::to_string(components) +
            " components");
}

namespace {

template <class... Sizes>
std::vector<std::string> names(ElementSizeList<Sizes...>) {
  return {(std::to_string(Sizes::d1d) + "x" + std::to_string(Sizes::q1d) +
           (Sizes::collocated ? "c" : ""))...};
}

}  // namespace
}  // namespace detail

std::vector<std::string> element_sizes() { return detail::names(detail::ListedElementSizes{}); }

}  // namespace kolam
