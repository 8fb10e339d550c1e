// SPDX-License-Identifier: Apache-2.0
// VTK's legacy format of unstructured grids, versions 1 to 5, as text or binary.
#include <fmt/format.h>

#include <bit>
#include <cctype>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "input.hpp"
#include "raw_mesh.hpp"
#include "vtk_cells.hpp"

namespace kolam::meshes {
namespace {

struct ValueType {
  const char* name;
  std::size_t bytes;
  bool real;
  bool is_signed;
};
// (vtkIdType is an int in these files.)
constexpr ValueType value_types[] = {{"char", 1, false, true},
                                     {"signed_char", 1, false, true},
                                     {"unsigned_char", 1, false, false},
                                     {"short", 2, false, true},
                                     {"unsigned_short", 2, false, false},
                                     {"int", 4, false, true},
                                     {"unsigned_int", 4, false, false},
                                     {"long", 8, false, true},
                                     {"unsigned_long", 8, false, false},
                                     {"vtkidtype", 4, false, true},
                                     {"vtktypeint64", 8, false, true},
                                     {"vtktypeuint64", 8, false, false},
                                     {"float", 4, true, true},
                                     {"double", 8, true, true}};
constexpr ValueType int_type = value_types[5];
constexpr bool swap = std::endian::native == std::endian::little;  // files are big-endian

std::string lower(std::string_view text) {
  std::string result;
  for (const char c : text)
    result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

class VtkFile {
 public:
  VtkFile(Input& input, std::string_view first_line) : in_(input) {
    // "# vtk DataFile Version 5.1"
    const std::size_t at = first_line.rfind(' ');
    const std::string version(first_line.substr(at + 1));
    grid_.old_edges = version < "5.1";
    if (version.size() < 3 || version[0] < '1' || version[0] > '5' || version[1] != '.')
      in_.refuse(fmt::format("version '{}' of VTK's format; 1.0 to 5.1 can be read", version));
  }

  RawMesh read() {
    in_.end_line();
    in_.line();  // a title
    const std::string kind = lower(in_.word());
    if (kind != "ascii" && kind != "binary") in_.refuse("ASCII or BINARY must stand here");
    binary_ = kind == "binary";
    if (lower(in_.word()) != "dataset") in_.refuse("DATASET must stand here");
    const std::string set = lower(in_.word());
    if (set != "unstructured_grid") {
      in_.refuse(
          fmt::format("a data set '{}'; a mesh is an UNSTRUCTURED_GRID (in ParaView, the "
                      "filter Append Datasets makes one)",
                      set));
    }
    while (!in_.at_end()) read_section(lower(in_.word()));
    return mesh_of_vtk(in_.path(), grid_);
  }

 private:
  void read_section(const std::string& name) {
    if (name == "points") {
      const std::size_t count = in_.count("points", 3);
      const ValueType type = value_type();
      begin();
      in_.checked(count, "points", 3 * smallest(type));
      for (std::size_t i = 0; i < count; ++i) {
        std::array<double, 3> x;
        for (double& coordinate : x) coordinate = real(type);
        grid_.points.push_back(x);
      }
    } else if (name == "cells") {
      read_cells();
    } else if (name == "cell_types") {
      const std::size_t count = in_.count("cells", 2);
      grid_.types = integers(int_type, count);
    } else if (name == "cell_data" || name == "point_data") {
      of_cells_ = name == "cell_data";
      values_ = in_.integer<std::uint64_t>("values");
    } else if (name == "field") {
      in_.word();
      const std::size_t arrays = in_.count("arrays", 4);
      for (std::size_t a = 0; a < arrays; ++a) {
        std::string array(in_.word());
        if (lower(array) == "metadata") {  // of the previous array
          skip_metadata();
          array = in_.word();
        }
        const auto components = in_.integer<std::uint64_t>("components");
        const auto tuples = in_.integer<std::uint64_t>("tuples");
        read_array(array, components, tuples, value_type());
      }
    } else if (name == "metadata") {
      skip_metadata();
    } else {
      read_values(name);
    }
  }

  // Since 5.0: an offset for each cell and one more, then the points. Before: a count in each cell.
  void read_cells() {
    const std::size_t first = in_.count("cells", 1);
    const std::size_t all = in_.count("numbers of cells", 1);
    begin();
    if (in_.begins_with("OFFSETS", !binary_)) {
      in_.word();
      const ValueType of_offsets = value_type();
      grid_.ends = integers(of_offsets, first);
      if (!grid_.ends.empty()) grid_.ends.erase(grid_.ends.begin());
      in_.expect("CONNECTIVITY");
      const ValueType of_points = value_type();
      grid_.connectivity = integers(of_points, all);
      return;
    }
    const std::vector<std::int64_t> numbers = integers_here(int_type, all);
    for (std::size_t at = 0; at < numbers.size();) {
      const std::int64_t count = numbers[at++];
      if (count < 0 || static_cast<std::uint64_t>(count) > numbers.size() - at)
        in_.refuse(fmt::format("a cell of {} points, where {} numbers are left", count,
                               numbers.size() - at));
      for (std::int64_t i = 0; i < count; ++i) grid_.connectivity.push_back(numbers[at++]);
      grid_.ends.push_back(static_cast<std::int64_t>(grid_.connectivity.size()));
    }
    if (grid_.ends.size() != first)
      in_.refuse(fmt::format("{} cells; {} were said to follow", grid_.ends.size(), first));
  }

  // Reads SCALARS and the like of POINT_DATA or CELL_DATA.
  void read_values(const std::string& kind) {
    const std::string array(in_.word());
    if (kind == "scalars") {
      const ValueType type = value_type();
      std::uint64_t components = 1;
      const std::string_view rest = in_.line();
      if (!rest.empty()) {
        if (rest.size() > 1 || rest[0] < '1' || rest[0] > '9') in_.refuse("1 to 9 components");
        components = static_cast<std::uint64_t>(rest[0] - '0');
      }
      in_.expect("LOOKUP_TABLE");
      in_.word();
      read_array(array, components, values_, type);
    } else if (kind == "vectors" || kind == "normals") {
      read_array(array, 3, values_, value_type());
    } else if (kind == "tensors") {
      read_array(array, 9, values_, value_type());
    } else if (kind == "texture_coordinates") {
      const auto components = in_.integer<std::uint64_t>("components");
      read_array(array, components, values_, value_type());
    } else if (kind == "global_ids" || kind == "pedigree_ids") {
      read_array(array, 1, values_, value_type());
    } else {
      in_.refuse(
          fmt::format("'{}', which kolam does not know; a mesh needs POINTS, CELLS and "
                      "CELL_TYPES, and attributes as SCALARS or FIELD of CELL_DATA",
                      kind));
    }
  }

  void read_array(const std::string& name, std::uint64_t components, std::uint64_t tuples,
                  const ValueType& type) {
    const std::size_t each = smallest(type);
    const std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
    if (components > most || (components != 0 && tuples > most * most / components))
      in_.refuse(fmt::format("{} x {} values", components, tuples));
    const std::size_t count = in_.checked(components * tuples, "values", each);
    const int rank = of_cells_ && components == 1 ? rank_of_attributes(name) : -1;
    const bool wanted = rank >= 0 && (rank_ < 0 || rank < rank_);
    std::vector<std::int64_t> values;
    begin();
    for (std::size_t i = 0; i < count; ++i) {
      if (!wanted) {
        real(type);
      } else if (type.real) {
        values.push_back(whole(real(type)));
      } else {
        values.push_back(integer(type));
      }
    }
    if (!wanted) return;
    rank_ = rank;
    grid_.attributes = std::move(values);
  }
  std::int64_t whole(double value) const {
    if (value != std::floor(value) || std::abs(value) > 1e9)
      in_.refuse(fmt::format("the attribute {}; they are whole numbers", value));
    return static_cast<std::int64_t>(value);
  }

  // Skips to the next empty line.
  void skip_metadata() {
    in_.end_line();
    while (!in_.line().empty()) in_.end_line();
  }

  ValueType value_type() {
    const std::string name = lower(in_.word());
    for (const ValueType& type : value_types)
      if (name == type.name) return type;
    in_.refuse(fmt::format("values of type '{}', which kolam does not read", name));
  }
  std::size_t smallest(const ValueType& type) const { return binary_ ? type.bytes : 1; }
  void begin() {
    if (binary_) in_.end_line();
  }

  double real(const ValueType& type) {
    if (!binary_) return in_.real("a value");
    const double value = !type.real        ? static_cast<double>(integer(type))
                         : type.bytes == 4 ? static_cast<double>(in_.binary<float>("a value", swap))
                                           : in_.binary<double>("a value", swap);
    if (!std::isfinite(value)) in_.refuse(fmt::format("{}; values must be finite", value));
    return value;
  }
  // (Unsigned 64-bit values that are too large become negative, which is invalid everywhere here.)
  std::int64_t integer(const ValueType& type) {
    if (!binary_) return in_.integer<std::int64_t>("a value");
    switch (type.bytes) {
      case 1:
        return type.is_signed ? in_.binary<std::int8_t>("a value")
                              : static_cast<std::int64_t>(in_.binary<std::uint8_t>("a value"));
      case 2:
        return type.is_signed
                   ? in_.binary<std::int16_t>("a value", swap)
                   : static_cast<std::int64_t>(in_.binary<std::uint16_t>("a value", swap));
      case 4:
        return type.is_signed
                   ? in_.binary<std::int32_t>("a value", swap)
                   : static_cast<std::int64_t>(in_.binary<std::uint32_t>("a value", swap));
      default:
        return in_.binary<std::int64_t>("a value", swap);
    }
  }
  std::vector<std::int64_t> integers(const ValueType& type, std::size_t count) {
    begin();
    return integers_here(type, count);
  }
  std::vector<std::int64_t> integers_here(const ValueType& type, std::size_t count) {
    if (type.real)
      in_.refuse(fmt::format("values of type {} where whole numbers must be", type.name));
    in_.checked(count, "values", smallest(type));
    std::vector<std::int64_t> values;
    for (std::size_t i = 0; i < count; ++i) values.push_back(integer(type));
    return values;
  }

  Input& in_;
  bool binary_ = false;
  bool of_cells_ = false;
  std::uint64_t values_ = 0;  // number of points or cells
  int rank_ = -1;             // of the attributes' array
  VtkGrid grid_;
};

}  // namespace

RawMesh read_vtk(Input& input, std::string_view first_line) {
  return VtkFile(input, first_line).read();
}

}  // namespace kolam::meshes
