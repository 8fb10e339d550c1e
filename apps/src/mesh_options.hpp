// SPDX-License-Identifier: Apache-2.0
// The command line of `kolam mesh`.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "options.hpp"

namespace kolam::app {

/// Option values as typed.
struct MeshTexts {
  std::string file, refine, order, parts, partition, output, output_parts, image, json;
};

void add_mesh(CLI::App& app, MeshTexts& texts);

/// Returns the request. Throws as parse_request does.
MeshRequest mesh_request(const MeshTexts& texts);

}  // namespace kolam::app
