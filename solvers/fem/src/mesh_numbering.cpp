// SPDX-License-Identifier: Apache-2.0
#include "mesh_numbering.hpp"

#include <fmt/format.h>

#include <Kokkos_StdAlgorithms.hpp>
#include <array>
#include <kolam/core/detail/instantiate.hpp>
#include <kolam/core/detail/to_space.hpp>
#include <kolam/core/error.hpp>
#include <kolam/core/forall.hpp>
#include <kolam/fem/detail/mesh_entities.hpp>
#include <kolam/kernels/element/detail/layout.hpp>
#include <limits>

#include "places_in_element.hpp"

namespace kolam::fem::detail {
namespace {

constexpr index_t most = std::numeric_limits<int>::max();

// The corners of the vertices, edges and faces of an element, by dimensions.
struct CornersOfParts {
  static constexpr int most_parts = 12;  // edges of a hexahedron
  int corners[3][most_parts][4];

  explicit CornersOfParts(int dimensions_of_mesh) {
    for (int d = 0; d < dimensions_of_mesh; ++d) {
      const auto cubes = sub_cubes(dimensions_of_mesh, d);
      for (std::size_t i = 0; i < cubes.size(); ++i)
        for (int b = 0; b < 1 << d; ++b) corners[d][i][b] = cubes[i].corner(d, b);
    }
  }
};

// An edge or face of an element, in the bucket of its smallest vertex: its other vertices,
// ascending, and its place.
template <int Others>
struct Occurrence {
  int others[Others];
  int at;

  KOKKOS_FUNCTION bool is_same(const Occurrence& o) const {
    for (int k = 0; k < Others; ++k)
      if (others[k] != o.others[k]) return false;
    return true;
  }
  KOKKOS_FUNCTION bool operator<(const Occurrence& o) const {
    for (int k = 0; k < Others; ++k)
      if (others[k] != o.others[k]) return others[k] < o.others[k];
    return at < o.at;
  }
};

// (Heap sort: in place, without recursion, and never in quadratic time.)
template <class Item>
KOKKOS_FUNCTION void sort_in_place(Item* items, index_t count) {
  const auto sift = [&](index_t root, index_t end) {
    const Item item = items[root];
    for (index_t child; (child = 2 * root + 1) < end; root = child) {
      if (child + 1 < end && items[child] < items[child + 1]) ++child;
      if (!(item < items[child])) break;
      items[root] = items[child];
    }
    items[root] = item;
  };
  for (index_t root = count / 2; root-- > 0;) sift(root, count);
  for (index_t end = count; end-- > 1;) {
    const Item last = items[end];
    items[end] = items[0];
    items[0] = last;
    sift(0, end);
  }
}

// Sets `vertices` to the vertices of part i of element e, ascending.
template <int Dim, int D>
struct VerticesOfPart {
  const index_t* corners;
  CornersOfParts parts;

