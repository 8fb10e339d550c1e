// SPDX-License-Identifier: Apache-2.0
// Complete reads and writes at file offsets, and syncing, with errno as the result.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>

namespace kolam {

/// Reads `bytes` bytes at offset `at`. Returns 0 or an errno: EIO if the file ends too early.
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

/// Writes `bytes` bytes at offset `at`. Returns 0 or an errno.
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

/// Flushes the file to disk. Returns 0 or an errno; 0 too if the file system does not support it
/// (EINVAL, ENOTSUP).
inline int sync(int descriptor) {
  return ::fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP ? 0 : errno;
}

}  // namespace kolam
