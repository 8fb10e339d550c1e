// SPDX-License-Identifier: Apache-2.0
// Protection keys of the CPU. With them, strict emulation lets each thread access only the memory
// of the side whose code it runs.
#pragma once

#include <cstdint>
#include <kolam/memory/detail/strict_threads.hpp>

namespace kolam::detail {

/// The protection keys and their purposes. A key of 0 is not used.
struct StrictKeys {
  static constexpr int most_closed = 4;
  bool used = false;
  int side[2] = {0, 0};          // pages that only the side's code may access
  int read_only[2] = {0, 0};     // pages that the side's code may read; each write is judged
  int closed[most_closed] = {};  // pages where each access is judged
  int closed_count = 0;
};

/// Returns the keys of this process, allocated at the first call; not used if the CPU has none.
const StrictKeys& strict_keys();
/// Returns the value of the CPU's rights register that `code` needs. Rights to keys of others are
/// taken from `now`.
std::uint32_t key_rights(CodeOf code, std::uint32_t now);
/// Gives this thread the rights of `code`.
void open_keys_for(CodeOf code);

}  // namespace kolam::detail
