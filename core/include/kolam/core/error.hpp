// SPDX-License-Identifier: Apache-2.0
// The errors of kolam. Every text names the object, the value and the remedy.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace kolam {

/// Base of everything kolam throws on purpose.
class Error : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// An argument or an input file is wrong; nothing was done.
class InvalidArgument : public Error {
  using Error::Error;
};

/// The backend asked for is not compiled into this build.
class BackendUnavailable : public Error {
  using Error::Error;
};

/// A backend is compiled in but its device is absent or cannot run this build.
class DeviceUnavailable : public Error {
  using Error::Error;
};

/// kolam is used before a Runtime exists or after Kokkos was finalised.
class NotRunning : public Error {
  using Error::Error;
};

/// A file cannot be written or read; the text names it.
class FileError : public Error {
  using Error::Error;
};

/// Processes cannot talk to each other, or one of them is gone. The others should end as well.
class CommunicationError : public Error {
  using Error::Error;
};

/// Memory is short. What asked for it is still usable.
class OutOfMemory : public Error {
 public:
  /// `label` asked for `requested` bytes in `space`, where `available` bytes were free.
  OutOfMemory(const std::string& label, const std::string& space, std::uint64_t requested,
              std::uint64_t available);
  /// For another kind of shortage, which `text` explains.
  OutOfMemory(const std::string& text, std::uint64_t requested, std::uint64_t available)
      : Error(text), requested_(requested), available_(available) {}

  /// Bytes that were asked for.
  std::uint64_t requested() const noexcept { return requested_; }
  /// Bytes that were free when it was asked.
  std::uint64_t available() const noexcept { return available_; }

 private:
  std::uint64_t requested_;
  std::uint64_t available_;
};

/// `bytes` for a person, in binary units: "1.50 GiB".
std::string format_bytes(std::uint64_t bytes);

}  // namespace kolam
