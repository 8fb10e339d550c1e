// SPDX-License-Identifier: Apache-2.0
#include "option_table.hpp"

#include <kolam/io/hdf5.hpp>

namespace kolam::app {

void require_hdf5(const std::string& option, const std::string& file) {
  if (file.empty() || hdf5_version()) return;
  throw InvalidArgument(fmt::format(
      "{} {}: this kolam was built without HDF5; build it with -DKOLAM_HDF5=on", option, file));
}

void check_all_distinct(const std::vector<std::pair<const char*, std::string>>& files) {
  for (std::size_t a = 0; a < files.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      if (!files[a].second.empty() && !files[b].second.empty())
        check_distinct(files[a].first, files[a].second, files[b].first, files[b].second);
    }
  }
}

}  // namespace kolam::app
