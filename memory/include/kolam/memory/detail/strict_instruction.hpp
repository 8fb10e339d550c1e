// SPDX-License-Identifier: Apache-2.0
// What an instruction that faulted does with memory.
#pragma once

namespace kolam::detail {

/// Whether this instruction, which writes to memory, goes on from the old value there: `add [x], 1`
/// does, `mov` and `xchg` (the store of an atomic) do not. Always false but on x86-64.
bool changes_old_value(const void* instruction);

}  // namespace kolam::detail
