// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <kolam/io/hdf5.hpp>
#include <kolam/io/vtkhdf.hpp>

#include "checkpoint_samples.hpp"
#include "temporary_folder.hpp"

namespace kolam {
namespace {

using ::testing::HasSubstr;
using testing::TemporaryFolder;

TEST(Hdf5, HasAVersionOrSaysHowToGetIt) {
  if (hdf5_version()) {
    EXPECT_THAT(*hdf5_version(), ::testing::MatchesRegex("[0-9]+[.][0-9]+[.][0-9]+"));
    return;
  }
  const TemporaryFolder folder;
  const testing::SampleField<float, 2> u("u", {3, 2}, {1, 1});
  for (const std::string& text :
       {testing::file_error_of([&] {
          write_checkpoint<float, 2>(folder / "c", testing::sample_header({3, 2}), {u.field});
        }),
        testing::file_error_of([&] { CheckpointReader(folder / "c"); }),
        testing::file_error_of(
            [&] { write_vtkhdf<float, 2>(folder / "c", {.extents = {3, 2}}, {u.field}); })}) {
    EXPECT_THAT(text, HasSubstr((folder / "c").string()));
    EXPECT_THAT(text, HasSubstr("libhdf5-dev"));
    EXPECT_THAT(text, HasSubstr("-DKOLAM_HDF5=on"));
  }
  EXPECT_EQ(folder.count(), 0);
}

}  // namespace
}  // namespace kolam
