// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <kolam/core/error.hpp>
#include <kolam/fem/box_mesh.hpp>

namespace kolam::fem {

template <int Dim>
void validate(const BoxMesh<Dim>& mesh) {
  for (std::size_t k = 0; k < Dim; ++k) {
    if (mesh.elements[k] < 1) {
      throw InvalidArgument(fmt::format("a box of {} elements in {}; it needs at least 1",
                                        mesh.elements[k], "xyz"[k]));
    }
    if (!(mesh.upper[k] > mesh.lower[k])) {
      throw InvalidArgument(fmt::format("a box from {} to {} in {}; the upper end must be above",
                                        mesh.lower[k], mesh.upper[k], "xyz"[k]));
    }
  }
  const int count = comm::Decomposition<Dim>(mesh.elements, mesh.parts).subdomains();
  if (mesh.part < 0 || mesh.part >= count) {
    throw InvalidArgument(
        fmt::format("part {} of a box; there are {} parts, from 0", mesh.part, count));
  }
}
template void validate(const BoxMesh<2>&);
template void validate(const BoxMesh<3>&);

template <int Dim>
void require_parts(const BoxMesh<Dim>& mesh, const Communicator& communicator) {
  const int count = comm::Decomposition<Dim>(mesh.elements, mesh.parts).subdomains();
  if (count == communicator.size() && mesh.part == communicator.rank()) return;
  throw InvalidArgument(fmt::format(
      "part {} of {} of a box in process {} of {}; each process has the part of its rank",
      mesh.part, count, communicator.rank(), communicator.size()));
}
template void require_parts(const BoxMesh<2>&, const Communicator&);
template void require_parts(const BoxMesh<3>&, const Communicator&);

template <int Dim>
std::vector<comm::NodesSharedWith> shared_nodes(const BoxMesh<Dim>& mesh, int order) {
  validate(mesh);
  const comm::Decomposition<Dim> decomposition(mesh.elements, mesh.parts);
  // The range of nodes of a part in the whole structured grid.
  const auto nodes_of = [&](int part) {
    Box<Dim> nodes = decomposition.own(part);
    for (Range& range : nodes) range = {range.begin * order, range.end * order + 1};
    return nodes;
  };
  const Box<Dim> mine = nodes_of(mesh.part);
  std::vector<comm::NodesSharedWith> result;
  for (int part = 0; part < decomposition.subdomains(); ++part) {
    if (part == mesh.part) continue;
    Box<Dim> both = nodes_of(part);
    bool meet = true;
    for (std::size_t k = 0; k < Dim; ++k) {
      both[k] = {std::max(both[k].begin, mine[k].begin), std::min(both[k].end, mine[k].end)};
      meet = meet && both[k].begin < both[k].end;
    }
    if (!meet) continue;
    comm::NodesSharedWith& shared = result.emplace_back(comm::NodesSharedWith{part, {}});
    for (index_t n = 0; n < size<Dim>(both); ++n) {
      index_t rest = n;
      index_t stride = 1;
      index_t node = 0;
      for (std::size_t k = 0; k < Dim; ++k) {
        const index_t across = both[k].end - both[k].begin;
        node += stride * (both[k].begin - mine[k].begin + rest % across);
        rest /= across;
        stride *= mine[k].end - mine[k].begin;
      }
      shared.nodes.push_back(node);
    }
  }
  return result;
}
template std::vector<comm::NodesSharedWith> shared_nodes<2>(const BoxMesh<2>&, int);
template std::vector<comm::NodesSharedWith> shared_nodes<3>(const BoxMesh<3>&, int);

std::uint32_t attribute_bits(int dimensions, const std::vector<int>& attributes) {
  std::uint32_t bits = 0;
  for (const int attribute : attributes) {
    if (attribute < 1 || attribute > 2 * dimensions) {
      throw InvalidArgument(fmt::format("boundary attribute {}: a box in {}D has 1 to {}",
                                        attribute, dimensions, 2 * dimensions));
    }
    bits |= 1U << (attribute - 1);
  }
  return bits;
}

}  // namespace kolam::fem
