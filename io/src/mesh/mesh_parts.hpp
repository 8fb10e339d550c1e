// SPDX-License-Identifier: Apache-2.0
// Files that have one part of a mesh each.
#pragma once

#include <filesystem>

namespace kolam::meshes {

/// "pipe.mesh.000003", as MFEM calls them.
std::filesystem::path path_of_part(const std::filesystem::path& path, int part);

}  // namespace kolam::meshes
