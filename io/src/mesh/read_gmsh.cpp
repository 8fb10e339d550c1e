// SPDX-License-Identifier: Apache-2.0
// Gmsh's formats 2.0 to 2.2 and 4.1, as its manual describes them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <kolam/kernels/element/detail/layout.hpp>
#include <limits>
#include <map>
#include <utility>

#include "gmsh_elements.hpp"
#include "input.hpp"
#include "raw_mesh.hpp"

namespace kolam::meshes {
namespace {

// Elements of one type and attribute (0: in no physical group).
struct Block {
  const GmshType* type;
  int attribute;
  std::vector<Label> nodes;  // [type->nodes, elements]

  std::size_t size() const { return nodes.size() / static_cast<std::size_t>(type->nodes); }
};

class GmshFile {
 public:
  explicit GmshFile(Input& input) : in_(input) {}

  RawMesh read() {
    read_format();
    while (!in_.at_end()) read_section();
    if (positions_.empty() || blocks_.empty())
      refuse_to_read(in_.path(), "there are no $Nodes or no $Elements in it");
    return assembled();
  }

 private:
  // "4.1 0 8": version, 1 for binary, bytes of sizes. The line $MeshFormat has been read.
  void read_format() {
    const double version = in_.real("the version");
    binary_ = in_.integer<int>("the kind of file, 0 or 1") != 0;
    const int size = in_.integer<int>("the bytes of a size");
    four_ = version == 4.1;
    if (!four_ && (version < 2 || version >= 3)) {
      in_.refuse(
          fmt::format("format {} of Gmsh; 2.2 and 4.1 can be read (in Gmsh: "
                      "Mesh.MshFileVersion)",
                      version));
    }
    if (size != 8) in_.refuse(fmt::format("sizes of {} bytes; they must have 8", size));
    if (binary_) {
      in_.end_line();
      const int one = in_.binary<int>("the order of bytes");
      swap_ = one != 1;
      if (swap_ && one != 0x01000000) in_.refuse("the number after the format is not 1");
    }
    in_.expect("$EndMeshFormat");
  }

  void read_section() {
    const std::string name(in_.word());
    if (name.empty() || name.front() != '$') in_.refuse("a section must begin here, with a $");
    if (name == "$PhysicalNames") {
      read_names();
    } else if (name == "$Entities") {
      read_entities();
    } else if (name == "$PartitionedEntities") {
      in_.refuse("a mesh that Gmsh partitioned; save it whole (kolam cuts meshes itself)");
    } else if (name == "$Nodes") {
      four_ ? read_nodes_4() : read_nodes_2();
    } else if (name == "$Elements") {
      four_ ? read_elements_4() : read_elements_2();
    } else if (name == "$Periodic") {
      in_.refuse(
          "a periodic mesh, for which there are no spaces yet; without periodic constraints it can "
          "be read (the sides that correspond are then boundaries)");
    } else {
      in_.skip_past("$End" + name.substr(1));
      return;
    }
    in_.expect("$End" + name.substr(1));
  }

  // (Text in binary files too.)
  void read_names() {
    const std::size_t count = in_.count("physical groups", 5);
    for (std::size_t i = 0; i < count; ++i) {
      const int dimension = in_.integer<int>("the dimension of a physical group");
      const int number = in_.integer<int>("a physical group");
      const std::string name = in_.quoted();
      names_.push_back({dimension, number, name});
    }
  }

  // A whole number of the file: of type I in binary, and text otherwise.
  template <class I>
  I number(const char* what) {
    return binary_ ? in_.binary<I>(what, swap_) : in_.integer<I>(what);
  }
  double real(const char* what) {
    if (!binary_) return in_.real(what);
    const auto value = in_.binary<double>(what, swap_);
    if (!std::isfinite(value)) in_.refuse(fmt::format("{} for {}; it must be finite", value, what));
    return value;
  }
  std::size_t count(const char* what, std::size_t in_binary, std::size_t in_text) {
    return in_.checked(number<std::uint64_t>(what), what, binary_ ? in_binary : in_text);
  }
  // A physical group; that of an entity which is turned around is negative.
  int group() {
    const int value = number<int>("a physical group");
    if (value == std::numeric_limits<int>::min()) in_.refuse("no physical group has this number");
    return std::abs(value);
  }
  void begin() {
    if (binary_) in_.end_line();
  }

