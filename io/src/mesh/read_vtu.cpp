// SPDX-License-Identifier: Apache-2.0
// VTK's XML format of unstructured grids (VTU).
#include <expat.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <kolam/core/error.hpp>
#include <memory>
#include <string>
#include <utility>

#include "input.hpp"
#include "raw_mesh.hpp"
#include "vtk_cells.hpp"
#include "vtu_data.hpp"

namespace kolam::meshes {
namespace {

// An array of Points, Cells or CellData that a mesh needs.
struct DataArray {
  std::string name;
  std::string type;
  std::string format = "ascii";
  std::string components = "1";
  std::string offset = "0";
  std::string text;  // its contents
  std::uint64_t line = 0;
};

class VtuFile {
 public:
  explicit VtuFile(const Input& input) : in_(input), parser_(XML_ParserCreate(nullptr)) {
    if (!parser_) throw std::bad_alloc();
  }

  RawMesh read() {
    parse();
    if (!seen_piece_) refuse_to_read(in_.path(), "there is no Piece of an UnstructuredGrid in it");
    VtkGrid grid;
    grid.old_edges = version_ < 2.1;
    const std::vector<double> x = numbers<double>(points_, "Points", 3 * point_count_, "3");
    grid.points.resize(static_cast<std::size_t>(point_count_));
    for (std::size_t i = 0; i < grid.points.size(); ++i)
      std::copy_n(x.data() + 3 * i, 3, grid.points[i].begin());
    grid.ends = numbers<std::int64_t>(ends_, "offsets", cell_count_, "1");
    const std::int64_t all = grid.ends.empty() ? 0 : grid.ends.back();
    if (all < 0) refuse_to_read(in_.path(), fmt::format("the cells have {} points", all));
    grid.connectivity =
        numbers<std::int64_t>(connectivity_, "connectivity", static_cast<std::uint64_t>(all), "1");
    grid.types = numbers<std::int64_t>(types_, "types", cell_count_, "1");
    if (!attributes_.type.empty())
      grid.attributes = numbers<std::int64_t>(attributes_, "attributes", cell_count_, "1");
    return mesh_of_vtk(in_.path(), grid);
  }

 private:
  // (Exceptions must not pass through the parser: errors are kept, and thrown after it returns.)
  void parse() {
    XML_SetUserData(parser_.get(), this);
    XML_SetElementHandler(parser_.get(), &VtuFile::start, &VtuFile::end);
    XML_SetCharacterDataHandler(parser_.get(), &VtuFile::characters);
    XML_SetStartDoctypeDeclHandler(parser_.get(), &VtuFile::doctype);
    constexpr std::size_t chunk = std::size_t{1} << 20;
    const std::string_view bytes = in_.bytes();
    bool last = false;
    for (std::size_t at = 0; !last; at += chunk) {
      const std::string_view part = bytes.substr(at, chunk);
      last = at + chunk >= bytes.size();
      if (XML_Parse(parser_.get(), part.data(), static_cast<int>(part.size()), last) ==
          XML_STATUS_OK)
        continue;
      if (!wrong_.empty()) refuse(line(), wrong_);
      if (appended_ != std::string_view::npos) {
        if (bytes.find("</VTKFile>", appended_) == std::string_view::npos)
          refuse_to_read(in_.path(), "the file ends within its appended data; it is not complete");
        return;
      }
      refuse(line(),
             fmt::format("this is no XML ({})", XML_ErrorString(XML_GetErrorCode(parser_.get()))));
    }
  }
  std::uint64_t line() const { return XML_GetCurrentLineNumber(parser_.get()); }
  [[noreturn]] void refuse(std::uint64_t at, const std::string& reason) const {
    throw FileError(fmt::format("cannot read '{}', line {}: {}", in_.path().string(), at, reason));
  }
  void stop(std::string reason) {
    if (wrong_.empty()) wrong_ = std::move(reason);
    XML_StopParser(parser_.get(), XML_FALSE);
  }

