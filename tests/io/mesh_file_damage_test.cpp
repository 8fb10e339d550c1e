// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>
#include <kolam/core/error.hpp>
#include <kolam/io/file.hpp>
#include <kolam/io/mesh_file.hpp>
#include <random>

#include "mesh_texts.hpp"

namespace kolam::mesh_file_damage_test {
namespace {

using testing::content;
using ::testing::HasSubstr;
using testing::recorded;
using testing::TemporaryFolder;

// Any damage gives a mesh or a FileError, and nothing else.
class DamagedMeshFile : public ::testing::TestWithParam<const char*> {
 protected:
  void read(const std::string& bytes) {
    write_file(folder_ / "mesh", bytes);
    try {
      read_mesh(folder_ / "mesh");
      ++meshes_;
    } catch (const FileError& e) {
      EXPECT_THAT(e.what(), HasSubstr((folder_ / "mesh").string()));
      ++errors_;
    }
  }
  const std::string whole_ = content(recorded / GetParam());
  const TemporaryFolder folder_;
  std::mt19937 random_{5};
  int meshes_ = 0;
  int errors_ = 0;
};

TEST_P(DamagedMeshFile, ThatEndsEarly) {
  const std::size_t step = std::max<std::size_t>(1, whole_.size() / 100);
  for (std::size_t size = 0; size + 20 < whole_.size(); size += step) read(whole_.substr(0, size));
  // (VTK's legacy format has no end mark: a file cut between two sections may be a valid mesh.)
  const bool has_end = std::string_view(GetParam()).find(".vtk") == std::string_view::npos;
  EXPECT_LE(meshes_, has_end ? 0 : 4);
}
TEST_P(DamagedMeshFile, WithOtherBytes) {
  for (int i = 0; i < 200; ++i) {
    std::string bytes = whole_;
    for (int damage = 0; damage <= i % 3; ++damage) {
      // (Half of the damage is in the part with headers and counts.)
      const std::size_t range =
          i % 2 == 0 ? bytes.size() : std::min<std::size_t>(bytes.size(), 600);
      bytes[random_() % range] ^= static_cast<char>(1 + random_() % 255);
    }
    read(bytes);
  }
  EXPECT_GT(errors_, 0);
}
TEST_P(DamagedMeshFile, WithOtherNumbers) {
  const char* const numbers[] = {"-1",
                                 "0",
                                 "1",
                                 "7",
                                 "2147483647",
                                 "-2147483648",
                                 "2147483648",
                                 "4611686018427387904",
                                 "18446744073709551615",
                                 "1e999",
                                 "$End"};
  for (int i = 0; i < 300; ++i) {
    const std::size_t range =
        i % 2 == 0 ? whole_.size() : std::min<std::size_t>(whole_.size(), 600);
    const std::size_t begin = whole_.find_first_of("0123456789", random_() % range);
    if (begin == std::string::npos) continue;
    const std::size_t end = whole_.find_first_not_of("0123456789", begin);
    read(whole_.substr(0, begin) + numbers[static_cast<std::size_t>(i) % std::size(numbers)] +
         (end == std::string::npos ? "" : whole_.substr(end)));
  }
  EXPECT_GT(errors_, 0);
}
// Overwrites binary words with extreme counts such as 2^62.
TEST_P(DamagedMeshFile, WithOtherWords) {
  for (int i = 0; i < 200; ++i) {
    std::string bytes = whole_;
    const std::size_t range = i % 2 == 0 ? bytes.size() : std::min<std::size_t>(bytes.size(), 2000);
    const std::size_t at = random_() % (range - 8);
    const std::uint64_t words[] = {~std::uint64_t{0}, std::uint64_t{1} << 62,
                                   std::uint64_t{1} << 31, 0};
    std::memcpy(bytes.data() + at, &words[static_cast<std::size_t>(i) % 4], 8);
    read(bytes);
  }
  EXPECT_GT(errors_, 0);
}
INSTANTIATE_TEST_SUITE_P(
    Formats, DamagedMeshFile,
    ::testing::Values("ellipse-2d-order1-2.2-text.msh", "ellipse-2d-order3-2.2-binary.msh",
                      "ellipse-2d-order3-4.1-text.msh", "ellipse-3d-order2-4.1-binary.msh",
                      "turned-2d-h1-order3.mesh", "turned-2d-l2-order4.mesh",
                      "ellipse-2d-order3-5.1-text.vtk", "box-3d-order4-4.2-binary.vtk",
                      "ellipse-2d-order1-text.vtu", "ellipse-2d-order3-zlib.vtu",
                      "ellipse-3d-order2-raw-zlib.vtu", "box-3d-order4-base64.vtu"));

}  // namespace
}  // namespace kolam::mesh_file_damage_test