  // The physical group of each entity, which elements have by their entity.
  void read_entities() {
    begin();
    has_entities_ = true;
    std::array<std::size_t, 4> counts{};
    for (std::size_t& of_dimension : counts) of_dimension = count("entities", 1, 1);
    for (int dimension = 0; dimension < 4; ++dimension) {
      for (std::size_t i = 0; i < counts[static_cast<std::size_t>(dimension)]; ++i) {
        const int tag = number<int>("an entity");
        for (int k = 0; k < (dimension == 0 ? 3 : 6); ++k) real("a coordinate of an entity");
        const std::size_t groups = count("physical groups of an entity", 4, 2);
        int& of_entity = group_of_[{dimension, tag}];
        for (std::size_t g = 0; g < groups; ++g) {
          const int next = group();
          if (of_entity != 0 && next != of_entity) {
            in_.refuse(fmt::format(
                "entity {} of dimension {} is in the physical groups {} and {}; an element has "
                "one attribute",
                tag, dimension, of_entity, next));
          }
          of_entity = next;
        }
        if (dimension == 0) continue;
        const std::size_t bounds = count("bounds of an entity", 4, 2);
        for (std::size_t b = 0; b < bounds; ++b) number<int>("a bound of an entity");
      }
    }
  }

  void read_nodes_2() {
    // (Counts and headers are text in these.)
    const std::size_t nodes = in_.count("nodes", binary_ ? 28 : 8);
    begin();
    std::vector<Label> tags;
    for (std::size_t i = 0; i < nodes; ++i) {
      tags.push_back(tag(number<int>("the number of a node")));
      read_position();
    }
    take(std::move(tags));
  }
  void read_nodes_4() {
    begin();
    const auto blocks = count("blocks of nodes", 20, 8);
    const auto nodes = count("nodes", 32, 8);
    number<std::uint64_t>("the smallest node");
    number<std::uint64_t>("the largest node");
    std::vector<Label> tags;
    for (std::size_t b = 0; b < blocks; ++b) {
      const int dimension = number<int>("the dimension of an entity");
      number<int>("an entity");
      const int parameters = number<int>("0 or 1") != 0 ? dimension : 0;
      if (parameters < 0 || parameters > 3) in_.refuse("an entity has 0 to 3 dimensions");
      const std::size_t size = count("nodes", 32, 8);
      for (std::size_t i = 0; i < size; ++i) tags.push_back(number<std::uint64_t>("a node"));
      for (std::size_t i = 0; i < size; ++i) {
        read_position();
        for (int k = 0; k < parameters; ++k) real("a parameter of a node");
      }
    }
    if (tags.size() != nodes)
      in_.refuse(fmt::format("{} nodes; {} were said to follow", tags.size(), nodes));
    take(std::move(tags));
  }
  void read_position() {
    std::array<double, 3> x;
    for (double& coordinate : x) coordinate = real("a coordinate");
    positions_.push_back(x);
  }
  void take(std::vector<Label> tags) {
    // (A second section would add to the first.)
    tags_.insert(tags_.end(), tags.begin(), tags.end());
  }
  Label tag(int value) const {
    if (value < 1) in_.refuse(fmt::format("node {}; they count from 1", value));
    return static_cast<Label>(value);
  }

