// SPDX-License-Identifier: Apache-2.0
// A box of quadrilaterals or hexahedra: the nodes of its elements and their positions.
#pragma once

#include <Kokkos_Core.hpp>
#include <array>
#include <cstdint>
#include <kolam/comm/decomposition.hpp>
#include <kolam/comm/shared_dofs.hpp>
#include <kolam/core/index.hpp>
#include <vector>

namespace kolam::fem {

/// A box from `lower` to `upper` of elements[0] x elements[1] (x elements[2]) equal elements,
/// counted x fastest.
///
/// The sides of the box have the boundary attributes 1 and 2 (lower and upper end in x), 3 and 4
/// (y), 5 and 6 (z).
///
/// If the box is cut among processes, the elements are those of one part, numbered within it.
template <int Dim>
struct BoxMesh {
  std::array<index_t, Dim> elements;               ///< elements of the whole box per direction
  std::array<double, Dim> lower{};                 ///< lower corner of the whole box; 0 by default
  std::array<double, Dim> upper = ones<double>();  ///< upper corner of the whole box; 1 by default
  comm::Parts<Dim> parts = ones<int>();            ///< parts per direction, see Decomposition
  int part = 0;                                    ///< part of this process: its rank, x fastest

  /// Returns the range of elements of the part.
  Box<Dim> own() const { return comm::Decomposition<Dim>(elements, parts).own(part); }
  /// Returns the number of elements of the part.
  index_t element_count() const { return size<Dim>(own()); }

 private:
  template <class T>
  static constexpr std::array<T, Dim> ones() {
    std::array<T, Dim> all{};
    all.fill(1);
    return all;
  }
};

/// Throws InvalidArgument if a direction has less than one element or fewer elements than parts, if
/// an upper end is not above the lower one, or if the part does not exist.
template <int Dim>
void validate(const BoxMesh<Dim>& mesh);

/// Throws InvalidArgument unless there is one part per process of the communicator and this process
/// has the part of its rank.
template <int Dim>
void require_parts(const BoxMesh<Dim>& mesh, const Communicator& communicator);

/// Returns the nodes of polynomials of `order` that the part shares with other parts, ordered by
/// rank. Throws InvalidArgument as validate does.
template <int Dim>
std::vector<comm::NodesSharedWith> shared_nodes(const BoxMesh<Dim>& mesh, int order);

/// The nodes of polynomials of `order` on a part of a box: a structured grid of order * n + 1 nodes
/// along a direction of n elements, x fastest. Callable on any execution space.
template <int Dim>
class BoxNodes {
 public:
  /// Takes the part of a valid mesh (see validate) and an order of at least 1.
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

  /// Returns the order of the polynomials.
  KOKKOS_FUNCTION int order() const { return order_; }
  /// Returns the number of nodes of the part along direction k, from 0.
  KOKKOS_FUNCTION index_t across(int k) const { return elements_[k] * order_ + 1; }
  /// Returns the number of nodes of the part.
  KOKKOS_FUNCTION index_t nodes() const {
    index_t product = 1;
    for (int k = 0; k < Dim; ++k) product *= across(k);
    return product;
  }

  /// Returns the number of node i (x fastest) of element e.
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

  /// Returns the boundary attributes of a node as bits: bit a - 1 for attribute a.
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

  /// Sets x to the position of a node before any map. `on_reference` has the order + 1 positions of
  /// the nodes on [0, 1]. The result has the same bits in every part.
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

/// Returns the attributes as bits, as BoxNodes::attributes does. Throws InvalidArgument for an
/// attribute that a box of these dimensions does not have.
std::uint32_t attribute_bits(int dimensions, const std::vector<int>& attributes);

/// Returns the attribute bits of all sides of a box.
constexpr std::uint32_t all_sides(int dimensions) { return (1U << (2 * dimensions)) - 1; }

}  // namespace kolam::fem
