// SPDX-License-Identifier: Apache-2.0
// Access to the HDF5 library: one thread at a time, errors as exceptions.
#pragma once

#include <hdf5.h>

#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace kolam::hdf5 {

/// An HDF5 identifier that is closed by its destructor.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);

  Handle() = default;
  Handle(hid_t id, Close closer) : id_(id), close_(closer) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }

  hid_t get() const { return id_; }
  /// Closes the identifier now and returns HDF5's status.
  herr_t close() { return close_(std::exchange(id_, -1)); }

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

/// Exclusive access to HDF5 for this thread; HDF5 prints nothing meanwhile. Errors are thrown as
/// FileError "<context>: <what>; HDF5 says '<its innermost sentence>'<remedy>".
/// Handles must be closed before their session ends.
class Session {
 public:
  explicit Session(std::string context, std::string remedy = {}, const int* watched = nullptr);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

  /// Returns an owner of `id`. Throws as check() does.
  Handle own(hid_t id, Handle::Close close, std::string_view what) const {
    check(id, what);
    return {id, close};
  }
  /// Returns `status`, the result of an HDF5 function. Throws FileError if it is negative or if the
  /// watched file has an error.
  template <class Status>
  Status check(Status status, std::string_view what) const {
    if (status < 0 || (watched_ != nullptr && *watched_ != 0)) fail_with_reason(what);
    return status;
  }
  [[noreturn]] void fail(std::string_view what) const;

  /// Watches the errno of a file in use (see FileState) for check() to throw; null: none.
  void watch(const int* error) { watched_ = error; }

 private:
  [[noreturn]] void fail_with_reason(std::string_view what) const;

  std::unique_lock<std::mutex> lock_;
  std::string context_;
  std::string remedy_;
  const int* watched_;
  H5E_auto2_t printer_ = nullptr;
  void* printer_data_ = nullptr;
};

/// Returns the properties of transfers, for all reads and writes.
Handle transfer(const Session& session);
/// Returns creation properties without time stamps, so that the same content gives the same bytes.
Handle creation(const Session& session, hid_t property_class);

}  // namespace kolam::hdf5