  Block& block(int type_number, int attribute) {
    const GmshType* const type = gmsh_type(type_number);
    if (type == nullptr) in_.refuse(fmt::format("elements of type {}, unknown", type_number));
    if (blocks_.empty() || blocks_.back().type != type || blocks_.back().attribute != attribute)
      blocks_.push_back({type, attribute, {}});
    return blocks_.back();
  }
  void read_elements_2() {
    const std::size_t elements = in_.count("elements", binary_ ? 8 : 6);
    begin();
    for (std::size_t done = 0; done < elements;) {
      int type = 0;
      int tags = 0;
      std::size_t size = 1;  // elements under one head
      if (binary_) {
        type = number<int>("the type of elements");
        size = in_.checked(static_cast<std::uint64_t>(number<int>("elements")), "elements", 8);
        tags = number<int>("the number of tags");
        if (size == 0 || size > elements - done) in_.refuse("more elements than there should be");
      }
      for (std::size_t i = 0; i < size; ++i, ++done) {
        number<int>("the number of an element");
        if (!binary_) {
          type = number<int>("the type of an element");
          tags = number<int>("the number of tags");
        }
        int attribute = 0;
        for (int t = 0; t < tags; ++t) {
          if (t == 0)
            attribute = group();
          else
            number<int>("a tag");
        }
        Block& to = block(type, attribute);
        for (int n = 0; n < to.type->nodes; ++n)
          to.nodes.push_back(tag(number<int>("a node of an element")));
      }
    }
  }
  void read_elements_4() {
    begin();
    const auto blocks = count("blocks of elements", 20, 8);
    const auto elements = count("elements", 16, 4);
    number<std::uint64_t>("the smallest element");
    number<std::uint64_t>("the largest element");
    std::size_t done = 0;
    for (std::size_t b = 0; b < blocks; ++b) {
      const int dimension = number<int>("the dimension of an entity");
      const int entity = number<int>("an entity");
      const int type = number<int>("the type of elements");
      const auto group = group_of_.find({dimension, entity});
      if (group == group_of_.end() && has_entities_)
        in_.refuse(fmt::format("there is no entity {} of dimension {}", entity, dimension));
      Block& to = block(type, group == group_of_.end() ? 0 : group->second);
      const std::size_t size = count("elements", 16, 4);
      for (std::size_t i = 0; i < size; ++i) {
        number<std::uint64_t>("an element");
        for (int n = 0; n < to.type->nodes; ++n)
          to.nodes.push_back(number<std::uint64_t>("a node of an element"));
      }
      done += size;
    }
    if (done != elements)
      in_.refuse(fmt::format("{} elements; {} were said to follow", done, elements));
  }

  // What the mesh is made of: the elements of the largest dimension, and those of one less with
  // an attribute.
  RawMesh assembled() {
    RawMesh raw;
    for (const Block& b : blocks_)
      if (b.size() > 0) raw.dimensions = std::max(raw.dimensions, dimensions_of(b.type->shape));
    if (raw.dimensions < 2) refuse_to_read(in_.path(), "it has no quadrilaterals and no hexahedra");
    refuse_other_shapes(raw.dimensions);
    nodes_ = Numbers(tags_);
    place_.assign(nodes_.size(), 0);
    for (std::size_t i = 0; i < tags_.size(); ++i)
      place_[static_cast<std::size_t>(nodes_.of(tags_[i]))] = i;
    if (nodes_.size() != tags_.size())
      refuse_to_read(in_.path(), "two nodes have the same number; each needs its own");
    add_elements(raw);
    add_facets(raw);
    for (const auto& [dimension, number, name] : names_) {
      if (dimension == raw.dimensions) raw.element_names[name].insert(number);
      if (dimension == raw.dimensions - 1) raw.boundary_names[name].insert(number);
    }
    return raw;
  }

  void refuse_other_shapes(int dimensions) const {
    const Shape wanted = dimensions == 2 ? Shape::quadrilateral : Shape::hexahedron;
    std::map<Shape, std::size_t> others;
    for (const Block& b : blocks_)
      if (dimensions_of(b.type->shape) == dimensions && b.type->shape != wanted && b.size() > 0)
        others[b.type->shape] += b.size();
    if (others.empty()) return;
    std::vector<std::string> counts;
    for (const auto& [shape, number] : others)
      counts.push_back(fmt::format("{} {}", number, plural(shape)));
    refuse_to_read(
        in_.path(),
        fmt::format(
            "it has {}, and kolam works with {} alone; {}", fmt::join(counts, " and "),
            plural(wanted),
            dimensions == 2
                ? "in Gmsh, Mesh.RecombineAll = 1 and Mesh.SubdivisionAlgorithm = 1 "
                  "make such a mesh of any surface"
                : "in Gmsh, transfinite or extruded volumes with Mesh.RecombineAll = 1 "
                  "have them, and Mesh.SubdivisionAlgorithm = 2 cuts tetrahedra into such"));
  }

  const std::array<double, 3>& position(Label node) const {
    const index_t number = nodes_.of(node);
    if (number < 0)
      refuse_to_read(in_.path(), fmt::format("an element has node {}, which there is not", node));
    return positions_[place_[static_cast<std::size_t>(number)]];
  }

