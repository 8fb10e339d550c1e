// SPDX-License-Identifier: Apache-2.0
#include "hdf5/driver.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <new>

#include "positioned.hpp"
#if __has_include(<H5FDdevelop.h>)
#include <H5FDdevelop.h>  // declarations for drivers in HDF5 1.14
#endif

namespace kolam::hdf5 {
namespace {

// HDF5 fills `common`, which must be the first member.
struct DriverFile {
  H5FD_t common;
  FileState* state;
  haddr_t allocated;
  haddr_t end;
};

DriverFile& of(H5FD_t* file) { return *reinterpret_cast<DriverFile*>(file); }
const DriverFile& of(const H5FD_t* file) { return *reinterpret_cast<const DriverFile*>(file); }

// (HDF5 calls it twice for a file: first to see whether the file exists.)
extern "C" H5FD_t* driver_open(const char*, unsigned, hid_t access, haddr_t) {
  const void* const information = H5Pget_driver_info(access);
  if (information == nullptr) return nullptr;
  auto* const file = new (std::nothrow) DriverFile{};
  if (file == nullptr) return nullptr;
  std::memcpy(&file->state, information, sizeof(void*));
  struct stat status{};
  if (::fstat(file->state->descriptor, &status) == 0) {
    file->end = static_cast<haddr_t>(status.st_size);
  }
  return &file->common;
}

extern "C" herr_t driver_close(H5FD_t* file) {
  delete &of(file);
  return 0;
}

extern "C" herr_t driver_query(const H5FD_t*, unsigned long* features) {
  if (features != nullptr) {
    *features = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA |
                H5FD_FEAT_DATA_SIEVE | H5FD_FEAT_AGGREGATE_SMALLDATA;
  }
  return 0;
}

extern "C" haddr_t driver_get_eoa(const H5FD_t* file, H5FD_mem_t) { return of(file).allocated; }
extern "C" herr_t driver_set_eoa(H5FD_t* file, H5FD_mem_t, haddr_t address) {
  of(file).allocated = address;
  return 0;
}
extern "C" haddr_t driver_get_eof(const H5FD_t* file, H5FD_mem_t) { return of(file).end; }

extern "C" herr_t driver_read(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, size_t bytes,
                              void* to) {
  auto* out = static_cast<char*>(to);
  const FileState& state = *of(file).state;
  while (bytes > 0 && state.error == 0) {
    const ssize_t got = ::pread(state.descriptor, out, bytes, static_cast<off_t>(address));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) of(file).state->error = errno;
    if (got <= 0) break;
    out += got;
    address += static_cast<haddr_t>(got);
    bytes -= static_cast<std::size_t>(got);
  }
  std::memset(out, 0, bytes);
  return 0;
}

extern "C" herr_t driver_write(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, size_t bytes,
                               const void* from) {
  FileState& state = *of(file).state;
  of(file).end = std::max(of(file).end, address + bytes);
  if (state.error == 0) state.error = write_at(state.descriptor, from, bytes, address);
  return 0;
}

extern "C" herr_t driver_truncate(H5FD_t* file, hid_t, hbool_t) {
  FileState& state = *of(file).state;
  if (state.error == 0 && of(file).end != of(file).allocated &&
      ::ftruncate(state.descriptor, static_cast<off_t>(of(file).allocated)) != 0) {
    state.error = errno;
  }
  of(file).end = of(file).allocated;
  return 0;
}

H5FD_class_t driver_class() {
  H5FD_class_t driver{};
#ifdef H5FD_CLASS_VERSION
  driver.version = H5FD_CLASS_VERSION;
  driver.value = static_cast<H5FD_class_value_t>(512);  // the first unregistered value
#endif
  driver.name = "kolam";
  driver.maxaddr = static_cast<haddr_t>(std::numeric_limits<off_t>::max());
  driver.fc_degree = H5F_CLOSE_WEAK;
  driver.fapl_size = sizeof(void*);  // a pointer to a FileState
  driver.open = driver_open;
  driver.close = driver_close;
  driver.query = driver_query;
  driver.get_eoa = driver_get_eoa;
  driver.set_eoa = driver_set_eoa;
  driver.get_eof = driver_get_eof;
  driver.read = driver_read;
  driver.write = driver_write;
  driver.truncate = driver_truncate;
  return driver;
}

}  // namespace

Handle file_access(const Session& session, FileState* state) {
  Handle access = session.own(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "no access properties");
  // The newest format that 1.10 reads: all of its metadata has checksums.
  session.check(H5Pset_libver_bounds(access.get(), H5F_LIBVER_V110, H5F_LIBVER_V110),
                "no file format of HDF5 1.10");
  const H5FD_class_t driver = driver_class();
  const Handle id = session.own(H5FDregister(&driver), H5FDunregister, "no driver");
  session.check(H5Pset_driver(access.get(), id.get(), &state), "no driver");
  return access;
}

OutputFile::OutputFile(Session& session, int descriptor)
    : session_(session), state_{.descriptor = descriptor} {
  const Handle access = file_access(session, &state_);
  const Handle properties = creation(session, H5P_FILE_CREATE);
  session.check(H5Pset_attr_phase_change(properties.get(), 65535, 0), "attributes");
  session.watch(&state_.error);
  file_ = session.own(H5Fcreate("kolam", H5F_ACC_TRUNC, properties.get(), access.get()), H5Fclose,
                      "the file");
}

OutputFile::~OutputFile() { session_.watch(nullptr); }

void OutputFile::finish() {
  session_.check(H5Fflush(file_.get(), H5F_SCOPE_GLOBAL), "the end of the file");
  session_.check(file_.close(), "the end of the file");
}

}  // namespace kolam::hdf5
