// SPDX-License-Identifier: Apache-2.0
// What this library is and how it was built, as data.
#pragma once

#include <string>
#include <vector>

namespace kolam {

/// Everything that is fixed when the library is compiled.
struct BuildInfo {
  std::string version;         ///< of kolam: "major.minor.patch"
  std::string git_commit;      ///< abbreviated, "-dirty" appended; "unknown" outside a checkout
  std::string build_type;      ///< CMake's: Release, Debug, ...
  std::string compiler;        ///< name and version
  std::string compiler_flags;  ///< CMAKE_CXX_FLAGS and those of the build type
  std::string kokkos_version;  ///< "major.minor.patch"
  std::string kokkos_source;   ///< system and its folder, archive, registry or parent project
  std::vector<std::string> backends;  ///< compiled in, fastest first
};

/// The build information of the library that is linked in.
const BuildInfo& build_info();

}  // namespace kolam