  static VtuFile& self(void* user) { return *static_cast<VtuFile*>(user); }
  static void start(void* user, const XML_Char* name, const XML_Char** attributes) {
    self(user).begin(name, attributes);
  }
  static void end(void* user, const XML_Char*) {
    VtuFile& file = self(user);
    if (file.path_.size() == array_depth) file.current_ = nullptr;
    if (!file.path_.empty()) file.path_.pop_back();
  }
  static void characters(void* user, const XML_Char* text, int length) {
    VtuFile& file = self(user);
    if (file.current_ != nullptr && file.path_.size() == array_depth)
      file.current_->text.append(text, static_cast<std::size_t>(length));
  }
  static void doctype(void* user, const XML_Char*, const XML_Char*, const XML_Char*, int) {
    self(user).stop("a document type is declared; files of VTK have none");
  }

  static const char* value(const XML_Char** attributes, std::string_view name,
                           const char* otherwise) {
    for (; *attributes != nullptr; attributes += 2)
      if (name == attributes[0]) return attributes[1];
    return otherwise;
  }
  std::uint64_t count(const XML_Char** attributes, const char* name) {
    const std::string_view text = value(attributes, name, "");
    std::uint64_t result = 0;
    const auto [stopped, error] = std::from_chars(text.data(), text.data() + text.size(), result);
    // (Each item takes at least one byte, and zlib packs at most 1032 bytes into one.)
    if (error != std::errc() || stopped != text.data() + text.size() ||
        result / 2048 > in_.bytes().size())
      stop(fmt::format("{} is '{}', which cannot be", name, text.substr(0, 40)));
    return result;
  }

  void begin(std::string_view name, const XML_Char** attributes) {
    const std::string parent = path_.empty() ? "" : path_.back();
    path_.emplace_back(name);
    if (path_.size() == 1) {
      begin_file(name, attributes);
    } else if (name == "Piece") {
      const std::uint64_t points = count(attributes, "NumberOfPoints");
      const std::uint64_t cells = count(attributes, "NumberOfCells");
      if (points == 0 && cells == 0) return;
      if (seen_piece_)
        stop("a second piece; save the grid as one (in ParaView, the filter Merge Blocks)");
      seen_piece_ = true;
      point_count_ = points;
      cell_count_ = cells;
    } else if (name == "AppendedData") {
      begin_appended(attributes);
    } else if (name == "DataArray" && path_.size() == array_depth) {
      begin_array(parent, attributes);
    }
  }
  void begin_file(std::string_view name, const XML_Char** attributes) {
    const std::string_view type = value(attributes, "type", "");
    if (name != "VTKFile" || type != "UnstructuredGrid") {
      stop(fmt::format("<{} type=\"{}\">, where a mesh has <VTKFile type=\"UnstructuredGrid\">{}",
                       name.substr(0, 40), type.substr(0, 40),
                       type.starts_with('P') ? "; read the files that this one names" : ""));
      return;
    }
    const std::string_view version = value(attributes, "version", "0.1");
    std::from_chars(version.data(), version.data() + version.size(), version_);
    encoding_.big =
        std::string_view(value(attributes, "byte_order", "LittleEndian")) == "BigEndian";
    encoding_.wide = std::string_view(value(attributes, "header_type", "UInt32")) == "UInt64";
    const std::string_view compressor = value(attributes, "compressor", "");
    encoding_.compressed = !compressor.empty();
    if (encoding_.compressed && compressor != "vtkZLibDataCompressor")
      stop(fmt::format("data compressed by {}; save it with vtkZLibDataCompressor, or without",
                       compressor.substr(0, 40)));
  }
  // Stops at the bytes after an underscore, to which arrays refer by offsets; they are no XML.
  void begin_appended(const XML_Char** attributes) {
    base64_ = std::string_view(value(attributes, "encoding", "base64")) == "base64";
    const auto at = static_cast<std::size_t>(XML_GetCurrentByteIndex(parser_.get()));
    const std::size_t end = in_.bytes().find('>', at);
    const std::size_t mark = in_.bytes().find('_', end);
    if (end == std::string_view::npos || mark == std::string_view::npos)
      return stop("appended data begin with an underscore, and there is none");
    appended_ = mark + 1;
    XML_StopParser(parser_.get(), XML_FALSE);
  }
  void begin_array(const std::string& parent, const XML_Char** attributes) {
    const std::string name = value(attributes, "Name", "");
    DataArray* array = nullptr;
    if (parent == "Points") {
      array = &points_;
    } else if (parent == "Cells") {
      array = name == "connectivity" ? &connectivity_
              : name == "offsets"    ? &ends_
              : name == "types"      ? &types_
                                     : nullptr;
    } else if (parent == "CellData") {
      const int rank = rank_of_attributes(name);
      if (rank >= 0 && (attributes_.type.empty() || rank < rank_)) {
        rank_ = rank;
        attributes_ = {};
        array = &attributes_;
      }
    }
    if (array == nullptr) return;
    array->name = name;
    array->type = value(attributes, "type", "Float64");
    array->format = value(attributes, "format", "ascii");
    array->components = value(attributes, "NumberOfComponents", "1");
    array->offset = value(attributes, "offset", "0");
    array->line = line();
    current_ = array;
  }

