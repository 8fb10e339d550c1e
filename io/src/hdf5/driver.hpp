// SPDX-License-Identifier: Apache-2.0
// The HDF5 driver for files that are already open.
#pragma once

#include "hdf5/session.hpp"

namespace kolam::hdf5 {

/// The state of a file that HDF5 uses.
///
/// HDF5 does not recover from a failed write: it tries again when handles are closed, where errors
/// cannot be reported, and when the program ends, where it crashes; until then the disk space stays
/// in use. These files therefore have their own driver, which always reports success to HDF5. It
/// keeps the first error and writes nothing afterwards; the session's next check throws the error.
struct FileState {
  int descriptor;  ///< must stay open while HDF5 uses the file
  int error = 0;   ///< errno of the first error
};

/// Returns access properties for `state`, which must outlive the HDF5 file.
Handle file_access(const Session& session, FileState* state);

/// A new HDF5 file, written to an empty file.
class OutputFile {
 public:
  /// Makes the HDF5 file. The caller keeps `descriptor`.
  OutputFile(Session& session, int descriptor);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  hid_t get() const { return file_.get(); }
  /// Flushes and closes the file. All other handles must be closed.
  void finish();

 private:
  Session& session_;
  FileState state_;
  Handle file_;
};

}  // namespace kolam::hdf5
