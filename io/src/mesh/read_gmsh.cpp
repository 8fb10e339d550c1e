// SPDX-License-Identifier: Apache-2.0
// Gmsh's formats 2.0 to 2.2 and 4.1, as its manual describes them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "gmsh_elements.hpp"
#include "input.hpp"
#include "raw_mesh.hpp"

namespace kolam::meshes {
namespace {

constexpr CellFormat gmsh_format{
    gmsh_nodes,
    "in Gmsh, Mesh.RecombineAll = 1 and Mesh.SubdivisionAlgorithm = 1 make such a mesh of any "
    "surface",
    "in Gmsh, transfinite or extruded volumes with Mesh.RecombineAll = 1 have them, and "
    "Mesh.SubdivisionAlgorithm = 2 cuts tetrahedra into such",
    "are in no physical group; put each in one, or none"};

class GmshFile {
 public:
  explicit GmshFile(Input& input) : in_(input), cells_(input.path(), gmsh_format) {}

  RawMesh read() {
    read_format();
    while (!in_.at_end()) read_section();
    if (cells_.empty()) refuse_to_read(in_.path(), "there are no $Nodes or no $Elements in it");
    RawMesh raw = cells_.mesh();
    raw.joined = std::move(joined_);
    for (const auto& [dimension, number, name] : names_) {
      if (dimension == raw.dimensions) raw.element_names[name].insert(number);
      if (dimension == raw.dimensions - 1) raw.boundary_names[name].insert(number);
    }
    return raw;
  }

 private:
  // Reads "4.1 0 8" (version, 1 for binary, bytes of sizes), the line after $MeshFormat.
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
      read_periodic();
    } else {
      in_.skip_past("$End" + name.substr(1));
      return;
    }
    in_.expect("$End" + name.substr(1),
               listed_.line == 0
                   ? ""
                   : fmt::format(": more {} than the {} of line {}; correct that count",
                                 listed_.what, listed_.count, listed_.line));
    in_.end_list();
    listed_ = {};
  }

  // (These are text in binary files too.)
  void read_names() {
    const std::size_t count = in_.count("physical groups", 5);
    for (std::size_t i = 0; i < count; ++i) {
      const int dimension = in_.integer<int>("the dimension of a physical group");
      const int number = in_.integer<int>("a physical group");
      const std::string name = in_.quoted();
      names_.push_back({dimension, number, name});
    }
  }

  // Reads a whole number: of type I in a binary file, else text.
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
  // Reads a physical group; it is negative if its entity is reversed.
  int group() {
    const int value = number<int>("a physical group");
    if (value == std::numeric_limits<int>::min()) in_.refuse("no physical group has this number");
    return std::abs(value);
  }
  void begin() {
    if (binary_) in_.end_line();
  }

  // Keeps a count that was just read, for errors. (In binary files there are no lines.)
  void list(const char* what, std::uint64_t count) {
    if (!binary_) listed_ = {what, count, in_.line_number()};
  }
  // Requires another item of that list to follow.
  void require(std::uint64_t done) {
    if (binary_ || !in_.begins_with("$End", true)) return;
    in_.word();
    in_.refuse(
        fmt::format("the section ends after {} of the {} {} of line {}; correct that count, or "
                    "add the others",
                    done, listed_.count, listed_.what, listed_.line));
  }
  void begin_entry(const char* what, std::size_t words) {
    if (!binary_) in_.begin_entry(what, words);
  }

