// SPDX-License-Identifier: Apache-2.0
#include <kolam/memory/memory_kind.hpp>
#include <utility>

namespace kolam {
namespace {

thread_local MemoryKind scoped = MemoryKind::paired;

}  // namespace

std::string_view name(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::paired:
      return "paired";
    case MemoryKind::pinned:
      return "pinned";
    case MemoryKind::shared:
      return "shared";
    case MemoryKind::host_only:
      return "host_only";
    case MemoryKind::device_only:
      return "device_only";
  }
  return "unknown";
}

MemoryScope::MemoryScope(MemoryKind kind) : before_(std::exchange(scoped, kind)) {}
MemoryScope::~MemoryScope() { scoped = before_; }

MemoryKind default_memory_kind() { return scoped; }

}  // namespace kolam
