// SPDX-License-Identifier: Apache-2.0
#include <Kokkos_Macros.hpp>
#include <kolam/core/backend.hpp>
#include <kolam/core/detail/build_config.hpp>
#include <kolam/core/detail/git_revision.hpp>
#include <kolam/core/version.hpp>
#include <string>
#include <string_view>

namespace kolam {
namespace {

// Removes CMake's marks of options that belong together.
std::string without_marks(std::string options) {
  constexpr std::string_view mark = "SHELL:";
  for (auto at = options.find(mark); at != std::string::npos; at = options.find(mark))
    options.erase(at, mark.size());
  return options;
}

}  // namespace

const BuildInfo& build_info() {
  static const BuildInfo info = [] {
    BuildInfo b;
    b.version = KOLAM_VERSION_STRING;
    b.git_commit = KOLAM_GIT_COMMIT;
    b.build_type = KOLAM_BUILD_TYPE;
    b.compiler = KOLAM_COMPILER;
    b.compiler_flags = without_marks(KOLAM_COMPILER_FLAGS);
    b.kokkos_version = std::to_string(KOKKOS_VERSION / 10000) + "." +
                       std::to_string(KOKKOS_VERSION / 100 % 100) + "." +
                       std::to_string(KOKKOS_VERSION % 100);
    b.kokkos_source = KOLAM_KOKKOS_SOURCE;
    for (const Backend backend : backends()) b.backends.emplace_back(name(backend));
    return b;
  }();
  return info;
}

}  // namespace kolam
