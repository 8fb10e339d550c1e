// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <kolam/core/backend.hpp>
#include <kolam/core/version.hpp>

namespace kolam {
namespace {

using ::testing::MatchesRegex;

TEST(BuildInfo, HasNoEmptyField) {
  const BuildInfo& b = build_info();

  for (const std::string* field : {&b.version, &b.git_commit, &b.build_type, &b.compiler,
                                   &b.compiler_flags, &b.kokkos_version, &b.kokkos_source}) {
    EXPECT_FALSE(field->empty()) << "field " << field - &b.version;
  }
  EXPECT_THAT(b.version, MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+"));
  EXPECT_THAT(b.kokkos_version, MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+"));
  EXPECT_THAT(b.compiler_flags, ::testing::Not(::testing::HasSubstr("SHELL:")));
  EXPECT_THAT(b.kokkos_source, MatchesRegex("(system|archive|registry|parent).*"));
}

TEST(BuildInfo, NamesTheBackends) {
  std::vector<std::string> names;
  for (const Backend backend : backends()) names.emplace_back(name(backend));

  EXPECT_EQ(build_info().backends, names);
}

}  // namespace
}  // namespace kolam
