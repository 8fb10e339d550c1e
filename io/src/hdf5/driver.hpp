// SPDX-License-Identifier: Apache-2.0
// Where HDF5's bytes come from and go to: a file that is open already.
#pragma once

#include "hdf5/session.hpp"

namespace kolam::hdf5 {

/// A file for HDF5's use.
///
/// HDF5 does not get over a write that fails: it tries again when handles are closed, where nobody
/// can be told, and when the program ends, where it crashes; the disk keeps its space until then.
/// So these files have a driver of their own, which never fails in HDF5's eyes. The first error is
/// kept, nothing is written from then on, and the session's next check throws it.
struct FileState {
  int descriptor;  ///< must stay open while HDF5 has the file
  int error = 0;   ///< errno
};

/// Access properties for `state`, which must outlive the HDF5 file.
Handle file_access(const Session& session, FileState* state);

/// A new HDF5 file in an empty one.
class OutputFile {
 public:
  /// `descriptor` stays the caller's.
  OutputFile(Session& session, int descriptor);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  hid_t get() const { return file_.get(); }
  /// Writes what is left and closes the file. All other handles must be closed.
  void finish();

 private:
  Session& session_;
  FileState state_;
  Handle file_;
};

}  // namespace kolam::hdf5
