// SPDX-License-Identifier: Apache-2.0
// How an instruction that faulted uses memory.
#pragma once

namespace kolam::detail {

/// Returns whether this instruction, which writes to memory, uses the old value there: `add [x], 1`
/// does, `mov` and `xchg` (the store of an atomic) do not. Always false except on x86-64.
bool changes_old_value(const void* instruction);

}  // namespace kolam::detail