  KOKKOS_FUNCTION void operator()(index_t e, int i, int (&vertices)[1 << D]) const {
    for (int b = 0; b < 1 << D; ++b) {
      const auto vertex = static_cast<int>(corners[(e << Dim) + parts.corners[D][i][b]]);
      int place = b;
      for (; place > 0 && vertices[place - 1] > vertex; --place)
        vertices[place] = vertices[place - 1];
      vertices[place] = vertex;
    }
  }
};

template <ExecutionSpace Exec, class Number>
void scan(const Exec& exec, const ListOn<Number, Exec>& numbers) {
  Kokkos::Experimental::inclusive_scan("kolam::mesh numbers", kokkos_instance(exec), numbers,
                                       numbers);
}
template <ExecutionSpace Exec, class Number>
Number last_of(const Exec& exec, const ListOn<Number, Exec>& numbers) {
  Number last{};
  Kokkos::deep_copy(kokkos_instance(exec), last, Kokkos::subview(numbers, numbers.extent(0) - 1));
  exec.fence("kolam::mesh numbers");
  return last;
}

template <int Dim, ExecutionSpace Exec>
EntitiesOn<Exec> vertices_on(const Exec& exec, const MeshOn<Dim, Exec>& mesh) {
  const index_t places = mesh.elements << Dim;
  const auto number =
      kolam::detail::allocate_view<ListOn<int, Exec>>(exec, "kolam::vertices", places);
  const auto first = kolam::detail::allocate_view<ListOn<index_t, Exec>>(
      exec, "kolam::vertices, first", mesh.vertex_count);
  Kokkos::deep_copy(kokkos_instance(exec), first, std::numeric_limits<index_t>::max());
  const auto corners = mesh.corners;
  forall(
      exec, "kolam::vertices", places, KOKKOS_LAMBDA(index_t at) {
        number(at) = static_cast<int>(corners(at));
        Kokkos::atomic_min(&first(corners(at)), at);
      });
  return {mesh.vertex_count, number, first};
}

template <int Dim, int D, ExecutionSpace Exec>
EntitiesOn<Exec> edges_or_faces_on(const Exec& exec, const MeshOn<Dim, Exec>& mesh) {
  constexpr int corners = 1 << D;
  using Item = Occurrence<corners - 1>;
  const auto each = static_cast<int>(sub_cubes(Dim, D).size());
  const index_t places = mesh.elements * each;
  const VerticesOfPart<Dim, D> vertices_of{mesh.corners.data(), CornersOfParts(Dim)};
  // Sort into buckets by smallest vertex; each bucket is short.
  const auto end = kolam::detail::allocate_zeros<ListOn<int, Exec>>(
      exec, "kolam::entities, buckets", mesh.vertex_count + 1);
  forall(
      exec, "kolam::entities, count", places, KOKKOS_LAMBDA(index_t at) {
        int vertices[corners];
        vertices_of(at / each, static_cast<int>(at % each), vertices);
        Kokkos::atomic_inc(&end(vertices[0] + 1));
      });
  scan<Exec, int>(exec, end);
  const auto items =
      kolam::detail::allocate_view<ListOn<Item, Exec>>(exec, "kolam::entities, places", places);
  const auto used = kolam::detail::allocate_zeros<ListOn<int, Exec>>(exec, "kolam::entities, used",
                                                                     mesh.vertex_count);
  forall(
      exec, "kolam::entities, buckets", places, KOKKOS_LAMBDA(index_t at) {
        int vertices[corners];
        vertices_of(at / each, static_cast<int>(at % each), vertices);
        Item item{{}, static_cast<int>(at)};
        for (int k = 1; k < corners; ++k) item.others[k - 1] = vertices[k];
        items(end(vertices[0]) + Kokkos::atomic_fetch_inc(&used(vertices[0]))) = item;
      });
  const auto marked =
      kolam::detail::allocate_view<ListOn<int, Exec>>(exec, "kolam::entities, marks", places);
  forall(
      exec, "kolam::entities, sort", mesh.vertex_count, KOKKOS_LAMBDA(index_t vertex) {
        const index_t begin = end(vertex);
        const index_t count = end(vertex + 1) - begin;
        sort_in_place(items.data() + begin, count);
        for (index_t i = 0; i < count; ++i)
          marked(begin + i) = i == 0 || !items(begin + i).is_same(items(begin + i - 1)) ? 1 : 0;
      });
  scan<Exec, int>(exec, marked);
  const index_t count = last_of<Exec, int>(exec, marked);
  const auto number =
      kolam::detail::allocate_view<ListOn<int, Exec>>(exec, "kolam::entities", places);
  const auto first =
      kolam::detail::allocate_view<ListOn<index_t, Exec>>(exec, "kolam::entities, first", count);
  forall(
      exec, "kolam::entities", places, KOKKOS_LAMBDA(index_t i) {
        const int own = marked(i) - 1;
        number(items(i).at) = own;
        if (i == 0 || marked(i - 1) <= own) first(own) = items(i).at;
      });
  exec.fence("kolam::entities");
  return {count, number, first};
}

void require_places(index_t places, const char* what) {
  if (places <= most) return;
  throw InvalidArgument(
      fmt::format("a mesh whose elements have {} {} in all; there can be 2^31 - 1: share it out to "
                  "more processes",
                  places, what));
}

// Vertices, edges or faces of a mesh, with the nodes inside them.
template <ExecutionSpace Exec>
struct NumberedParts {
  int each;                           // parts of an element
  int inside;                         // nodes inside a part
  ListOn<const int, Exec> number;     // see EntitiesOn
  ListOn<const index_t, Exec> first;  // see EntitiesOn
  ListOn<int, Exec> node;             // first node of each part
};

}  // namespace

template <int Dim, ExecutionSpace Exec>
EntitiesOn<Exec> entities_on(const Exec& exec, const MeshOn<Dim, Exec>& mesh, int dimensions) {
  constexpr const char* names[] = {"vertices", "edges", "faces"};
  const auto each = static_cast<index_t>(sub_cubes(Dim, dimensions).size());
  require_places(mesh.elements * each, names[dimensions]);
  if (dimensions == 0) return vertices_on<Dim>(exec, mesh);
  if constexpr (Dim == 3)
    if (dimensions == 2) return edges_or_faces_on<Dim, 2>(exec, mesh);
  return edges_or_faces_on<Dim, 1>(exec, mesh);
}

template <int Dim, ExecutionSpace Exec>
MeshNodesOn<Exec> mesh_nodes_on(const Exec& exec, const MeshOn<Dim, Exec>& mesh, int order) {
  if (order < 1) {
    throw InvalidArgument(fmt::format("polynomials of order {}; it must be at least 1", order));
  }
  const int of_element = kolam::detail::power(order + 1, Dim);
  const int inside = kolam::detail::power(order - 1, Dim);
  Kokkos::Array<NumberedParts<Exec>, Dim> parts;
  for (int d = 0; d < Dim; ++d) {
    NumberedParts<Exec>& these = parts[static_cast<std::size_t>(d)];
    these.each = static_cast<int>(sub_cubes(Dim, d).size());
    these.inside = kolam::detail::power(order - 1, d);
    if (these.inside == 0) continue;
    const EntitiesOn<Exec> all = entities_on(exec, mesh, d);
    these.number = all.number;
    these.first = all.first;
    these.node =
        kolam::detail::allocate_view<ListOn<int, Exec>>(exec, "kolam::first nodes", all.count);
  }
  // Count the nodes that each element introduces; their prefix sum gives the first node of each.
  const auto start = kolam::detail::allocate_zeros<ListOn<index_t, Exec>>(exec, "kolam::new nodes",
                                                                          mesh.elements + 1);
  forall(
      exec, "kolam::new nodes", mesh.elements, KOKKOS_LAMBDA(index_t e) {
        index_t count = inside;
        for (int d = 0; d < Dim; ++d) {
          const NumberedParts<Exec>& these = parts[static_cast<std::size_t>(d)];
          if (these.inside == 0) continue;
          for (index_t at = e * these.each; at < (e + 1) * these.each; ++at)
            if (these.first(these.number(at)) == at) count += these.inside;
        }
        start(e + 1) = count;
      });
  scan<Exec, index_t>(exec, start);
  const index_t count = last_of<Exec, index_t>(exec, start);
  if (count > most) {
    throw InvalidArgument(
        fmt::format("a mesh of {} elements with polynomials of order {} has {} nodes, "
                    "more than 2^31 - 1; use fewer elements or a lower order",
                    mesh.elements, order, count));
  }
  forall(
      exec, "kolam::first nodes", mesh.elements, KOKKOS_LAMBDA(index_t e) {
        index_t next = start(e);
        for (int d = 0; d < Dim; ++d) {
          const NumberedParts<Exec>& these = parts[static_cast<std::size_t>(d)];
          if (these.inside == 0) continue;
          for (index_t at = e * these.each; at < (e + 1) * these.each; ++at) {
            if (these.first(these.number(at)) != at) continue;
            these.node(these.number(at)) = static_cast<int>(next);
            next += these.inside;
          }
        }
      });
  // The part that contains each place of an element, and the node's number in that part.
  const PlacesInElement table = places_in_element(Dim, order);
  const auto places = kolam::detail::to_space<PlaceInElement>(exec, "kolam::places", table.places);
  const auto in_part = kolam::detail::to_space<int>(exec, "kolam::places in parts", table.in_part);
  const Kokkos::Array<int, 3> first_in_part{table.first[0], table.first[1], table.first[2]};
  const auto node = kolam::detail::allocate_view<ListOn<int, Exec>>(
      exec, "kolam::nodes of elements", mesh.elements * of_element);
  const auto first =
      kolam::detail::allocate_view<ListOn<index_t, Exec>>(exec, "kolam::nodes, first", count);
  const CornersOfParts of_parts(Dim);
  const auto corners = mesh.corners;
  forall(
      exec, "kolam::nodes of elements", mesh.elements * of_element, KOKKOS_LAMBDA(index_t n) {
        const index_t e = n / of_element;
        const PlaceInElement place = places(n % of_element);
        const int d = place.dimensions;
        index_t number = start(e + 1) - inside + place.inside;
        bool is_first = true;
        if (d < Dim) {
          const NumberedParts<Exec>& these = parts[static_cast<std::size_t>(d)];
          const index_t at = e * these.each + place.part;
          int vertices[4];
          for (int b = 0; b < 1 << d; ++b)
            vertices[b] =
                static_cast<int>(corners((e << Dim) + of_parts.corners[d][place.part][b]));
          const int orientation = orientation_of(vertices, d);
          number =
              these.node(these.number(at)) + in_part(first_in_part[static_cast<std::size_t>(d)] +
                                                     orientation * these.inside + place.inside);
          is_first = these.first(these.number(at)) == at;
        }
        node(n) = static_cast<int>(number);
        if (is_first) first(number) = n;
      });
  exec.fence("kolam::nodes of elements");
  return {count, node, first};
}

#define KOLAM_INSTANTIATE_IN(DIM, EXEC)                                                         \
  template EntitiesOn<EXEC> entities_on<DIM, EXEC>(const EXEC&, const MeshOn<DIM, EXEC>&, int); \
  template MeshNodesOn<EXEC> mesh_nodes_on<DIM, EXEC>(const EXEC&, const MeshOn<DIM, EXEC>&, int);
#define KOLAM_INSTANTIATE(EXEC) KOLAM_INSTANTIATE_IN(2, EXEC) KOLAM_INSTANTIATE_IN(3, EXEC)
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_INSTANTIATE)

}  // namespace kolam::fem::detail
