// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <kolam/memory/detail/strict_instruction.hpp>
#include <vector>

#ifdef __x86_64__

namespace kolam {
namespace {

struct InstructionCase {
  const char* name;
  std::vector<unsigned char> code;
};

TEST(StrictInstruction, KnowsUpdates) {
  for (const InstructionCase& it :
       {InstructionCase{"add dword [rdi], 1", {0x83, 0x07, 0x01}},
        {"add qword [rdi + 8 rax + 8], 1", {0x48, 0x83, 0x44, 0xc7, 0x08, 0x01}},
        {"and dword [rdi], 1", {0x83, 0x27, 0x01}},
        {"add word [rdi], 513", {0x66, 0x81, 0x07, 0x01, 0x02}},
        {"add [rdi], eax", {0x01, 0x07}},
        {"sub [rdi], rax", {0x48, 0x29, 0x07}},
        {"xor [rdi], al", {0x30, 0x07}},
        {"inc dword [rdi]", {0xff, 0x07}},
        {"neg dword [rdi]", {0xf7, 0x1f}},
        {"shl dword [rdi], 1", {0xd1, 0x27}},
        {"lock xadd [rdi], eax", {0xf0, 0x0f, 0xc1, 0x07}},
        {"lock cmpxchg [rdi], rdx", {0xf0, 0x48, 0x0f, 0xb1, 0x17}},
        {"lock cmpxchg16b [rdi]", {0xf0, 0x48, 0x0f, 0xc7, 0x0f}},
        {"lock bts dword [rdi], 3", {0xf0, 0x0f, 0xba, 0x2f, 0x03}}}) {
    EXPECT_TRUE(detail::changes_old_value(it.code.data())) << it.name;
  }
}

TEST(StrictInstruction, KnowsStores) {
  for (const InstructionCase& it :
       {InstructionCase{"mov [rdi], eax", {0x89, 0x07}},
        {"mov dword [rdi], 1", {0xc7, 0x07, 0x01, 0x00, 0x00, 0x00}},
        {"xchg [rdi], eax", {0x87, 0x07}},
        {"and dword [rdi], 0", {0x83, 0x27, 0x00}},
        {"and qword [rdi + 8 rax + 8], 0", {0x48, 0x83, 0x64, 0xc7, 0x08, 0x00}},
        {"and word [rdi], 0", {0x66, 0x81, 0x27, 0x00, 0x00}},
        {"and dword [rip + 67305985], 0",
         {0x81, 0x25, 0x01, 0x02, 0x03, 0x04, 0x00, 0x00, 0x00, 0x00}},
        {"or dword [rdi], -1", {0x83, 0x0f, 0xff}},
        {"push qword [rdi]", {0xff, 0x37}},
        {"sete [rdi]", {0x0f, 0x94, 0x07}},
        {"movnti [rdi], eax", {0x0f, 0xc3, 0x07}},
        {"movsd [rdi], xmm0", {0xf2, 0x0f, 0x11, 0x07}},
        {"movdqa [rdi], xmm0", {0x66, 0x0f, 0x7f, 0x07}},
        {"vmovups [rdi], ymm0", {0xc5, 0xfc, 0x11, 0x07}},
        {"rep stosb", {0xf3, 0xaa}},
        {"rep movsq", {0xf3, 0x48, 0xa5}}}) {
    EXPECT_FALSE(detail::changes_old_value(it.code.data())) << it.name;
  }
}

}  // namespace
}  // namespace kolam

#endif
