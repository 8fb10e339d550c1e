// SPDX-License-Identifier: Apache-2.0
#include "mesh_options.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "help.hpp"
#include "mesh_input.hpp"
#include "option_table.hpp"

namespace kolam::app {

void add_mesh(CLI::App& app, MeshTexts& texts) {
  CLI::App& mesh =
      *app.add_subcommand("mesh", "Describe, refine and convert a mesh of Gmsh, MFEM or VTK");
  mesh.add_option("FILE", texts.file, "The mesh")->option_text(" ");
  add(mesh, "--refine", texts.refine, "N", "Halve its elements N times [0]");
  add(mesh, "--order", texts.order, "P", "Give its geometry the order P, 1 to 10 [its own]");
  add(mesh, "--parts", texts.parts, "N", "Print what cutting it into N parts costs");
  add(mesh, "--partition", texts.partition, "NAME",
      "How it is cut: hilbert, rcb, metis or scotch [hilbert]");
  add(mesh, "--output", texts.output, "FILE",
      "Write it for Gmsh (FILE ends with .msh) or MFEM (.mesh)");
  add(mesh, "--output-parts", texts.output_parts, "FILE",
      "Write the --parts for MFEM and kolam: FILE.000000 and so on");
  add(mesh, "--image", texts.image, "FILE.png",
      "Draw its elements (3D: its surface) in colours of the attributes");
  add(mesh, "--json", texts.json, "FILE",
      "Write the output as JSON to FILE, or (-) to stdout and nothing else");
  mesh.footer(mesh_footer());
}

MeshRequest mesh_request(const MeshTexts& texts) {
  partitioner_of_text(texts.partition);  // (checked even without a file)
  if (texts.file.empty())
    throw InvalidArgument("no file given; say which mesh, see kolam mesh --help");
  MeshRequest request;
  request.input = mesh_input(texts.file, texts.refine, "--order", texts.order, texts.partition);
  if (!texts.parts.empty()) request.parts = parse_count("--parts", texts.parts);
  if (!texts.partition.empty() && texts.parts.empty()) {
    throw InvalidArgument(fmt::format("--partition {}: give --parts N as well, the number of parts",
                                      texts.partition));
  }
  request.output = texts.output;
  if (!request.output.empty()) {
    const std::string ending = std::filesystem::path(request.output).extension();
    if (ending != ".msh" && ending != ".mesh") {
      throw InvalidArgument(fmt::format(
          "--output {}: a mesh ends with .msh (for Gmsh) or .mesh (for MFEM)", request.output));
    }
    check_output("--output", request.output);
  }
  request.output_parts = texts.output_parts;
  if (!request.output_parts.empty()) {
    if (texts.parts.empty()) {
      throw InvalidArgument(fmt::format(
          "--output-parts {}: give --parts N as well, the number of parts", request.output_parts));
    }
    check_output("--output-parts", request.output_parts + ".000000");
  }
  request.image = texts.image;
  if (!request.image.empty()) check_picture("--image", request.image);
  request.json = texts.json;
  if (!request.json.empty()) check_output("--json", request.json);
  check_all_distinct(
      {{"--json", request.json}, {"--image", request.image}, {"--output", request.output}});
  return request;
}

}  // namespace kolam::app