  void add_elements(RawMesh& raw) {
    raw.order = 0;
    std::size_t without = 0;
    std::size_t all = 0;
    for (const Block& b : blocks_) {
      if (dimensions_of(b.type->shape) != raw.dimensions || b.size() == 0) continue;
      if (raw.order != 0 && b.type->order != raw.order) {
        refuse_to_read(in_.path(),
                       fmt::format("it has elements of orders {} and {}; all must have the same",
                                   raw.order, b.type->order));
      }
      raw.order = b.type->order;
      all += b.size();
      if (b.attribute == 0) without += b.size();
    }
    if (without != 0 && without != all) {
      refuse_to_read(in_.path(), fmt::format("{} of {} elements are in no physical group; put each "
                                             "in one, or none",
                                             without, all));
    }
    require_flat(raw.dimensions);
    const int dim = raw.dimensions;
    const int d1d = raw.order + 1;
    const auto corners = static_cast<std::size_t>(1 << dim);
    std::vector<double> element(static_cast<std::size_t>(dim * kolam::detail::power(d1d, dim)));
    for (const Block& b : blocks_) {
      if (dimensions_of(b.type->shape) != dim) continue;
      const auto places = gmsh_nodes(dim, raw.order, b.type->complete);
      for (std::size_t e = 0; e < b.size(); ++e) {
        const Label* const nodes = b.nodes.data() + e * places.size();
        for (std::size_t n = 0; n < places.size(); ++n) {
          const auto& x = position(nodes[n]);
          for (int k = 0; k < dim; ++k)
            element[static_cast<std::size_t>(k + dim * place(places[n], d1d))] =
                x[static_cast<std::size_t>(k)];
        }
        if (!b.type->complete) complete_serendipity(element, dim, raw.order);
        raw.nodes.insert(raw.nodes.end(), element.begin(), element.end());
        // (Corners come first, and go around.)
        for (std::size_t c = 0; c < corners; ++c) raw.corners.push_back(nodes[c ^ (c >> 1 & 1)]);
        raw.attributes.push_back(std::max(b.attribute, 1));
      }
    }
    to_gauss_lobatto(raw.nodes, dim, uniform_points(raw.order));
  }

  static int place(const std::array<int, 3>& at, int d1d) {
    return at[0] + d1d * (at[1] + d1d * at[2]);
  }

  // That elements of two dimensions lie in a plane z = const.
  void require_flat(int dimensions) const {
    if (dimensions != 2) return;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    std::array<double, 3> low{infinity, infinity, infinity};
    std::array<double, 3> high{-infinity, -infinity, -infinity};
    for (const Block& b : blocks_) {
      if (dimensions_of(b.type->shape) != 2) continue;
      for (const Label node : b.nodes) {
        const auto& x = position(node);
        for (std::size_t k = 0; k < 3; ++k) {
          low[k] = std::min(low[k], x[k]);
          high[k] = std::max(high[k], x[k]);
        }
      }
    }
    const double size = std::max(high[0] - low[0], high[1] - low[1]);
    if (high[2] - low[2] > 1e-9 * size) {
      refuse_to_read(in_.path(),
                     fmt::format("its quadrilaterals are a surface in space (z is {} to {}); they "
                                 "must lie in a plane z = const",
                                 low[2], high[2]));
    }
  }

  void add_facets(RawMesh& raw) const {
    const Shape wanted = raw.dimensions == 2 ? Shape::line : Shape::quadrilateral;
    const auto corners = static_cast<std::size_t>(1 << (raw.dimensions - 1));
    for (const Block& b : blocks_) {
      if (dimensions_of(b.type->shape) != raw.dimensions - 1 || b.attribute == 0) continue;
      if (b.type->shape != wanted)
        refuse_to_read(in_.path(), fmt::format("{} {} are no sides of hexahedra", b.size(),
                                               plural(b.type->shape)));
      for (std::size_t f = 0; f < b.size(); ++f) {
        const Label* const nodes = b.nodes.data() + f * static_cast<std::size_t>(b.type->nodes);
        raw.facets.insert(raw.facets.end(), nodes, nodes + corners);
        raw.facet_attributes.push_back(b.attribute);
      }
    }
  }

  struct Name {
    int dimension;
    int number;
    std::string name;
  };

  Input& in_;
  bool four_ = false;
  bool binary_ = false;
  bool swap_ = false;
  bool has_entities_ = false;
  std::vector<Name> names_;
  std::map<std::pair<int, int>, int> group_of_;  // of dimension and entity
  std::vector<Label> tags_;
  std::vector<std::array<double, 3>> positions_;
  std::vector<Block> blocks_;  // in the order of the file
  Numbers nodes_{{}};
  std::vector<std::size_t> place_;  // of each of those numbers in positions_
};

}  // namespace

RawMesh read_gmsh(Input& input) { return GmshFile(input).read(); }

}  // namespace kolam::meshes
