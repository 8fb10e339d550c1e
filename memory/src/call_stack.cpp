// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <kolam/memory/detail/call_stack.hpp>
#include <memory>
#include <sstream>
#include <string_view>

#if __has_include(<execinfo.h>) && __has_include(<dlfcn.h>)
#include <cxxabi.h>
#include <dlfcn.h>
#include <execinfo.h>

#include <cstdlib>

namespace kolam::detail {
namespace {

std::string demangled(const char* name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(name, nullptr, nullptr, &status), std::free);
  return status == 0 ? text.get() : name;
}

bool is_own(std::string_view function) {
  constexpr std::array<std::string_view, 5> own{"kolam::detail::", "kolam::Array<",
                                                "kolam::deep_copy<", "kolam::SyncPolicy",
                                                "non-virtual thunk to kolam::"};
  // The name of a function template begins with its return type.
  const auto name = function.substr(0, function.find('('));
  return std::any_of(own.begin(), own.end(), [&](std::string_view prefix) {
    return name.starts_with(prefix) || name.find(std::string(" ").append(prefix)) != name.npos;
  });
}

}  // namespace

CallStack CallStack::here() {
  CallStack stack;
  stack.size_ = static_cast<std::size_t>(
      std::max(0, backtrace(stack.frames_.data(), static_cast<int>(stack.frames_.size()))));
  return stack;
}

CallStack CallStack::from(const void* address) {
  std::array<void*, 48> frames{};
  const int size = std::max(0, backtrace(frames.data(), static_cast<int>(frames.size())));
  auto* const end = frames.begin() + size;
  auto* const first = std::find(frames.begin(), end, address);
  if (first == end) return here();
  CallStack stack;
  stack.size_ = std::min(stack.frames_.size(), static_cast<std::size_t>(end - first));
  std::copy_n(first, stack.size_, stack.frames_.begin());
  return stack;
}

std::string CallStack::text() const {
  std::ostringstream out;
  int shown = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    Dl_info info{};
    const bool known = dladdr(frames_[i], &info) != 0;
    const std::string function =
        known && info.dli_sname != nullptr ? demangled(info.dli_sname) : "";
    if (is_own(function)) continue;
    out << "    #" << shown++ << ' ' << (function.empty() ? "?" : function);
    if (known && info.dli_fname != nullptr) {
      const std::string_view path(info.dli_fname);
      const auto* const base = static_cast<const char*>(info.dli_fbase);
      out << " (" << path.substr(path.rfind('/') + 1) << "+0x" << std::hex
          << static_cast<const char*>(frames_[i]) - base << std::dec << ')';
    }
    out << '\n';
    if (info.dli_sname != nullptr && std::string_view(info.dli_sname) == "main") break;
  }
  return out.str();
}

}  // namespace kolam::detail

#else

namespace kolam::detail {

CallStack CallStack::here() { return {}; }
CallStack CallStack::from(const void*) { return {}; }
std::string CallStack::text() const { return "    (this system shows no call stacks)\n"; }

}  // namespace kolam::detail

#endif
