// SPDX-License-Identifier: Apache-2.0
// Protection keys of the CPU, by which strict emulation lets each thread touch the memory of the
// side whose code it runs.
#pragma once

#include <cstdint>
#include <kolam/memory/detail/strict_threads.hpp>

namespace kolam::detail {

/// What the bits of the protection keys stand for. A key of no number is one that is not used.
struct StrictKeys {
  static constexpr int most_closed = 4;
  bool used = false;
  int side[2] = {0, 0};       // pages as the side's code may touch them
  int read_only[2] = {0, 0};  // pages that the side's code may read; writes are judged one by one
  int closed[most_closed] = {};  // pages where each access is judged by itself
  int closed_count = 0;
};

/// Protection keys of this process, asked for at the first call; not used where the CPU has none.
const StrictKeys& strict_keys();
/// The register of the CPU that says which keys are open, as `code` needs it, from one that may
/// say something about the keys of others.
std::uint32_t key_rights(CodeOf code, std::uint32_t now);
/// Lets this thread touch what `code` may.
void open_keys_for(CodeOf code);

}  // namespace kolam::detail