  template <class V>
  std::vector<V> numbers(const DataArray& array, const char* what, std::uint64_t wanted,
                         const char* components) const {
    if (array.type.empty()) {
      if (wanted == 0) return {};
      refuse_to_read(in_.path(), fmt::format("there is no array of {} in it", what));
    }
    const Refuse give_up = [&](const std::string& reason) {
      refuse(array.line, fmt::format("{} ({})", reason, what));
    };
    const VtuType type = vtu_type(array.type);
    if (type.bytes == 0) give_up(fmt::format("values of type '{}'", array.type.substr(0, 40)));
    if (array.components != components)
      give_up(fmt::format("{} components, where there must be {}", array.components.substr(0, 40),
                          components));
    if (array.format == "ascii") return vtu_numbers<V>(array.text, wanted, give_up);
    if (array.format == "binary")
      return vtu_numbers<V>(array.text, true, type, encoding_, wanted, give_up);
    if (array.format != "appended" || appended_ == std::string_view::npos)
      give_up(fmt::format("data of format '{}', which are not in it", array.format.substr(0, 40)));
    std::uint64_t offset = 0;
    const auto [stopped, error] =
        std::from_chars(array.offset.data(), array.offset.data() + array.offset.size(), offset);
    if (error != std::errc() || stopped != array.offset.data() + array.offset.size() ||
        offset > in_.bytes().size() - appended_)
      give_up(fmt::format("offset '{}'", array.offset.substr(0, 40)));
    return vtu_numbers<V>(in_.bytes().substr(appended_ + static_cast<std::size_t>(offset)), base64_,
                          type, encoding_, wanted, give_up);
  }

  // Depth of VTKFile, UnstructuredGrid, Piece, CellData, DataArray.
  static constexpr std::size_t array_depth = 5;
  struct Free {
    void operator()(XML_Parser parser) const { XML_ParserFree(parser); }
  };

  const Input& in_;
  std::unique_ptr<std::remove_pointer_t<XML_Parser>, Free> parser_;
  std::string wrong_;
  std::vector<std::string> path_;  // open elements
  DataArray* current_ = nullptr;
  double version_ = 0;
  VtuEncoding encoding_;
  bool base64_ = true;  // encoding of appended data
  std::size_t appended_ = std::string_view::npos;
  bool seen_piece_ = false;
  std::uint64_t point_count_ = 0;
  std::uint64_t cell_count_ = 0;
  DataArray points_, connectivity_, ends_, types_, attributes_;
  int rank_ = 0;
};

}  // namespace

RawMesh read_vtu(Input& input) { return VtuFile(input).read(); }

}  // namespace kolam::meshes
