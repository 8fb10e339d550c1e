// SPDX-License-Identifier: Apache-2.0
#ifdef __linux__

#include <kolam/memory/detail/environment.hpp>
#include <kolam/memory/detail/strict_keys.hpp>

#ifdef __x86_64__
#include <sys/mman.h>
#endif

namespace kolam::detail {
namespace {

#ifdef __x86_64__
std::uint32_t read_rights() {
  std::uint32_t low = 0;
  std::uint32_t high = 0;
  asm volatile(".byte 0x0f, 0x01, 0xee" : "=a"(low), "=d"(high) : "c"(0));  // rdpkru
  return low;
}
void write_rights(std::uint32_t rights) {
  asm volatile(".byte 0x0f, 0x01, 0xef" : : "a"(rights), "c"(0), "d"(0) : "memory");  // wrpkru
}
#else
std::uint32_t read_rights() { return 0; }
void write_rights(std::uint32_t) {}
#endif

#if defined(__x86_64__) && defined(PKEY_DISABLE_ACCESS)

StrictKeys ask_for_keys() {
  StrictKeys keys;
  // For tests of a CPU without protection keys.
  if (!environment_flag("KOLAM_STRICT_KEYS", true)) return keys;
  int got[5 + StrictKeys::most_closed - 1];
  int count = 0;
  for (int& key : got) {
    key = pkey_alloc(0, PKEY_DISABLE_ACCESS);
    if (key < 0) break;
    ++count;
  }
  if (count < 5) {  // the CPU or the system has none, or others need them
    while (count > 0) pkey_free(got[--count]);
    return keys;
  }
  for (const int s : {0, 1}) {
    keys.side[s] = got[s];
    keys.read_only[s] = got[2 + s];
  }
  while (4 + keys.closed_count < count) {
    keys.closed[keys.closed_count] = got[4 + keys.closed_count];
    ++keys.closed_count;
  }
  keys.used = true;
  return keys;
}

#else

StrictKeys ask_for_keys() { return {}; }

#endif

}  // namespace

const StrictKeys& strict_keys() {
  static const StrictKeys keys = ask_for_keys();
  return keys;
}

std::uint32_t key_rights(CodeOf code, std::uint32_t now) {
  const StrictKeys& keys = strict_keys();
  constexpr std::uint32_t no_access = 1;
  constexpr std::uint32_t no_writes = 2;
  const auto set = [&](int key, std::uint32_t bits) {
    now = (now & ~(std::uint32_t{3} << (2 * key))) | (bits << (2 * key));
  };
  for (const Side side : {Side::host, Side::device}) {
    const auto s = static_cast<std::size_t>(side);
    const bool may = may_touch(code, side);
    set(keys.side[s], may ? 0 : no_access);
    set(keys.read_only[s], may ? no_writes : no_access);
  }
  for (int c = 0; c < keys.closed_count; ++c) set(keys.closed[c], no_access);
  return now;
}

void open_keys_for(CodeOf code) { write_rights(key_rights(code, read_rights())); }

}  // namespace kolam::detail

#endif
