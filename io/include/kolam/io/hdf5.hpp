// SPDX-License-Identifier: Apache-2.0
// Whether this build has HDF5, which checkpoints and VTKHDF files need.
#pragma once

#include <optional>
#include <string>

namespace kolam {

/// The version of the HDF5 library in use, "1.10.8"; nothing in a build without it, where
/// everything that needs it throws FileError and says how to get it.
///
/// HDF5 is not thread-safe. kolam's functions lock each other out; a program that calls HDF5 itself
/// must not do so while kolam writes or reads, an AsyncCheckpoint in the background included.
std::optional<std::string> hdf5_version();

}  // namespace kolam
