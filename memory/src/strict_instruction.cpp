// SPDX-License-Identifier: Apache-2.0
// Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, appendix A.
#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <kolam/memory/detail/strict_instruction.hpp>

namespace kolam::detail {
namespace {

#ifdef __x86_64__

bool one_of(int byte, std::initializer_list<int> bytes) {
  return std::find(bytes.begin(), bytes.end(), byte) != bytes.end();
}

bool is_prefix(int byte) {
  return one_of(byte, {0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65, 0x66, 0x67, 0xf0, 0xf2, 0xf3});
}

// Returns the length of a memory operand in bytes, from ModRM on.
std::size_t operand_bytes(const unsigned char* modrm) {
  const int mod = modrm[0] >> 6;
  const int rm = modrm[0] & 7;
  const bool scaled = rm == 4;  // another byte, SIB, follows
  std::size_t bytes = scaled ? 2 : 1;
  if (mod == 1) bytes += 1;
  if (mod == 2) bytes += 4;
  if (mod == 0 && (rm == 5 || (scaled && (modrm[1] & 7) == 5))) bytes += 4;
  return bytes;
}

// `and [x], 0` and `or [x], -1` are stores: compilers use them to save bytes.
bool replaces_value(int operation, const unsigned char* number, std::size_t bytes) {
  constexpr int is_or = 1;
  constexpr int is_and = 4;
  const auto all = [&](int byte) {
    return std::all_of(number, number + bytes, [&](unsigned char b) { return b == byte; });
  };
  return (operation == is_and && all(0)) || (operation == is_or && all(0xff));
}

#endif

}  // namespace

bool changes_old_value([[maybe_unused]] const void* instruction) {
#ifdef __x86_64__
  const auto* code = static_cast<const unsigned char*>(instruction);
  bool short_words = false;
  for (; is_prefix(*code); ++code) short_words = short_words || *code == 0x66;
  if ((*code & 0xf0) == 0x40) ++code;  // REX
  const int opcode = *code++;
  // (Not every instruction has a byte after its opcode.)
  const auto operation = [&] { return (*code >> 3) & 7; };
  if (opcode == 0x0f) {
    const int second = *code++;
    return one_of(second, {0xb0, 0xb1, 0xc0, 0xc1}) ||  // cmpxchg, xadd
           one_of(second, {0xab, 0xb3, 0xbb}) ||        // bts, btr, btc
           (second == 0xba && operation() >= 5) ||      // the same of a number
           one_of(second, {0xa4, 0xa5, 0xac, 0xad}) ||  // shld, shrd
           (second == 0xc7 && operation() == 1);        // cmpxchg8b, cmpxchg16b
  }
  if (one_of(opcode, {0x80, 0x81, 0x83})) {  // add, or, adc, sbb, and, sub, xor of a number
    const std::size_t bytes = opcode != 0x81 ? 1 : short_words ? 2 : 4;
    return !replaces_value(operation(), code + operand_bytes(code), bytes);
  }
  return (opcode < 0x38 && (opcode & 7) <= 1) ||                           // the same of a register
         one_of(opcode, {0xc0, 0xc1, 0xd0, 0xd1, 0xd2, 0xd3}) ||           // shifts
         (one_of(opcode, {0xf6, 0xf7}) && one_of(operation(), {2, 3})) ||  // not, neg
         (one_of(opcode, {0xfe, 0xff}) && operation() <= 1);               // inc, dec
#else
  return false;
#endif
}

}  // namespace kolam::detail
