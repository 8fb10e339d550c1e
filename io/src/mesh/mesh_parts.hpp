// SPDX-License-Identifier: Apache-2.0
// Files with one part of a mesh each.
#pragma once

#include <filesystem>

namespace kolam::meshes {

/// Returns the file name of a part as MFEM spells it: "pipe.mesh.000003".
std::filesystem::path path_of_part(const std::filesystem::path& path, int part);

}  // namespace kolam::meshes
