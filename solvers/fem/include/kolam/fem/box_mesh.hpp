// SPDX-License-Identifier: Apache-2.0
// A box of quadrilaterals or hexahedra: which nodes each has, and where they are.
#pragma once

#include <Kokkos_Core.hpp>
#include <array>
#include <cstdint>
#include <kolam/comm/decomposition.hpp>
#include <kolam/comm/shared_dofs.hpp>
#include <kolam/core/index.hpp>
#include <vector>

namespace kolam::fem {

/// elements[0] x elements[1] (x elements[2]) equal elements in the box from `lower` to `upper`,
/// counted x fastest.
///
/// Boundary attributes are those of its sides: 1 and 2 at the lower and upper end in x, 3 and 4 in
/// y, 5 and 6 in z.
///
/// Cut among processes, the elements are those of one part, counted within it.
template <int Dim>
struct BoxMesh {
  std::array<index_t, Dim> elements;               ///< of the whole box
  std::array<double, Dim> lower{};                 ///< corner of the whole box; 0 by default
  std::array<double, Dim> upper = ones<double>();  ///< the other corner, above; 1 by default
  comm::Parts<Dim> parts = ones<int>();  ///< that each direction is cut into, as Decomposition does
  int part = 0;                          ///< that of this process, its rank; x fastest

  /// The elements of the part.
  Box<Dim> own() const { return comm::Decomposition<Dim>(elements, parts).own(part); }
  /// Their number.
  index_t element_count() const { return size<Dim>(own()); }

 private:
  template <class T>
  static constexpr std::array<T, Dim> ones() {
    std::array<T, Dim> all{};
    all.fill(1);
    return all;
  }
};

/// Throws InvalidArgument for less than one element in a direction, or fewer than parts, for an
/// upper end that is not above the lower one, and for a part that does not exist.
template <int Dim>
void validate(const BoxMesh<Dim>& mesh);

/// Throws InvalidArgument unless each process of the communicator has the part of its rank.
template <int Dim>
void require_parts(const BoxMesh<Dim>& mesh, const Communicator& communicator);

/// What a part's nodes of polynomials of `order` share with other parts, by rank. Throws
/// InvalidArgument as validate does.
template <int Dim>
std::vector<comm::NodesSharedWith> shared_nodes(const BoxMesh<Dim>& mesh, int order);

/// The nodes of polynomials of `order` on a part of a box: a structured grid of order n + 1 in a
/// direction of n elements, counted x fastest. Callable on any execution space.
template <int Dim>
class BoxNodes {
 public:
  /// Of the part that a valid mesh names (see validate); order: at least 1.
  BoxNodes(const BoxMesh<Dim>& mesh, int order) : order_(order) {
    const Box<Dim> own = mesh.own();
    for (int k = 0; k < Dim; ++k) {
      const Range& range = own[static_cast<std::size_t>(k)];
      elements_[k] = range.end - range.begin;
      first_[k] = range.begin;
      all_[k] = mesh.elements[static_cast<std::size_t>(k)];
      lower_[k] = mesh.lower[static_cast<std::size_t>(k)];
      size_[k] = mesh.upper[static_cast<std::size_t>(k)] - lower_[k];
    }
  }

  /// Of the polynomials.
  KOKKOS_FUNCTION int order() const { return order_; }
  /// Nodes in direction k, from 0, of the part.
  KOKKOS_FUNCTION index_t across(int k) const { return elements_[k] * order_ + 1; }
  /// All nodes of the part.
  KOKKOS_FUNCTION index_t nodes() const {
    index_t product = 1;
    for (int k = 0; k < Dim; ++k) product *= across(k);
    return product;
  }

  /// Node i (x fastest) of element e.
  KOKKOS_FUNCTION index_t node(index_t e, int i) const {
    index_t result = 0;
    index_t stride = 1;
    for (int k = 0; k < Dim; ++k) {
      result += stride * (e % elements_[k] * order_ + i % (order_ + 1));
      e /= elements_[k];
      i /= order_ + 1;
      stride *= across(k);
    }
    return result;
  }

  /// The boundary attributes of a node: bit a - 1 for attribute a.
  KOKKOS_FUNCTION std::uint32_t attributes(index_t node) const {
    std::uint32_t bits = 0;
    for (int k = 0; k < Dim; ++k) {
      const index_t at = node % across(k);
      node /= across(k);
      if (at + first_[k] * order_ == 0) bits |= 1U << (2 * k);
      if (at + first_[k] * order_ == all_[k] * order_) bits |= 2U << (2 * k);
    }
    return bits;
  }

  /// Where a node is, before any map: `on_reference` has the order + 1 positions of the nodes on
  /// [0, 1]. The same bits in every part.
  template <class Positions>
  KOKKOS_FUNCTION void position(const Positions& on_reference, index_t node,
                                double (&x)[Dim]) const {
    for (int k = 0; k < Dim; ++k) {
      const index_t at = node % across(k);
      node /= across(k);
      const index_t e = Kokkos::min(at / order_, elements_[k] - 1);
      x[k] = lower_[k] + size_[k] *
                             (static_cast<double>(first_[k] + e) + on_reference(at - e * order_)) /
                             static_cast<double>(all_[k]);
    }
  }

 private:
  int order_;
  index_t elements_[Dim];  // of the part
  index_t first_[Dim];
  index_t all_[Dim];
  double lower_[Dim];
  double size_[Dim];
};

/// Bits as BoxNodes::attributes has them. Throws InvalidArgument for attributes that a box of
/// Dim dimensions does not have.
std::uint32_t attribute_bits(int dimensions, const std::vector<int>& attributes);

/// Those of all sides.
constexpr std::uint32_t all_sides(int dimensions) { return (1U << (2 * dimensions)) - 1; }

}  // namespace kolam::fem
