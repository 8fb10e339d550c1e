// SPDX-License-Identifier: Apache-2.0
// Availability of HDF5, which checkpoints and VTKHDF files need.
#pragma once

#include <optional>
#include <string>

namespace kolam {

/// Returns the version of the HDF5 library in use, such as "1.10.8"; nothing in a build without
/// HDF5, in which every function that needs HDF5 throws FileError with the remedy.
///
/// HDF5 is not thread-safe. kolam's functions take a lock; a program that calls HDF5 itself must
/// not do so while kolam reads or writes, or while an AsyncCheckpoint writes in the background.
std::optional<std::string> hdf5_version();

}  // namespace kolam
