// SPDX-License-Identifier: Apache-2.0
#include "mesh_options.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "help.hpp"
#include "option_table.hpp"

namespace kolam::app {

void add_mesh(CLI::App& app, MeshTexts& texts) {
  CLI::App& mesh =
      *app.add_subcommand("mesh", "What a mesh of Gmsh or MFEM is; refine and convert it");
  mesh.add_option("FILE", texts.file, "The mesh")->option_text(" ");
  add(mesh, "--refine", texts.refine, "N", "Halve its elements N times [0]");
  add(mesh, "--order", texts.order, "P", "Give its geometry the order P, 1 to 10 [its own]");
  add(mesh, "--output", texts.output, "FILE",
      "Write it for Gmsh (FILE ends with .msh) or MFEM (.mesh)");
  add(mesh, "--json", texts.json, "FILE", "Write it as JSON to FILE, or alone to stdout (-)");
  mesh.footer(mesh_footer());
}

MeshRequest mesh_request(const MeshTexts& texts) {
  if (texts.file.empty())
    throw InvalidArgument("no file given; say which mesh, see kolam mesh --help");
  MeshRequest request;
  request.file = texts.file;
  const auto number = [](const char* option, const std::string& text, int least, int most) {
    const std::int64_t value = parse_integer(option, text);
    if (value < least || value > most)
      throw InvalidArgument(fmt::format("{} {}: it must be {} to {}", option, text, least, most));
    return static_cast<int>(value);
  };
  if (!texts.refine.empty()) request.refine = number("--refine", texts.refine, 0, 15);
  if (!texts.order.empty()) request.order = number("--order", texts.order, 1, 10);
  request.output = texts.output;
  if (!request.output.empty()) {
    const std::string ending = std::filesystem::path(request.output).extension();
    if (ending != ".msh" && ending != ".mesh") {
      throw InvalidArgument(fmt::format(
          "--output {}: a mesh ends with .msh (for Gmsh) or .mesh (for MFEM)", request.output));
    }
    check_output("--output", request.output);
  }
  request.json = texts.json;
  if (!request.json.empty()) check_output("--json", request.json);
  check_all_distinct({{"--json", request.json}, {"--output", request.output}});
  return request;
}

}  // namespace kolam::app
