// SPDX-License-Identifier: Apache-2.0
// The attribute that tells VTK the kind of data in a file.
#pragma once

#include <string_view>

#include "hdf5/session.hpp"

namespace kolam::hdf5 {

/// Writes `name` as ASCII text without padding, as VTK expects it.
inline void write_vtk_type(const Session& session, hid_t group, std::string_view name) {
  const Handle type = session.own(H5Tcopy(H5T_C_S1), H5Tclose, "text type");
  session.check(H5Tset_size(type.get(), name.size()), "text type");
  session.check(H5Tset_strpad(type.get(), H5T_STR_NULLPAD), "text type");
  const Handle space = session.own(H5Screate(H5S_SCALAR), H5Sclose, "dataspace");
  const Handle attribute =
      session.own(H5Acreate2(group, "Type", type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT),
                  H5Aclose, "attribute 'Type'");
  session.check(H5Awrite(attribute.get(), type.get(), name.data()), "attribute 'Type'");
}

}  // namespace kolam::hdf5
