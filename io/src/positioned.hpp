// SPDX-License-Identifier: Apache-2.0
// Reading and writing at places of a file, and bringing it to the disk, whole or with a reason.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>

namespace kolam {

/// 0, or an errno; a file that ends too early is an input/output error.
inline int read_at(int descriptor, void* to, std::size_t bytes, std::uint64_t at) {
  auto* out = static_cast<char*>(to);
  while (bytes > 0) {
    const ssize_t got = ::pread(descriptor, out, bytes, static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return got < 0 ? errno : EIO;
    out += got;
    at += static_cast<std::uint64_t>(got);
    bytes -= static_cast<std::size_t>(got);
  }
  return 0;
}

/// 0, or an errno.
inline int write_at(int descriptor, const void* from, std::size_t bytes, std::uint64_t at) {
  const auto* in = static_cast<const char*>(from);
  while (bytes > 0) {
    const ssize_t put = ::pwrite(descriptor, in, bytes, static_cast<off_t>(at));
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return put < 0 ? errno : EIO;
    in += put;
    at += static_cast<std::uint64_t>(put);
    bytes -= static_cast<std::size_t>(put);
  }
  return 0;
}

/// Brings what was written to the disk; some file systems have nothing to bring and say so. 0, or
/// an errno.
inline int sync(int descriptor) {
  return ::fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP ? 0 : errno;
}

}  // namespace kolam
