// SPDX-License-Identifier: Apache-2.0
// The version and the build configuration of the library.
#pragma once

#include <string>
#include <vector>

namespace kolam {

/// Properties that are fixed when the library is compiled.
struct BuildInfo {
  std::string version;         ///< kolam's, "major.minor.patch"
  std::string git_commit;      ///< abbreviated, "-dirty" appended; "unknown" outside a checkout
  std::string build_type;      ///< CMake's: Release, Debug, ...
  std::string compiler;        ///< name and version
  std::string compiler_flags;  ///< CMAKE_CXX_FLAGS and the flags of the build type
  std::string kokkos_version;  ///< "major.minor.patch"
  std::string kokkos_source;   ///< origin: installation, archive, registry or parent project
  std::vector<std::string> backends;  ///< compiled in, fastest first
};

/// Returns the build information of the linked library.
const BuildInfo& build_info();

}  // namespace kolam
