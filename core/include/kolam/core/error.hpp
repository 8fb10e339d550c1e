// SPDX-License-Identifier: Apache-2.0
// The exceptions of kolam. Every message names the object, the value and the remedy.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace kolam {

/// The base class of all exceptions that kolam itself throws.
class Error : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A wrong argument or input file; nothing was done.
class InvalidArgument : public Error {
  using Error::Error;
};

/// A request for a backend that is not compiled into this build.
class BackendUnavailable : public Error {
  using Error::Error;
};

/// A backend that is compiled in but whose device is absent or cannot run this build.
class DeviceUnavailable : public Error {
  using Error::Error;
};

/// A use of kolam before a Runtime exists or after Kokkos was finalised.
class NotRunning : public Error {
  using Error::Error;
};

/// A file that cannot be written or read; the message names it.
class FileError : public Error {
  using Error::Error;
};

/// A failed communication between processes, or a lost process. All other processes should end too.
class CommunicationError : public Error {
  using Error::Error;
};

/// A shortage of memory. The object that requested it is still usable.
class OutOfMemory : public Error {
 public:
  /// Reports that `label` requested `requested` bytes in `space`, with `available` bytes free.
  OutOfMemory(const std::string& label, const std::string& space, std::uint64_t requested,
              std::uint64_t available);
  /// Reports another kind of shortage, which `text` explains.
  OutOfMemory(const std::string& text, std::uint64_t requested, std::uint64_t available)
      : Error(text), requested_(requested), available_(available) {}

  /// Returns the requested bytes.
  std::uint64_t requested() const noexcept { return requested_; }
  /// Returns the bytes that were free at the request.
  std::uint64_t available() const noexcept { return available_; }

 private:
  std::uint64_t requested_;
  std::uint64_t available_;
};

/// Returns `bytes` as readable text in binary units: "1.50 GiB".
std::string format_bytes(std::uint64_t bytes);

}  // namespace kolam