  // Reads the physical group of each entity; elements get it from their entity.
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
    // (In format 2, counts and headers are text.)
    const std::size_t nodes = in_.count("nodes", binary_ ? 28 : 8);
    list("nodes", nodes);
    begin();
    for (std::size_t i = 0; i < nodes; ++i) {
      require(i);
      begin_entry("a node", 4);
      const Label label = tag(number<int>("the number of a node"));
      cells_.add_node(label, position());
    }
  }
  void read_nodes_4() {
    begin();
    const auto blocks = count("blocks of nodes", 20, 8);
    list("blocks of nodes", blocks);
    const auto nodes = count("nodes", 32, 8);
    number<std::uint64_t>("the smallest node");
    number<std::uint64_t>("the largest node");
    std::size_t done = 0;
    std::vector<Label> tags;
    for (std::size_t b = 0; b < blocks; ++b) {
      require(b);
      begin_entry("a block of nodes", 4);
      const int dimension = number<int>("the dimension of an entity");
      number<int>("an entity");
      const int parameters = number<int>("0 or 1") != 0 ? dimension : 0;
      if (parameters < 0 || parameters > 3) in_.refuse("an entity has 0 to 3 dimensions");
      const std::size_t size = count("nodes", 32, 8);
      tags.clear();
      for (std::size_t i = 0; i < size; ++i) {
        begin_entry("the number of a node", 1);
        tags.push_back(number<std::uint64_t>("a node"));
      }
      for (const Label label : tags) {
        begin_entry("the position of a node", 3 + static_cast<std::size_t>(parameters));
        cells_.add_node(label, position());
        for (int k = 0; k < parameters; ++k) real("a parameter of a node");
      }
      done += size;
    }
    if (done != nodes) in_.refuse(fmt::format("{} nodes; {} were said to follow", done, nodes));
  }
  std::array<double, 3> position() {
    std::array<double, 3> x;
    for (double& coordinate : x) coordinate = real("a coordinate");
    return x;
  }
  Label tag(int value) const {
    if (value < 1) in_.refuse(fmt::format("node {}; they count from 1", value));
    return static_cast<Label>(value);
  }

  CellBlock& block(int type_number, int attribute) {
    const GmshType* const type = gmsh_type(type_number);
    if (type == nullptr) in_.refuse(fmt::format("elements of type {}, unknown", type_number));
    return cells_.block({type->shape, type->order, type->complete, type->nodes, attribute, {}});
  }
  void read_elements_2() {
    const std::size_t elements = in_.count("elements", binary_ ? 8 : 6);
    list("elements", elements);
    begin();
    for (std::size_t done = 0; done < elements;) {
      int type = 0;
      int tags = 0;
      std::size_t size = 1;  // elements after one header
      if (binary_) {
        type = number<int>("the type of elements");
        size = in_.checked(static_cast<std::uint64_t>(number<int>("elements")), "elements", 8);
        tags = number<int>("the number of tags");
        if (size == 0 || size > elements - done) in_.refuse("more elements than there should be");
      }
      for (std::size_t i = 0; i < size; ++i, ++done) {
        require(done);
        // (The length of an element depends on its type, so a wrong line may go unnoticed later.)
        if (!binary_ && !in_.begin_entry("an element", 0))
          in_.refuse("an element begins within this line");
        number<int>("the number of an element");
        const std::size_t line = binary_ ? 0 : in_.line_number();
        if (!binary_) {
          type = number<int>("the type of an element");
          tags = number<int>("the number of tags");
          if (const GmshType* const known = gmsh_type(type))
            in_.set_words(3 + static_cast<std::size_t>(tags) +
                          static_cast<std::size_t>(known->nodes));
        }
        int attribute = 0;
        for (int t = 0; t < tags; ++t) {
          if (t == 0)
            attribute = group();
          else
            number<int>("a tag");
        }
        CellBlock& to = block(type, attribute);
        for (int n = 0; n < to.nodes_each; ++n)
          to.nodes.push_back(tag(number<int>("a node of an element")));
        if (line != 0) to.lines.push_back(line);
      }
    }
  }
  void read_elements_4() {
    begin();
    const auto blocks = count("blocks of elements", 20, 8);
    list("blocks of elements", blocks);
    const auto elements = count("elements", 16, 4);
    number<std::uint64_t>("the smallest element");
    number<std::uint64_t>("the largest element");
    std::size_t done = 0;
    for (std::size_t b = 0; b < blocks; ++b) {
      require(b);
      begin_entry("a block of elements", 4);
      const int dimension = number<int>("the dimension of an entity");
      const int entity = number<int>("an entity");
      const int type = number<int>("the type of elements");
      const auto group = group_of_.find({dimension, entity});
      if (group == group_of_.end() && has_entities_)
        in_.refuse(fmt::format("there is no entity {} of dimension {}", entity, dimension));
      CellBlock& to = block(type, group == group_of_.end() ? 0 : group->second);
      const std::size_t size = count("elements", 16, 4);
      for (std::size_t i = 0; i < size; ++i) {
        begin_entry("an element", 1 + static_cast<std::size_t>(to.nodes_each));
        number<std::uint64_t>("an element");
        if (!binary_) to.lines.push_back(in_.line_number());
        for (int n = 0; n < to.nodes_each; ++n)
          to.nodes.push_back(number<std::uint64_t>("a node of an element"));
      }
      done += size;
    }
    if (done != elements)
      in_.refuse(fmt::format("{} elements; {} were said to follow", done, elements));
  }

  // Reads pairs of periodic nodes: a node and its master. The affine map is not needed. (Text in
  // files of 2.2.)
  void read_periodic() {
    if (four_) begin();
    const bool binary = std::exchange(binary_, four_ && binary_);
    const std::size_t links =
        four_ ? count("periodic entities", 28, 8) : in_.count("periodic entities", 8);
    for (std::size_t i = 0; i < links; ++i) {
      for (const char* const what : {"a dimension", "an entity", "the master of an entity"})
        number<int>(what);
      if (four_) {
        const std::size_t numbers = count("numbers of a map", 8, 2);
        for (std::size_t k = 0; k < numbers; ++k) real("a number of a map");
      } else if (in_.begins_with("Affine", true)) {
        in_.next_line();
      }
      const std::size_t nodes =
          four_ ? count("pairs of nodes", 16, 4) : in_.count("pairs of nodes", 4);
      for (std::size_t n = 0; n < nodes; ++n) {
        const Label node = number<std::uint64_t>("a node");
        joined_.emplace_back(node, number<std::uint64_t>("the node that it is"));
      }
    }
    binary_ = binary;
  }

  struct Name {
    int dimension;
    int number;
    std::string name;
  };
  struct Listed {
    const char* what = nullptr;
    std::uint64_t count = 0;
    std::size_t line = 0;  // of the count; 0: none
  };

  Input& in_;
  bool four_ = false;
  bool binary_ = false;
  bool swap_ = false;
  bool has_entities_ = false;
  Listed listed_;  // the list that is read
  std::vector<Name> names_;
  std::vector<std::pair<Label, Label>> joined_;
  std::map<std::pair<int, int>, int> group_of_;  // by dimension and entity
  Cells cells_;
};

}  // namespace

RawMesh read_gmsh(Input& input) { return GmshFile(input).read(); }

}  // namespace kolam::meshes
